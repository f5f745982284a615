import Bridge
import BridgeState
import EventLoop
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct IdleShutdownTests {
    /// A bridge for a forwarded display.
    private final class Forwarded {
        let fixture: ServiceFixture
        let shutdown: IdleShutdown
        final class Flag { var isSet = false }

        private let host = TestHost()
        let left: Flag

        var clients: Int {
            get { host.clientCount }
            set { host.clientCount = newValue }
        }

        init() throws {
            let left = Flag()
            self.left = left
            fixture = try ServiceFixture(display: "localhost:10.0")
            shutdown = IdleShutdown(fixture.service) { left.isSet = true }
            fixture.service.host = host
        }

        /// Returns the pause after which the bridge leaves; nil if it stays.
        func pause() -> Duration? {
            let before = ContinuousClock.now
            shutdown.update()
            return fixture.executor.timers.earliest.map { $0 - before }
        }

        func letPass() throws {
            for body in fixture.executor.timers.takeDue(at: try #require(fixture.executor.timers.earliest)) { body() }
        }
    }

    @Test("Before its first client the bridge waits longer, for the program that started it")
    func first() throws {
        let forwarded = try Forwarded()
        #expect(try #require(forwarded.pause()) >= .seconds(10))
        forwarded.clients = 1
        #expect(forwarded.pause() == nil)
        forwarded.clients = 0
        forwarded.shutdown.update()
        let alarm = forwarded.fixture.executor.timers.earliest
        #expect(try #require(alarm) <= .now + .seconds(1))
        // The pause counts from the first moment at which nobody needed the bridge.
        forwarded.shutdown.update()
        #expect(forwarded.fixture.executor.timers.earliest == alarm && !forwarded.left.isSet)
        try forwarded.letPass()
        #expect(forwarded.left.isSet)
    }

    @Test("A client that connects within the pause keeps the bridge running")
    func client() throws {
        let forwarded = try Forwarded()
        forwarded.shutdown.update()
        forwarded.clients = 1
        // The alarm may be due in the same round.
        try forwarded.letPass()
        #expect(!forwarded.left.isSet)
        #expect(forwarded.pause() == nil)
    }

    @Test("The bridge keeps running while it owns contents, and leaves when another program takes the selection")
    func contents() throws {
        let forwarded = try Forwarded()
        let client = try forwarded.fixture.client()
        try client.set(.text(on: "general"))
        forwarded.fixture.succeed()
        #expect(forwarded.fixture.pasteboard("general")?.version != nil)
        #expect(forwarded.pause() == nil)
        forwarded.fixture.report(.changed(selection: "CLIPBOARD", .init(owner: .foreign(WindowID(7)), isDeath: false)))
        #expect(forwarded.pause() != nil)
        try forwarded.letPass()
        #expect(forwarded.left.isSet)
    }

    @Test("The bridge keeps running until its transfers are complete, even if it no longer owns contents")
    func transfers() throws {
        let forwarded = try Forwarded()
        forwarded.fixture.report(.transfers(1))
        #expect(forwarded.pause() == nil)
        forwarded.fixture.report(.transfers(0))
        #expect(forwarded.pause() != nil)
    }

    @Test("Contents that the display does not see keep the bridge running too")
    func localOnly() throws {
        let forwarded = try Forwarded()
        let client = try forwarded.fixture.client()
        try client.set(.text(on: "general", options: WireOptions(localOnly: true)))
        forwarded.fixture.succeed()
        #expect(forwarded.pause() == nil)
    }
}
