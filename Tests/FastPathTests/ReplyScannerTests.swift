import Testing

@testable import FastPath

@Suite struct ReplyScannerTests {
    private func number(_ text: String) -> Int? {
        var scanner = ReplyScanner(Array(text.utf8))
        return scanner.number()
    }

    @Test("A number ends where its digits do, and one that is too long for certain is none")
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
        "A string with an escape, or without its end, is left to others",
        arguments: ["\"a\\n\"", "\"a", "a\"", "\"\n\""])
    func strings(text: String) {
        var scanner = ReplyScanner(Array(text.utf8))
        let isSkipped = scanner.skipString()
        #expect(!isSkipped)
    }

    @Test(
        "The end is behind the last brace, with the NUL and nothing else", arguments: ["\0", "\0\0", "", " \0", ",\0"])
    func end(rest: String) {
        var scanner = ReplyScanner(Array("{\"a\":1}\(rest)".utf8))
        let isRead = scanner.object { name, scanner in name.isText("a") && scanner.number() == 1 }
        #expect((isRead && scanner.isAtEnd) == (rest == "\0"))
    }

    @Test("Members are read in their order, and one that is declined ends it")
    func members() {
        var names: [String] = []
        var scanner = ReplyScanner(Array("{\"a\":1,\"b\":{\"c\":2},\"d\":3}\0".utf8))
        let isRead = scanner.object { name, scanner in
            names.append(String(decoding: name, as: UTF8.self))
            guard name.isText("b") else { return !name.isText("d") && scanner.number() != nil }
            return scanner.object { name, scanner in
                names.append(String(decoding: name, as: UTF8.self))
                return scanner.number() != nil
            }
        }
        #expect(!isRead)
        #expect(names == ["a", "b", "c", "d"])
    }
}
