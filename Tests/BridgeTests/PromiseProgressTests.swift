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

    /// Promises text, which the reader requests. Returns the ticket.
    private func wanted() throws -> String {
        let writer = try fixture.client()
        try writer.promise(.promising(on: "general"))
        fixture.succeed()
        try reader.call(Methods.Get.self, .init(pasteboard: "general", timeout: 60_000))
        return try #require(try writer.replies(to: Methods.Set.self).last?.wanted?.ticket)
    }

    /// Begins to upload two bytes for a promise; only one byte arrives.
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

    @Test("A reader waits no longer than its timeout for a promise without progress")
    func silent() throws {
        _ = try wanted()
        fixture.pass(.seconds(61))
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
        // The progress was less than a minute ago, although the timer is due.
        fixture.pass(.seconds(61))
        #expect(try reader.replies(to: Methods.Get.self).isEmpty)
        let keeper = try fixture.client()
        try keeper.call(
            Methods.Keep.self, .init(ticket: ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: 1)),
            descriptors: [try MemoryFile.containing([0x61]).descriptor])
        #expect(try reader.replies(to: Methods.Get.self).map(\.bytes.length) == [1])
    }

    @Test("Reporting progress of a promise that nobody waits for is an error")
    func unknown() throws {
        try provider.call(Methods.Progress.self, .init(ticket: "7"))
        #expect(throws: BridgeError.self) { try provider.replies(to: Methods.Progress.self) }
    }

    @Test("Uploads by another machine's programs do not prolong a reader's wait")
    func restricted() throws {
        let ticket = try wanted()
        try upload(for: ticket, by: try fixture.link("far"))
        fixture.pass(.seconds(61))
        #expect(errors(reader) == .ownerSilent)
    }

    // MARK: Streams

    private static let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }

    /// Promises an image, which the reader requests as a stream. Returns the ticket.
    private func wantedStream() throws -> String {
        let writer = try fixture.client()
        try writer.promise(.promising(on: "general", type: "public.png"))
        fixture.succeed()
        let get = Methods.Get.Parameters(
            pasteboard: "general", types: ["public.png"], exact: true, timeout: 60_000, descriptors: true, stream: true)
        try reader.call(Methods.Get.self, get, more: true)
        return try #require(try writer.replies(to: Methods.Set.self).last?.wanted?.ticket)
    }

    /// Uploads all bytes, and expects some in the reader's pipe before the end. Returns the reading end and the handle.
    private func uploadAll(for ticket: String) throws -> (Descriptor, handle: String) {
        let length = Self.bytes.count
        let call =
            #"{"method":"org.xpb.Pasteboard.Upload","parameters":{"length":\#(length),"ticket":"\#(ticket)"},"upgrade":true}"#
        _ = try provider.exchange(Array(call.utf8) + [0] + Self.bytes.prefix(500_000))
        let (first, descriptors) = try #require(try reader.answer(to: Methods.Get.self))
        #expect(first.stream == true && first.bytes.length == 0)
        let pipe = try #require(descriptors.first)
        #expect(try pipe.fileDescriptor.readBytes(atMost: 1_000) == Array(Self.bytes.prefix(1_000)))
        let answer = String(decoding: try provider.exchange(Array(Self.bytes.dropFirst(500_000))), as: UTF8.self)
        #expect(answer.contains(#""handle":"1""#))
        return (pipe, "1")
    }

    private func keep(_ ticket: String, _ bytes: WireBytes) throws {
        try provider.call(Methods.Keep.self, .init(ticket: ticket, bytes: bytes))
        #expect(try provider.replies(to: Methods.Keep.self).count == 1)
    }

    @Test("A reader that takes a stream gets promised bytes while they are uploaded")
    func streamed() throws {
        let ticket = try wantedStream()
        let (pipe, handle) = try uploadAll(for: ticket)
        try keep(ticket, WireBytes(handle: handle, offset: 0, length: Self.bytes.count))
        var read = Array(Self.bytes.prefix(1_000))
        while read.count < Self.bytes.count {
            read += try pipe.fileDescriptor.readBytes(atMost: 1 << 20)
            // The service writes more when there is room.
            fixture.succeed()
        }
        #expect(read == Self.bytes)
        #expect(try reader.replies(to: Methods.Get.self).map(\.bytes.length) == [Self.bytes.count])
        #expect(try pipe.fileDescriptor.readBytes(atMost: 1).isEmpty)
    }

    @Test("A promise that is kept with other bytes than were uploaded breaks the stream")
    func others() throws {
        let ticket = try wantedStream()
        let (_, handle) = try uploadAll(for: ticket)
        try keep(ticket, WireBytes(handle: handle, offset: 1, length: Self.bytes.count - 1))
        #expect(errors(reader) == .transferBroken)
    }

    @Test("A promise that is broken in the middle of an upload breaks the stream")
    func broken() throws {
        let ticket = try wantedStream()
        _ = try uploadAll(for: ticket)
        let other = try fixture.client()
        try other.call(Methods.Break.self, .init(ticket: ticket, message: "no more"))
        #expect(errors(reader) == .transferBroken)
    }
}
