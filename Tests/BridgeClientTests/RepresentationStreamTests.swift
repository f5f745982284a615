import BridgeClient
import BridgeFixture
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

@Suite struct RepresentationStreamTests {
    private static let bytes = [UInt8](repeating: 0x61, count: 50_000)

    /// A way for a stream to end.
    enum Ending: CaseIterable {
        case complete, failed, hungUp, shorter
    }

    private static func reply(_ bytes: WireBytes) -> Methods.Get.Reply {
        Methods.Get.Reply(count: 3, item: 0, type: "public.png", target: "image/png", bytes: bytes, stream: true)
    }

    /// Runs `body` with a client of a bridge that streams.
    private func withClient<Result>(_ ending: Ending, _ body: (BridgeClient) throws -> Result) throws -> Result {
        let place = try Place(display: ":1")
        let bridge = try place.bridge(":1") {
            { call, connection in
                #expect(call.more)
                #expect(try call.parameters(Methods.Get.Parameters.self).stream == true)
                let (reading, writing) = try UnixSocket.pair()
                try writing.fileDescriptor.writeBytes(Self.bytes)
                connection.reply(
                    Self.reply(WireBytes(descriptor: 0, offset: 0, length: 0)), descriptors: [reading], continues: true)
                try connection.flush()
                switch ending {
                case .complete: connection.reply(Self.reply(WireBytes(offset: 0, length: Self.bytes.count)))
                case .shorter: connection.reply(Self.reply(WireBytes(offset: 0, length: Self.bytes.count + 1)))
                case .failed: connection.fail(BridgeError(.transferBroken, "the owner ended"))
                case .hungUp: throw HangUp()
                }
            }
        }
        return try withExtendedLifetime((place, bridge)) {
            try body(try BridgeClient.connect(environment: place.environment, timeout: .seconds(60), start: .never))
        }
    }

    /// Reads a stream, and returns the number of bytes received.
    private func read(_ ending: Ending, _ received: inout [UInt8]) throws -> Int {
        try withClient(ending) { client in
            guard case .stream(let stream) = try client.getStreaming(pasteboard: "general") else {
                throw BridgeClientError(code: .refused, message: "no stream")
            }
            #expect(stream.type == "public.png" && stream.count == 3)
            let (reading, writing) = try Descriptor.pipe()
            defer { received = (try? reading.fileDescriptor.readBytes(atMost: 1 << 16)) ?? [] }
            return try stream.write(to: writing.fileDescriptor)
        }
    }

    @Test("A stream is complete with its last reply")
    func complete() throws {
        var received: [UInt8] = []
        #expect(try read(.complete, &received) == Self.bytes.count)
        #expect(received == Self.bytes)
    }

    @Test(
        "A stream is a broken transfer unless its last reply confirms its length, but the part that came is written",
        arguments: [Ending.failed, .hungUp, .shorter])
    func broken(ending: Ending) throws {
        var received: [UInt8] = []
        let error = #expect(throws: BridgeClientError.self) { try read(ending, &received) }
        #expect(error?.code == .transferBroken)
        #expect(error?.context.mayRepeat == false)
        #expect(received == Self.bytes)
    }

    @Test("A bridge that does not support streams sends an ordinary reply")
    func older() throws {
        let place = try Place(display: ":1")
        let bridge = try place.bridge(":1") {
            { call, connection in
                let file = try MemoryFile.containing(Self.bytes)
                connection.reply(
                    Methods.Get.Reply(
                        count: 3, item: 0, type: "public.png", target: nil,
                        bytes: WireBytes(descriptor: 0, offset: 0, length: Self.bytes.count)),
                    descriptors: [file.descriptor])
            }
        }
        try withExtendedLifetime((place, bridge)) {
            let client = try BridgeClient.connect(
                environment: place.environment, timeout: .seconds(60), start: .never)
            guard case .whole(let found) = try client.getStreaming(pasteboard: "general") else {
                Issue.record("the client returned a stream")
                return
            }
            #expect(try found.bytes.bytes(in: found.range) == Self.bytes)
        }
    }
}
