import Bridge
import LinuxSystem
import PasteboardWire
import Testing

/// `Progress`, and `Upload` with the ticket of a promise.
@Suite struct PromiseProgressTests {
    private let fixture: ServiceFixture
    private let reader: ServiceClient
    private let provider: ServiceClient

    init() throws {
        fixture = try ServiceFixture()
        (reader, provider) = (try fixture.client(), try fixture.client())
    }

    /// Promises a text, which the reader asks for. Returns the ticket.
    private func wanted() throws -> String {
        let writer = try fixture.client()
        try writer.promise(.promising(on: "general"))
        fixture.succeed()
        try reader.call(Methods.Get.self, .init(pasteboard: "general", timeout: 5_000))
        return try #require(try writer.replies(to: Methods.Set.self).last?.wanted?.ticket)
    }

    /// Begins to upload two bytes for a promise, of which one arrives.
    private func upload(for ticket: String, by client: ServiceClient) throws {
        let call =
            #"{"method":"org.xpb.Pasteboard.Upload","parameters":{"length":2,"ticket":"\#(ticket)"},"upgrade":true}"#
        _ = try client.exchange(Array(call.utf8) + [0, 0x61])
    }

    private func errors(_ client: ServiceClient) -> BridgeError.Code? {
        do {
            _ = try client.replies(to: Methods.Get.self)
            return nil
        } catch {
            return (error as? BridgeError)?.code
        }
    }

    @Test("A promise without progress is not waited for longer than the reader's timeout")
    func silent() throws {
        _ = try wanted()
        fixture.pass(.seconds(6))
        #expect(errors(reader) == .ownerSilent)
    }

    @Test(
        "A reader waits for a promise while its provider reports progress, or its bytes arrive",
        arguments: [true, false])
    func waiting(reports: Bool) throws {
        let ticket = try wanted()
        if reports {
            try provider.call(Methods.Progress.self, .init(ticket: ticket))
            #expect(try provider.replies(to: Methods.Progress.self).count == 1)
        } else {
            try upload(for: ticket, by: provider)
        }
        // The progress was less than five seconds ago, although the timer is due.
        fixture.pass(.seconds(6))
        #expect(try reader.replies(to: Methods.Get.self).isEmpty)
        let keeper = try fixture.client()
        try keeper.call(
            Methods.Keep.self, .init(ticket: ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: 1)),
            descriptors: [try MemoryFile.containing([0x61]).descriptor])
        #expect(try reader.replies(to: Methods.Get.self).map(\.bytes.length) == [1])
    }

    @Test("Progress of a promise that nobody waits for is an error")
    func unknown() throws {
        try provider.call(Methods.Progress.self, .init(ticket: "7"))
        #expect(throws: BridgeError.self) { try provider.replies(to: Methods.Progress.self) }
    }

    @Test("Uploads of another machine's programs keep nobody waiting")
    func restricted() throws {
        let ticket = try wanted()
        try upload(for: ticket, by: try fixture.link("far"))
        fixture.pass(.seconds(6))
        #expect(errors(reader) == .ownerSilent)
    }
}
