import FastPath
import PasteboardWire
import TestRandom
import Testing

@Suite struct FastReplyTests {
    private func message(_ reply: some Encodable, continues: Bool? = nil) throws -> [UInt8] {
        try WireJSON.message(WireReply(parameters: reply, continues: continues))
    }

    private func get(_ bytes: WireBytes, target: String? = "UTF8_STRING", stale: Bool? = nil) -> Methods.Get.Reply {
        .init(count: 3, item: 0, type: "public.utf8-plain-text", target: target, bytes: bytes, stale: stale)
    }

    @Test("The range of a representation is found, whatever the order of the members")
    func bytes() throws {
        // The encoder's order differs from object to object.
        for length in 0..<50 {
            let reply = get(.init(descriptor: 0, offset: 7, length: length), target: length % 2 == 0 ? nil : "STRING")
            #expect(FastReply.bytes(in: try message(reply)) == 7..<7 + length)
        }
    }

    @Test("A reply that is not a plain range of the first descriptor is declined")
    func unusual() throws {
        let bytes = WireBytes(descriptor: 0, offset: 0, length: 5)
        for reply in [
            get(bytes, stale: true), get(.init(descriptor: 1, offset: 0, length: 5)),
            get(.init(handle: "h", offset: 0, length: 5)), get(.init(offset: 0, length: 5)),
            get(.init(descriptor: 0, offset: -1, length: 5)), get(bytes, target: "a\"b"),
        ] {
            #expect(FastReply.bytes(in: try message(reply)) == nil)
        }
        #expect(FastReply.bytes(in: try message(get(bytes), continues: true)) == nil)
    }

    @Test("An error and a reply without parameters are declined")
    func errors() throws {
        let message = try WireJSON.message(
            WireReply(error: "org.xpb.Pasteboard.Empty", parameters: ["message": "the pasteboard is empty"]))
        #expect(FastReply.bytes(in: message) == nil)
        #expect(!FastReply.isChange(message))
        #expect(FastReply.count(in: message) == nil)
        for text in ["{}\0", "{\"parameters\":{}}\0", "\0", "", "[]\0", "{\"parameters\":{\"counts\":[]}}\0"] {
            let bytes = Array(text.utf8)
            #expect(FastReply.bytes(in: bytes) == nil)
            #expect(!FastReply.isChange(bytes))
            #expect(FastReply.count(in: bytes) == nil)
        }
    }

    @Test("A reply with counts is a change, and the replies to a promise are declined")
    func changes() throws {
        #expect(FastReply.isChange(try message(Methods.Set.Reply(counts: [5]))))
        #expect(FastReply.isChange(try message(Methods.Set.Reply(counts: [5, 17]))))
        #expect(!FastReply.isChange(try message(Methods.Set.Reply(counts: [5], ended: .kept))))
        #expect(
            !FastReply.isChange(
                try message(Methods.Set.Reply(counts: [5], wanted: .init(promise: "0", ticket: "t")))))
        #expect(FastReply.count(in: try message(Methods.Count.Reply(count: 12))) == 12)
    }

    @Test("A damaged reply is read as the decoder reads it, or declined")
    func damaged() throws {
        var generator = SeededGenerator(seed: 5)
        let whole = try message(get(.init(descriptor: 0, offset: 12, length: 345)))
        let replacements = Array("{}[]\",:0129\\ \0adflorst".utf8)
        var understood = 0
        for _ in 0..<20_000 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let position = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged.remove(at: position)
                case 1: damaged[position] = replacements.randomElement(using: &generator) ?? 0
                default: damaged.insert(replacements.randomElement(using: &generator) ?? 0, at: position)
                }
            }
            guard let range = FastReply.bytes(in: damaged) else { continue }
            understood += 1
            let reply = try WireJSON.decode(WireReply<Methods.Get.Reply>.self, from: damaged)
            #expect(reply.parameters.bytes == WireBytes(descriptor: 0, offset: range.lowerBound, length: range.count))
        }
        #expect(understood > 500)
    }
}

@Suite struct ReplyScannerTests {
    private func number(_ text: String) -> Int? {
        var scanner = ReplyScanner(Array(text.utf8))
        return scanner.number()
    }

    @Test("A number ends with its digits, and a number that is too long is declined")
    func numbers() {
        #expect(number("0,") == 0)
        #expect(number("45}") == 45)
        #expect(number("045") == nil)
        #expect(number("999999999999999999") == 999_999_999_999_999_999)
        #expect(number("1000000000000000000") == nil)
        #expect(number("-1") == nil)
        #expect(number("") == nil)
    }

    @Test(
        "A string with an escape, or without an end, is declined",
        arguments: ["\"a\\n\"", "\"a", "a\"", "\"\n\""])
    func strings(text: String) {
        var scanner = ReplyScanner(Array(text.utf8))
        let isSkipped = scanner.skipString()
        #expect(!isSkipped)
    }

    @Test(
        "After the last brace comes the NUL and nothing else", arguments: ["\0", "\0\0", "", " \0", ",\0"])
    func end(rest: String) {
        var scanner = ReplyScanner(Array("{\"a\":1}\(rest)".utf8))
        let isRead = scanner.object { name, scanner in name.elementsEqual("a".utf8) && scanner.number() == 1 }
        #expect((isRead && scanner.isAtEnd) == (rest == "\0"))
    }

    @Test("Members are read in order, up to a member that is declined")
    func members() {
        var names: [String] = []
        var scanner = ReplyScanner(Array("{\"a\":1,\"b\":{\"c\":2},\"d\":3}\0".utf8))
        let isRead = scanner.object { name, scanner in
            names.append(String(decoding: name, as: UTF8.self))
            guard name.elementsEqual("b".utf8) else { return !name.elementsEqual("d".utf8) && scanner.number() != nil }
            return scanner.object { name, scanner in
                names.append(String(decoding: name, as: UTF8.self))
                return scanner.number() != nil
            }
        }
        #expect(!isRead)
        #expect(names == ["a", "b", "c", "d"])
    }
}
