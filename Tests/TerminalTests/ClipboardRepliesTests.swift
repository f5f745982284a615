import Foundation
import Terminal
import TestRandom
import Testing

/// The packets of OSC 5522, and the replies to them.
@Suite struct ClipboardRepliesTests {
    private static func packet(_ metadata: String, _ payload: [UInt8]? = nil) -> [UInt8] {
        let encoded = payload.map { ";" + Data($0).base64EncodedString() } ?? ""
        return Array("\u{1B}]5522;\(metadata)\(encoded)\u{1B}\\".utf8)
    }

    private static let replies: [([UInt8], ClipboardReplies.Reply?)] = [
        (packet("type=read:status=OK:id=a"), .accepted),
        (packet("id=a:mime=dGV4dC9wbGFpbg==:type=read:status=DATA", Array("täxt".utf8)), .piece(Array("täxt".utf8))),
        (packet("type=read:status=DATA:id=a", []), .piece([])),
        (packet("type=read:status=DATA:id=a"), .piece([])),
        (
            packet("type=read:status=DATA:id=a", [UInt8](repeating: 7, count: 4_096)),
            .piece([UInt8](repeating: 7, count: 4_096))
        ),
        (Array("\u{1B}]5522;type=read:status=DATA:id=a;*\u{7}".utf8), .damaged),
        (packet("type=read:id=a"), .damaged), (packet("type=write:status=DONE:id=a"), .done),
        (packet("type=read:status=EPERM:id=a"), .refused("EPERM")),
        (packet("type=read:status=DONE:id=b"), nil), (packet("type=read:status=DONE"), nil),
        (Array("\u{1B}]52;c;YQ==\u{7}".utf8), nil), (Array("\u{1B}]5522\u{7}".utf8), nil),
        (Array("\u{1B}[?62;22c".utf8), .attributes), (Array("\u{1B}[5c".utf8), nil), (Array("key\u{1B}[A".utf8), nil),
    ]

    @Test("Replies to this request are read, and all others are dropped, however they are cut into pieces")
    func read() {
        var random = SeededGenerator(seed: 5_522)
        for _ in 0..<200 {
            let sample = (0..<8).map { _ in Self.replies[Int.random(in: 0..<Self.replies.count, using: &random)] }
            var rest = sample.flatMap(\.0)[...]
            var parser = ClipboardReplies(id: "a")
            var found: [ClipboardReplies.Reply] = []
            while !rest.isEmpty {
                let count = min(Int.random(in: 1...40, using: &random), rest.count)
                found += parser.feed(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(found == sample.compactMap(\.1))
        }
    }

    @Test("A request names the selection and has an identifier that terminals send back")
    func requests() {
        let packet = ClipboardPacket(id: "a", isPrimary: true)
        #expect(packet.list == Self.packet("type=read:loc=primary:id=a", Array(".".utf8)))
        #expect(packet.read("image/png") == Self.packet("type=read:loc=primary:id=a", Array("image/png".utf8)))
        #expect(packet.beginningOfWriting == Self.packet("type=write:loc=primary:id=a"))
        #expect(packet.piece([1, 2], of: "image/png") == Self.packet("type=wdata:mime=aW1hZ2UvcG5n:id=a", [1, 2]))
        #expect(packet.endOfWriting == Self.packet("type=wdata:id=a"))
        #expect(ClipboardPacket(isPrimary: false).id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
}
