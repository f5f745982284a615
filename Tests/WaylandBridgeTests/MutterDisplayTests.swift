import DataControlProtocol
import EventLoop
import LinuxSystem
import SessionBus
import SystemPackage
import TestSupport
import Testing
import WaylandBridge

/// Tests of a connection to a mutter played by the test, on its own session bus.
@Suite(.timeLimit(.minutes(10))) struct MutterDisplayTests {
    private static let text = ["text/plain", "text/html"]

    /// A connection on the event loop of its own thread, and a second connection that controls the fake mutter.
    private final class Session {
        let fixture = LoopFixture()
        let control: SessionBus
        let display: MutterDisplay
        private(set) var events: [SeatEvent] = []

        init(_ address: String, isCancelled: @escaping () -> Bool) throws {
            fixture.isCancelled = isCancelled
            control = try SessionBus(address: address, loop: fixture.loop, timers: fixture.executor.timers)
            display = try MutterDisplay(
                address: address, outgoing: OutgoingTransfers(loop: fixture.loop), loop: fixture.loop,
                executor: fixture.executor)
            display.onEvent = { [unowned self] in events.append($0) }
        }

        /// Tells the fake mutter to do something.
        func tell(_ member: String, _ arguments: BusCall.Argument...) throws {
            var answer: SessionBus.Answer?
            let call = BusCall(
                member, of: "org.xpb.FakeMutter", at: "/fake", to: "org.gnome.Mutter.RemoteDesktop", arguments)
            control.call(call) { answer = $0 }
            try fixture.run { answer != nil }
            _ = try answer?.get()
        }

        /// Starts the connection, and waits until the selection is known.
        func attach() throws {
            display.start()
            try run { [unowned self] in events.contains(.settled(seat: nil, hasPrimary: false)) }
            events = []
        }

        func run(until isReached: @escaping () -> Bool) throws { try fixture.run(until: isReached) }

        /// Returns and clears the events so far.
        func takeEvents() -> [SeatEvent] {
            defer { events = [] }
            return events
        }

        /// Waits for a number of events, and returns them.
        func await(_ count: Int) throws -> [SeatEvent] {
            try run { [unowned self] in events.count >= count }
            return takeEvents()
        }

        func synchronize() throws {
            let isDone = try fixture.perform { [display] in await display.synchronize(within: .seconds(300)) }
            #expect(isDone)
        }
    }

    /// Runs `body` on its own thread, with a session bus and the fake mutter.
    private func withSession(
        hasMutter: Bool = true, _ body: @escaping @Sendable (Session) throws -> Void
    ) async throws {
        var environment = Binaries.baseEnvironment
        try await MessageBus.running(environment: environment) { address in
            @Sendable func run() async throws {
                try await onThread { try body(try Session(address, isCancelled: $0)) }
            }
            guard hasMutter else { return try await run() }
            environment["DBUS_SESSION_BUS_ADDRESS"] = address
            let command = ["/usr/bin/python3", Binaries.fixture("fake_mutter.py")]
            _ = try await running(command, environment: environment) { mutter in
                #expect(try await mutter.line() == "ready")
                try await run()
            }
        }
    }

    private static func offer(_ number: Int) -> SeatEvent {
        .changed(.clipboard, .foreign(ForeignOfferID(number), types: text))
    }

    @Test("A session that is refused while the screen is locked is opened when it is unlocked")
    func denied() async throws {
        try await withSession { session in
            try session.tell("Deny", .bool(true))
            session.display.start()
            #expect(try session.await(1) == [.unavailable(.denied("Session creation inhibited"))])
            try session.tell("Deny", .bool(false))
            try session.tell("Unlock")
            try session.run { session.display.canSet(.clipboard) }
        }
    }

    @Test("A session that is closed ends everything, and the next session starts like the first")
    func closed() async throws {
        try await withSession { session in
            try session.attach()
            try session.tell("Copy", .options(["mime-types": Self.text]), .uint32(1))
            #expect(try session.await(1) == [Self.offer(1)])
            try session.tell("Deny", .bool(true))
            try session.tell("Close")
            #expect(try session.await(1) == [.detached(.sessionClosed)])
            #expect(session.display.set(.clipboard, types: Self.text, marker: "a/b", isWithheld: false) == nil)
            try session.tell("Deny", .bool(false))
            try session.tell("Unlock")
            #expect(
                try session.await(3) == [
                    .attached(protocol: "org.gnome.Mutter.RemoteDesktop"), .changed(.clipboard, .nobody),
                    .settled(seat: nil, hasPrimary: false),
                ])
        }
    }

    @Test("Each of 3,000 copies at once is reported")
    func flood() async throws {
        try await withSession { session in
            try session.attach()
            try session.tell("Copy", .options(["mime-types": Self.text]), .uint32(3_000))
            #expect(try session.await(3_000) == (1...3_000).map(Self.offer))
        }
    }

    @Test("Signals with unexpected arguments change nothing")
    func garbled() async throws {
        try await withSession { session in
            try session.attach()
            try session.tell("Copy", .options(["mime-types": Self.text]), .uint32(1))
            try session.tell("Garble")
            try session.synchronize()
            #expect(session.takeEvents() == [Self.offer(1)])
        }
    }

    @Test("Contents that are read at once are all read, one after the other")
    func readings() async throws {
        try await withSession { session in
            try session.attach()
            try session.tell("Copy", .options(["mime-types": Self.text]), .uint32(1))
            _ = try session.await(1)
            var lengths: [Int?] = []
            for type in Self.text + Self.text {
                session.fixture.executor.start { [display = session.display] in
                    let file = try? await display.receive(
                        ForeignOfferID(1), type: type, idleTimeout: .seconds(300), limit: nil, onStream: nil)
                    lengths.append(file?.length)
                }
            }
            try session.run { lengths.count == 4 }
            #expect(lengths == [200_000, 180_000, 200_000, 180_000])
        }
    }

    @Test("A source becomes the owner, and ends with the next copy")
    func source() async throws {
        try await withSession { session in
            try session.attach()
            let source = session.display.set(.clipboard, types: Self.text, marker: "a/b", isWithheld: false)
            #expect(source == SourceID(1))
            #expect(try session.await(1) == [.changed(.clipboard, .ours(SourceID(1)))])
            try session.tell("Copy", .options(["mime-types": Self.text]), .uint32(1))
            #expect(try session.await(2) == [Self.offer(1), .ended(SourceID(1), .replaced)])
            #expect(session.display.set(.primary, types: Self.text, marker: "a/c", isWithheld: false) == nil)
        }
    }

    @Test("A mutter that leaves the bus ends the connection")
    func left() async throws {
        try await withSession { session in
            try session.attach()
            try session.tell("Leave")
            #expect(try session.await(1) == [.lost(.bus("mutter has left the session bus"))])
        }
    }

    @Test("A bus without mutter has no clipboard")
    func absent() async throws {
        try await withSession(hasMutter: false) { session in
            session.display.start()
            let events = try session.await(1)
            #expect(events == [.unavailable(.noDataControl)])
        }
    }

    @Test("An address without a bus throws an error at once")
    func noBus() {
        let fixture = LoopFixture()
        do throws(BusFailure) {
            _ = try SessionBus(
                address: "unix:path=/nowhere/bus", loop: fixture.loop, timers: fixture.executor.timers)
            Issue.record("the address led to a bus")
        } catch {
            #expect(error == .system(.noSuchFileOrDirectory))
        }
    }
}
