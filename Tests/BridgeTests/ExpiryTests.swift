import Bridge
import BridgeState
import EventLoop
import PasteboardWire
import Testing

@Suite struct ExpiryTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture()
        client = try fixture.client()
    }

    private func set(_ name: String, expires: Int?) throws {
        try client.set(.text(on: name, options: WireOptions(expires: expires)))
        _ = try client.replies(to: Methods.Set.self)
    }

    private func pass(_ time: Duration, from start: ContinuousClock.Instant = .now) {
        for body in fixture.executor.timers.takeDue(at: start + time) { body() }
    }

    @Test("Contents are removed when they expire, and their removal is a step")
    func goes() throws {
        let start = ContinuousClock.now
        try set("general", expires: 1_000)
        pass(.milliseconds(1), from: start)
        #expect(fixture.pasteboard("general")?.isEmpty == false)
        pass(.seconds(2))
        #expect(fixture.pasteboard("general")?.isEmpty == true)
        #expect(fixture.pasteboard("general")?.count == 2)
    }

    @Test("Contents expire even while a writer waits, and the writer's contents are the next step")
    func besideWriter() throws {
        try set("general", expires: 1_000)
        let pasteboard = try #require(fixture.pasteboard("general"))
        let end = PendingValue<Void>()
        fixture.executor.start { await pasteboard.writing.withLock { await end.get() } }
        try client.set(.text(on: "general", options: WireOptions()))
        pass(.seconds(2))
        #expect(pasteboard.isEmpty)
        #expect(pasteboard.count == 2)
        end.deliver(())
        _ = try client.replies(to: Methods.Set.self)
        #expect(!pasteboard.isEmpty)
        #expect(pasteboard.count == 3)
    }

    @Test("If expiring contents are replaced, the new contents are kept")
    func replaced() throws {
        try set("general", expires: 1_000)
        try set("general", expires: nil)
        pass(.seconds(2))
        #expect(fixture.pasteboard("general")?.isEmpty == false)
    }

    @Test("The expiry's timer is cancelled when the contents are replaced, cleared or removed")
    func forgotten() throws {
        for _ in 0..<3 { try set("general", expires: 3_600_000) }
        try set("com.example.a", expires: 3_600_000)
        #expect(fixture.service.expiry.expiries.count == 2)
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        _ = try client.replies(to: Methods.Clear.self)
        try client.call(Methods.Remove.self, .init(pasteboard: "com.example.a"))
        #expect(fixture.service.expiry.expiries.isEmpty)
        #expect(fixture.executor.timers.earliest == nil)
    }
}
