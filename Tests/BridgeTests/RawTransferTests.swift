import Bridge
import BridgeServer
import BridgeState
import PasteboardWire
import Testing
import X11Bridge

/// `Upload` and `Download`.
@Suite struct RawTransferTests {
    private static let limit = 1 << 20
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture(environment: ["XPB_LIMIT_PROGRAM_BYTES": "\(Self.limit)"])
        client = try fixture.client()
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 % 65_537) } }

    private static func call(_ method: String, _ parameters: String, upgrade: Bool = true) -> [UInt8] {
        let upgrade = upgrade ? #","upgrade":true"# : ""
        return Array(#"{"method":"org.xpb.Pasteboard.\#(method)","parameters":\#(parameters)\#(upgrade)}"#.utf8) + [0]
    }

    private static func upload(_ length: Int) -> [UInt8] { call("Upload", #"{"length":\#(length)}"#) }

    private static func download(_ handle: String, _ offset: Int, _ length: Int) -> [UInt8] {
        call("Download", #"{"handle":"\#(handle)","offset":\#(offset),"length":\#(length)}"#)
    }

    /// Sends bytes, and returns the text of the answer without its NULs.
    private func exchange(_ bytes: [UInt8], by client: ServiceClient? = nil) throws -> String {
        String(decoding: try (client ?? self.client).exchange(bytes).filter { $0 != 0 }, as: UTF8.self)
    }

    @Test("Uploaded bytes are downloaded unchanged, as a whole or in part", arguments: [1, 65_537, 1_000_000])
    func contents(length: Int) throws {
        let bytes = Self.bytes(length)
        #expect(try exchange(Self.upload(length) + bytes) == #"{"parameters":{"handle":"1"}}"#)
        let place = WireBytes(handle: "1", offset: 0, length: length)
        let item = WireNewItem(representations: [WireNewRepresentation(type: "public.data", bytes: place)])
        try client.call(Methods.Set.self, .init(pasteboards: ["general"], items: [item]))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[1]])
        try client.call(Methods.Get.self, .init(pasteboard: "general"))
        fixture.succeed()
        let found = try #require(try client.replies(to: Methods.Get.self).first)
        #expect(found.bytes.length == length)
        let handle = try #require(found.bytes.handle)
        let whole = try client.exchange(Self.download(handle, 0, .max))
        let isSame = whole == Array(#"{"parameters":{"length":\#(length)}}"#.utf8) + [0] + bytes
        #expect(isSame)
        let end = try client.exchange(Self.download(handle, length - 1, 7) + Self.download(handle, length + 1, 7))
        let replies = [#"{"parameters":{"length":1}}"#, #"{"parameters":{"length":0}}"#].map { Array($0.utf8) + [0] }
        #expect(end == replies[0] + bytes.suffix(1) + replies[1])
    }

    @Test("Several uploads and a call that are sent at once are answered in order")
    func pipelined() throws {
        let raw = Self.call("Stop", "{}", upgrade: false)
        let answer = try exchange(
            Self.upload(0) + Self.upload(raw.count) + raw + Self.upload(1) + [0]
                + Self.call("Release", #"{"handle":"2"}"#, upgrade: false))
        #expect(
            answer == (1...3).map { #"{"parameters":{"handle":"\#($0)"}}"# }.joined() + #"{"parameters":{}}"#)
        #expect(!client.session.isClosed)
    }

    @Test("An invalid download is an error, and the connection goes on")
    func invalidDownload() throws {
        let handle = "1"
        _ = try exchange(Self.upload(1) + [1])
        for call in [
            Self.download("x", 0, 1), Self.download(handle, 0, 1), Self.download(handle, -1, 1),
            Self.call("Download", #"{"handle":"1","offset":0,"length":1}"#, upgrade: false),
            Self.call("Upload", #"{"length":1}"#, upgrade: false),
        ] {
            #expect(try exchange(call).contains("org.xpb.Pasteboard.InvalidBytes"))
        }
        #expect(try exchange(Self.call("Read", "{}")).contains("MethodNotImplemented"))
        #expect(!client.session.isClosed)
    }

    @Test("An upload that cannot be accepted gets an error, and ends the connection", arguments: [-1, limit + 1])
    func refused(length: Int) throws {
        let answer = try exchange(Self.upload(length) + Self.call("Stop", "{}", upgrade: false))
        #expect(answer.contains(length < 0 ? "InvalidBytes" : "Refused") && client.session.isClosed)
    }

    @Test("Bytes count as they arrive: of two uploads at once, the one that exceeds the limit is refused")
    func quota() throws {
        let other = try fixture.client()
        let part = Self.bytes(Self.limit / 2)
        let length = Self.limit - 1
        #expect(try exchange(Self.upload(length) + part) == "")
        #expect(try exchange(Self.upload(length / 2), by: other) == "")
        #expect(try exchange(part.dropLast(10), by: other) == "")
        #expect(try exchange(part).contains("limit-program-bytes"))
        #expect(client.session.isClosed && !other.session.isClosed)
        #expect(fixture.service.quotas.refusals.count(of: .programBytes) == 1)
        #expect(try exchange(Array(part.suffix(9)), by: other).contains("handle"))
    }

    @Test("An upload whose client goes away midway leaves nothing behind")
    func gone() throws {
        #expect(try exchange(Self.upload(Self.limit) + Self.bytes(Self.limit - 1)) == "")
        try client.endSending()
        _ = try client.exchange([])
        #expect(client.session.isClosed)
        let other = try fixture.client()
        #expect(try exchange(Self.upload(Self.limit) + Self.bytes(Self.limit), by: other).contains("handle"))
    }
}
