import CompositorFixture
import DataControlProtocol
import EventLoop
import Foundation
import LinuxSystem
import SystemPackage
import Testing
import WaylandBridge
import WaylandWire

@Suite(.timeLimit(.minutes(10))) struct LossTests {
    private func loss(_ fixture: WaylandFixture, _ fault: () throws -> Void) throws -> WaylandLoss? {
        try fault()
        try fixture.run { fixture.recorder.loss != nil }
        #expect(fixture.recorder.events.last == fixture.recorder.loss.map { .lost($0) })
        #expect(!fixture.display.isConnected && !fixture.display.canSet(.clipboard))
        #expect(fixture.display.set(.clipboard, types: ["a"], marker: "m") == nil)
        #expect(fixture.display.clear(.clipboard) == nil)
        #expect(fixture.executor.timers.earliest == nil)
        return fixture.recorder.loss
    }

    /// Returns true if no process has the writing end of a pipe.
    private func isClosed(_ pipe: Descriptor, _ fixture: WaylandFixture) throws -> Bool {
        try fixture.run { (try? waitReadable(pipe.fileDescriptor, until: .now)) == true }
        return try pipe.fileDescriptor.readBytes(atMost: 1).isEmpty
    }

    @Test("If a compositor closes the connection or reports an error, the loss has the reason")
    func closed() throws {
        let fixture = try WaylandFixture()
        #expect(try loss(fixture) { fixture.client.close() } == .closed)
        let other = try WaylandFixture()
        #expect(
            try loss(other) { other.client.fail("too many") }
                == .fault(.error(interface: "wl_display", code: 3, message: "too many")))
    }

    @Test("The end of the connection in the middle of a message is a loss like any other")
    func middle() throws {
        let fixture = try WaylandFixture()
        let reason = try loss(fixture) {
            fixture.client.send([1, 0, 0, 0, 1, 0])
            fixture.client.close()
        }
        #expect(reason == .closed)
    }

    @Test("The compositor's error is reported even if requests were being sent to it")
    func errorWhileSending() throws {
        let fixture = try WaylandFixture()
        let reason = try loss(fixture) {
            fixture.client.fail("no")
            // These requests find the connection closed.
            for number in 0..<10 { _ = fixture.display.set(.clipboard, types: ["a"], marker: "\(number)") }
        }
        #expect(reason == .fault(.error(interface: "wl_display", code: 3, message: "no")))
    }

    @Test(
        "Garbage ends the connection",
        arguments: [
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [1, 0, 0, 0, 0, 0, 8, 0], [0, 0, 0, 0, 0, 0, 0, 0],
            [9, 9, 9, 9, 0, 0, 8, 0],
        ] as [[UInt8]])
    func garbage(bytes: [UInt8]) throws {
        let fixture = try WaylandFixture()
        guard case .fault = try loss(fixture, { fixture.client.send(bytes) }) else {
            Issue.record("\(String(describing: fixture.recorder.loss))")
            return
        }
    }

    @Test("Descriptors that no message takes are closed with the connection, which ends at their limit")
    func descriptors() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        let reason = try loss(fixture) {
            // The beginning of a message with 4,096 bytes.
            fixture.client.send([1, 0, 0, 0, 0, 0, 0, 16])
            for _ in 0...256 {
                let pipe = try Descriptor.pipe()
                pipes.append(pipe.reading)
                fixture.client.send([0], descriptors: [pipe.writing])
            }
        }
        #expect(reason == .fault(.stream(.tooManyDescriptors(limit: 256))))
        fixture.client.close()
        for pipe in pipes { #expect(try isClosed(pipe, fixture)) }
    }

    @Test("The descriptor of a request for a type that the source does not have is closed")
    func unknownType() throws {
        let fixture = try WaylandFixture()
        _ = try fixture.recorder.copy(.file(try MemoryFile.containing([1])))
        try fixture.run { fixture.program.offer() != nil }
        let pipe: Descriptor
        do {
            let ends = try Descriptor.pipe()
            pipe = ends.reading
            let contents = try #require(fixture.compositor.seats.first?.contents[.clipboard])
            contents.ask(for: "image/png", ends.writing)
        }
        #expect(try fixture.synchronize())
        #expect(try isClosed(pipe, fixture))
        #expect(fixture.recorder.requests == 0)
    }

    @Test("A compositor that stops reading delays nobody, and is lost once too much waits for it")
    func flooded() throws {
        let fixture = try WaylandFixture()
        fixture.client.isReading = false
        let types = (0..<1_000).map { "application/x-type-\($0)" }
        var sets = 0
        while fixture.display.set(.clipboard, types: types, marker: "marker \(sets)") != nil, sets < 1_000 { sets += 1 }
        #expect(sets > 50 && sets < 1_000)
        #expect(fixture.recorder.loss == nil, "a call delivered an event")
        let reason = try loss(fixture) {}
        guard case .flooded(let limit) = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(reason?.description.contains("\(limit)") == true)
    }

    @Test("A compositor that pauses gets all requests in order")
    func pause() throws {
        let fixture = try WaylandFixture()
        fixture.client.isReading = false
        let types = (0..<1_000).map { "application/x-type-\($0)" }
        var last: SourceID?
        for number in 0..<20 { last = fixture.display.set(.clipboard, types: types, marker: "marker \(number)") }
        fixture.client.isReading = true
        let source = try #require(last)
        try fixture.run { fixture.recorder.owners().last == .ours(source) }
        #expect(fixture.compositor.violations == [])
    }

    @Test("Tasks that wait for the compositor fail after the loss is reported, and readers get their bytes")
    func waiting() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in
            try? descriptor.fileDescriptor.writeBytes([1])
            pipes.append(descriptor)
        }
        let offer = try #require(fixture.recorder.offer())
        var failure: PipeFailure?
        var isDone: Bool?
        fixture.executor.start { [recorder = fixture.recorder] in
            do throws(PipeFailure) {
                _ = try await recorder.display.receive(
                    offer, type: "text/plain", idleTimeout: .seconds(60), limit: nil)
            } catch {
                if recorder.loss != nil { failure = error }
            }
        }
        try fixture.run { fixture.display.bytesHeld == 1 }
        let bytes = pattern(1 << 20)
        let (reading, writing) = try Descriptor.pipe()
        fixture.display.outgoing.send(.file(try MemoryFile.containing(bytes)), 0..<bytes.count, to: writing)
        fixture.client.isReading = false
        fixture.executor.start { [display = fixture.display] in
            isDone = await display.synchronize(within: .seconds(60))
        }
        fixture.client.close()
        try fixture.run { fixture.recorder.loss != nil }
        #expect(failure == .lost && isDone == false)
        #expect(fixture.display.transferCount == 1)
        var received: [UInt8] = []
        let registration = fixture.loop.add(reading.fileDescriptor, interest: .readable) { _ in
            received += (try? reading.fileDescriptor.readBytes(atMost: 1 << 20)) ?? []
        }
        try fixture.run { fixture.display.transferCount == 0 && received.count == bytes.count }
        registration.cancel()
        #expect(received == bytes)
    }

    @Test("After it is closed, a connection reports nothing, and its transfers have ended")
    func close() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in pipes.append(descriptor) }
        let offer = try #require(fixture.recorder.offer())
        var failure: PipeFailure?
        fixture.executor.start { [display = fixture.display] in
            do throws(PipeFailure) {
                _ = try await display.receive(offer, type: "text/plain", idleTimeout: .seconds(60), limit: nil)
            } catch {
                failure = error
            }
        }
        let events = fixture.recorder.events
        fixture.display.close()
        #expect(failure == .lost)
        try fixture.run { fixture.compositor.clients.count == 1 }
        #expect(fixture.recorder.events == events)
        #expect(fixture.executor.timers.earliest == nil)
    }

    @Test("A connection that is released closes its socket, and readers get their bytes")
    func released() throws {
        let fixture = LoopFixture()
        let compositor = FakeCompositor([.ext], loop: fixture.loop)
        var recorder: Recorder? = try fixture.connect(to: compositor)
        try fixture.run { recorder?.isSettled == true }
        let outgoing = try #require(recorder?.display.outgoing)
        let bytes = pattern(1 << 20)
        let reading: Descriptor
        do {
            let pipe = try Descriptor.pipe()
            reading = pipe.reading
            outgoing.send(.file(try MemoryFile.containing(bytes)), 0..<bytes.count, to: pipe.writing)
        }
        weak let display = recorder?.display
        recorder = nil
        #expect(display == nil)
        try fixture.run { compositor.clients.isEmpty }
        #expect(try fixture.contents(of: reading) == bytes)
        #expect(outgoing.count == 0)
    }

    @Test("A compositor is found at its path, or the failure names the path")
    func path() throws {
        let fixture = LoopFixture()
        let folder = FileManager.default.temporaryDirectory.path + "/xpb-w-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/wayland-0"
        let outgoing = OutgoingTransfers(loop: fixture.loop)
        let failure = #expect(throws: WaylandLoss.self) {
            _ = try WaylandDisplay(
                path: path, seat: nil, outgoing: outgoing, loop: fixture.loop, executor: fixture.executor)
        }
        #expect(failure == .cannotConnect(path: path, .noSuchFileOrDirectory))
        #expect(failure?.description.contains(path) == true)
        let compositor = FakeCompositor([.wlr], loop: fixture.loop)
        try compositor.listen(at: path)
        let recorder = Recorder(
            try WaylandDisplay(
                path: path, seat: nil, outgoing: outgoing, loop: fixture.loop, executor: fixture.executor))
        try fixture.run { recorder.isSettled }
    }
}
