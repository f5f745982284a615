import CompositorFixture
import DataControlProtocol
import EventLoop
import LinuxSystem
import SystemPackage
import Testing
import WaylandBridge
import WaylandWire

@Suite(.timeLimit(.minutes(10))) struct WaylandDisplayTests {
    // MARK: Selections

    @Test("A connection reports the selections that the seat has", arguments: DataControlVariant.allCases)
    func attach(variant: DataControlVariant) throws {
        let fixture = LoopFixture()
        let compositor = FakeCompositor([variant], loop: fixture.loop)
        compositor.copy("earlier")
        let recorder = try fixture.connect(to: compositor)
        try fixture.run { recorder.isSettled }
        let types = ["text/plain", "text/plain;charset=utf-8"]
        let interface = DataControlManager.interface(of: variant)
        #expect(
            recorder.events == [
                .attached(protocol: "\(interface.name) version \(interface.version)"),
                .changed(.clipboard, .foreign(ForeignOfferID(1), types: types)), .changed(.primary, .nobody),
                .settled(seat: "seat0", hasPrimary: true),
            ])
        #expect(compositor.violations == [])
    }

    @Test("Without version 2 of the wlr protocol, or without the compositor's support, there is no primary selection")
    func withoutPrimary() throws {
        for (version, hasPrimary) in [(UInt32(1), true), (2, false)] {
            let fixture = LoopFixture()
            let compositor = FakeCompositor([.wlr], version: version, hasPrimary: hasPrimary, loop: fixture.loop)
            let recorder = try fixture.connect(to: compositor)
            try fixture.run { recorder.isSettled }
            #expect(recorder.events.last == .settled(seat: "seat0", hasPrimary: false))
            #expect(recorder.display.canSet(.clipboard) && !recorder.display.canSet(.primary))
            #expect(recorder.display.set(.primary, types: ["a"], marker: "m") == nil)
        }
    }

    @Test("Contents are offered, read by another program, and replaced", arguments: DataControlVariant.allCases)
    func offered(variant: DataControlVariant) throws {
        for selection in SeatSelection.allCases {
            let fixture = try WaylandFixture(variant)
            let source = try fixture.recorder.copy(.file(try MemoryFile.containing(Array("text".utf8))), to: selection)
            try fixture.run { fixture.program.offer(of: selection) != nil }
            let types = ["text/plain", "marker"]
            #expect(fixture.program.owners(of: selection).last == .foreign(ForeignOfferID(1), types: types))
            #expect(fixture.recorder.owners(of: selection).last == .ours(source))
            let program = fixture.program.display
            let file = try fixture.perform {
                try? await program.receive(
                    ForeignOfferID(1), type: "text/plain", idleTimeout: .seconds(60), limit: nil)
            }
            #expect(try file?.bytes(in: 0..<4) == Array("text".utf8))
            _ = try fixture.program.copy(.file(try MemoryFile.containing([])), to: selection, marker: "other")
            try fixture.run { fixture.recorder.events.contains(.ended(source, .replaced)) }
            #expect(fixture.recorder.owners(of: selection).last != .ours(source))
            #expect(fixture.compositor.violations == [])
        }
    }

    @Test("A selection that is cleared is empty, and its source has ended")
    func clear() throws {
        let fixture = try WaylandFixture()
        let source = try fixture.recorder.copy(.file(try MemoryFile.containing([1])))
        let number = try #require(fixture.display.clear(.clipboard))
        #expect(number.number > source.number)
        try fixture.run { fixture.recorder.owners().last == .nobody && fixture.recorder.owners().count > 1 }
        #expect(fixture.recorder.events.contains(.ended(source, .superseded)))
        #expect(fixture.compositor.violations == [])
    }

    @Test("The seat with the given name is used once it appears")
    func namedSeat() throws {
        let fixture = LoopFixture()
        let compositor = FakeCompositor([.ext], loop: fixture.loop)
        let recorder = try fixture.connect(to: compositor, seat: "second")
        try fixture.run { recorder.events == [.unavailable(.noSeat(names: ["seat0"]))] }
        compositor.addSeat("second")
        try fixture.run { recorder.events.last == .settled(seat: "second", hasPrimary: true) }
        compositor.removeSeat("second")
        try fixture.run { recorder.events.last == .detached(.seatGone) }
        #expect(!recorder.display.canSet(.clipboard))
    }

    @Test("Closures may set selections while other effects wait, and requests keep their order")
    func reentrant() throws {
        let fixture = try WaylandFixture()
        var copies = 0
        fixture.recorder.onEvent = { [recorder = fixture.recorder] event in
            // An offer that is replaced is destroyed in the same turn.
            guard case .changed(.clipboard, .foreign) = event, copies < 50 else { return }
            copies += 1
            _ = recorder.display.set(.clipboard, types: ["a"], marker: "\(copies)")
            _ = recorder.display.clear(.primary)
            recorder.display.start()
        }
        for number in 0..<50 {
            fixture.compositor.copy("\(number)")
            let source = SourceID(2 * number + 1)
            try fixture.run { copies == number + 1 && fixture.recorder.owners().last == .ours(source) }
        }
        #expect(fixture.compositor.violations == [])
    }

    @Test("A selection may be set as soon as the seat is known")
    func setAtOnce() throws {
        let fixture = LoopFixture()
        let compositor = FakeCompositor([.ext], loop: fixture.loop)
        let recorder = try fixture.connect(to: compositor)
        recorder.onEvent = { [unowned recorder] event in
            // The state machine has more requests in this turn, whose objects have lower numbers.
            guard case .attached = event else { return }
            for number in 0..<3 { _ = recorder.display.set(.clipboard, types: ["a"], marker: "\(number)") }
        }
        try fixture.run { recorder.owners().last == .ours(SourceID(3)) || recorder.loss != nil }
        #expect(compositor.violations == [])
    }

    @Test("A call delivers no events, even if some wait")
    func notNested() throws {
        let fixture = try WaylandFixture()
        var (changes, nested) = (0, 0)
        fixture.recorder.onEvent = { [recorder = fixture.recorder] event in
            guard case .changed(.clipboard, _) = event else { return }
            changes += 1
            let before = recorder.events.count
            _ = recorder.display.clear(.primary)
            nested += recorder.events.count - before
        }
        // The changes arrive together.
        for number in 0..<10 { fixture.compositor.copy("\(number)") }
        try fixture.run { changes == 10 }
        #expect(nested == 0)
    }

    @Test("10,000 changes at once are all reported, in order")
    func manyChanges() throws {
        let fixture = try WaylandFixture()
        let first = fixture.recorder.owners().count
        for number in 0..<10_000 { fixture.compositor.copy(["type \(number)"]) { _, _ in } }
        try fixture.run { fixture.recorder.owners().count == first + 10_000 }
        let types = fixture.recorder.owners().dropFirst(first).map { owner -> [String] in
            if case .foreign(_, let types) = owner { types } else { [] }
        }
        #expect(types == (0..<10_000).map { ["type \($0)"] })
        #expect(fixture.display.isConnected)
    }

    // MARK: Synchronization

    @Test("After synchronization, the compositor has handled earlier requests and its events are delivered")
    func synchronize() throws {
        let fixture = try WaylandFixture()
        let source = try fixture.recorder.copy(.file(try MemoryFile.containing([1])))
        var isOurs = false
        let isDone = try fixture.perform { [recorder = fixture.recorder] in
            let isDone = await recorder.display.synchronize(within: .seconds(60))
            isOurs = recorder.owners().last == .ours(source)
            return isDone
        }
        #expect(isDone && isOurs)
    }

    @Test("Tasks that wait for a stalled compositor share one request, and end with their timeout")
    func standstill() throws {
        let fixture = try WaylandFixture()
        fixture.client.isReading = false
        let before = fixture.client.syncs
        var results: [Bool] = []
        for _ in 0..<5_000 {
            fixture.executor.start { [display = fixture.display] in
                results.append(await display.synchronize(within: .milliseconds(1)))
            }
        }
        try fixture.run { results.count == 5_000 }
        #expect(!results.contains(true))
        fixture.client.isReading = true
        #expect(try fixture.synchronize())
        #expect(fixture.client.syncs == before + 2)
    }

    @Test("The cancellation of a task ends its wait for the compositor")
    func cancelledSynchronization() throws {
        let fixture = try WaylandFixture()
        fixture.client.isReading = false
        var result: Bool?
        let task = fixture.executor.start { [display = fixture.display] in
            result = await display.synchronize(within: .seconds(60))
        }
        #expect(result == nil)
        task.cancel()
        #expect(result == false)
        #expect(fixture.executor.timers.earliest == nil)
    }

    // MARK: Rest

    @Test("A connection at rest never wakes the loop up")
    func rest() throws {
        let fixture = try WaylandFixture()
        _ = try fixture.recorder.copy(.file(try MemoryFile.containing([1])))
        #expect(try fixture.synchronize())
        #expect(fixture.executor.timers.earliest == nil)
        let before = fixture.rounds
        var isOver = false
        // Only a moment without events shows that nothing wakes the loop. A busy machine only prolongs that moment.
        _ = fixture.executor.timers.set(.now + .milliseconds(300)) { isOver = true }
        try fixture.run { isOver }
        // The loop slept once before the timer, and checked once after it; the events of the other connection may have
        // been waiting.
        #expect(fixture.rounds - before <= 4)
    }
}
