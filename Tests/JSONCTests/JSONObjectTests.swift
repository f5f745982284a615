import JSONC
import TestRandom
import Testing

@Suite struct JSONObjectTests {
    private static let limit = 1 << 20

    private static func object(_ text: String) -> JSONObject { JSONObject(file: Array(text.utf8), limit: limit) }

    private static func faults(_ text: String) -> [String] {
        object(text).faults.map { "\($0.line): \($0.message)" }
    }

    /// Returns the keys of the members that can be used.
    private static func keys(_ text: String) -> [String] {
        object(text).members.filter { !$0.isDamaged }.map(\.key)
    }

    @Test("Members are found between comments and trailing commas, with their positions")
    func members() throws {
        let text = "// head\n{ 'a' /* x */ : [1, /* ] */ 2], // tail\n\n\"b\\u0063\"\n:\n{ \"c\": 'd', } , }"
        let object = Self.object(text)
        #expect(object.faults == [])
        #expect(object.members.map(\.key) == ["a", "bc"])
        #expect(object.members.map(\.line) == [2, 4] && object.members.map(\.valueLine) == [2, 6])
        func part(_ range: Range<Int>) -> String { String(decoding: object.bytes[range], as: UTF8.self) }
        #expect(object.members.map { part($0.keyRange) } == ["'a'", "\"b\\u0063\""])
        #expect(object.members.map { part($0.valueRange) } == ["[1, /* ] */ 2]", "{ \"c\": 'd', }"])
        #expect(try object.members.map { try #require($0.comma) }.allSatisfy { object.bytes[$0] == 0x2C })
        #expect(object.opening.map { object.bytes[$0] } == 0x7B && object.closing == object.bytes.count - 1)
    }

    @Test("A value is decoded as the requested type, or not at all")
    func values() throws {
        let object = Self.object(
            "{ 'number': 0x10, 'text': 'x', 'list': ['y', 'z'], 'flag': true, 'inner': { 'k': 1 } }")
        let (number, text, list) = (object.members[0], object.members[1], object.members[2])
        #expect(object.value(of: number, as: Int.self) == 16 && object.value(of: number, as: String.self) == nil)
        #expect(object.strings(of: text) == ["x"] && object.strings(of: list) == ["y", "z"])
        #expect(object.strings(of: number) == nil && object.object(in: number) == nil)
        #expect(object.value(of: object.members[3], as: Bool.self) == true)
        let inner = try #require(object.object(in: object.members[4]))
        #expect(inner.members.map(\.key) == ["k"] && inner.faults == [])
    }

    @Test(
        "An object without members has no faults",
        arguments: [
            ("", true), (" \n", true), ("// nothing yet", true), ("{}", false), ("{ }\r\n", false),
            ("/* nothing */ {} // yet", false), ("\u{FEFF}{}", false),
        ])
    func blank(text: String, isBlank: Bool) {
        let object = Self.object(text)
        #expect(object.faults == [] && object.members == [] && (object.opening == nil) == isBlank)
    }

    @Test(
        "A fault between members damages as little as possible",
        arguments: [
            ("{\"a\": {}\n\"b\": {}}", ["2: there is no comma before this"], ["a", "b"]),
            ("{\"a\": {},\n,\"b\": {}}", ["2: there is no member before this comma"], ["a", "b"]),
            ("{\"a\" {}, \"b\": {}}", ["1: there is no colon after \"a\""], ["b"]),
            ("{\"a\": , \"b\": {}}", ["1: \"a\" has no value"], ["b"]),
            ("{\"a\": }", ["1: \"a\" has no value"], []),
            ("{a: {}, \"b\": {}}", ["1: a key in double quotes is expected here, not 'a'"], ["b"]),
            ("{\"a\": {} {}, \"b\": {}}", ["1: \"a\" has more than one value"], ["b"]),
            ("{[{}], \"b\": {}}", ["1: a key in double quotes is expected here, not a bracket"], ["b"]),
            ("{\"a\": {}]\n, \"b\": {}}", ["1: \"a\" has more than one value"], ["b"]),
            ("{\n\"a\": {\n\"mime\": [\n}, \"b\": {}}", ["3: the '[' is not closed"], ["b"]),
            ("{\n\"a\": [\n}", ["2: the '[' is not closed"], []),
            ("{\n\"a\": \"x\n, \"b\": {}}", ["2: a string has no end on its line"], ["b"]),
            ("{\n\"a\": \"x,\n\"b\": {}}", ["2: a string has no end on its line"], ["b"]),
            ("{\"a\": {\"mime\": \"x},\n\"b\": {}}}", ["1: a string has no end on its line"], []),
            ("\n{\"a\": {},\n", ["2: the '{' is not closed"], ["a"]),
            ("{\"a\": {},\n\"b\": {\n", ["2: the '{' is not closed", "1: the '{' is not closed"], ["a"]),
            ("{\"a\": {}}\n}", ["2: there is text after the object's end"], ["a"]),
            ("{\"a\": {}\n/* }", ["1: the '{' is not closed", "2: the comment that begins here has no end"], ["a"]),
            ("\n[]", ["2: an object in braces is expected here"], []),
        ])
    func structure(text: String, faults: [String], keys: [String]) {
        #expect(Self.faults(text) == faults && Self.keys(text) == keys)
    }

    @Test("The positions of members stay certain after a missing or surplus comma, but not after any other fault")
    func certainty() {
        #expect(Self.object("{\"a\": 1 \"b\": 2,,}").faults.map(\.isStructural) == [false, false])
        #expect(Self.object("{\"a\": 1, \"b\" 2}").faults.map(\.isStructural) == [true])
        // A structural fault is reported even if the limit is reached before it.
        let object = Self.object("{" + String(repeating: ",", count: 200) + "\"a\"")
        #expect(object.faults.count == JSONObject.maxFaults + 1 && object.faults.last?.isStructural == true)
    }

    @Test("Lines are counted within comments and strings of several lines")
    func lines() {
        let text = "// one\n/* two\n three */ { 'a': 'x\\\ny' 1,\r\n\r\n\"b\" {} }"
        #expect(Self.faults(text).map { $0.prefix(2) } == ["3:", "6:"] && Self.keys(text) == [])
    }

    @Test("An object that is too large, too long or too deep is reported and read no further")
    func limits() {
        let filling = String(repeating: " ", count: Self.limit)
        #expect(Self.faults("{}" + filling) == ["1: the file has more than 1048576 bytes"])
        #expect(Self.faults("{}" + filling.dropLast(2)) == [])
        let many = "{\n" + (0...4096).map { "\"a\($0)\": {},\n" }.joined() + "}"
        #expect(Self.keys(many).count == JSONObject.maxMembers)
        #expect(Self.faults(many) == ["4098: there are more than 4096 members; those from here on are ignored"])
        let deep = "{\"a\": {},\n\"b\": " + String(repeating: "[", count: 500_000)
        #expect(Self.faults(deep).first == "2: brackets are more than 64 deep" && Self.keys(deep) == ["a"])
        #expect(Self.faults("{" + String(repeating: ",", count: 500_000) + "}").count == JSONObject.maxFaults)
    }

    @Test("Bytes that are not UTF-8 damage only the value that contains them, and are harmless in a comment")
    func encoding() {
        let start = Array("{// ".utf8) + [0xE9] + Array("\n'a': '".utf8)
        let bytes = start + [0xE9] + Array("', 'b': '\0', 'c': 'é' }".utf8)
        let object = JSONObject(file: bytes, limit: Self.limit)
        #expect(object.members.map { object.value(of: $0, as: String.self) } == [nil, nil, "é"] && object.faults == [])
    }

    @Test("Quotes, backslashes and control characters are escaped, and nothing else")
    func escapes() {
        #expect(JSONObject.quoted("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}é'") == #""\"\\/\b\f\n\r\t\u0001\u007fé'""#)
    }

    @Test("A quoted string is read as the same string", arguments: 0..<UInt64(50))
    func quoting(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["\"", "\\", "/", "\u{1}", "\n", "\t", "\u{7F}", "\u{2028}", "é", "🇨🇭", "x", "'", "{"]
        let text = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        let quoted = JSONObject.quoted(text)
        #expect(JSONObject.decode(String.self, Array(quoted.utf8)[...]) == text, "seed \(seed)")
        #expect(Self.object("{\(quoted):\(quoted)}").members.map(\.key) == [text], "seed \(seed)")
    }

    @Test("Random text never breaks the scanner, and a damaged member has a fault", arguments: 0..<UInt64(200))
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "'", "\\", "//", "/*", "*/", "\n", "\r", " ", "\"a\"", "true", "1e9",
            "\0", "é", "\"x\": {\"y\": \"z\"},",
        ]
        var bytes: [UInt8] = Bool.random(using: &generator) ? Array("{".utf8) : []
        for _ in 0..<Int.random(in: 0...120, using: &generator) {
            if Int.random(in: 0..<10, using: &generator) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            } else {
                bytes += (pieces.randomElement(using: &generator) ?? "").utf8
            }
        }
        let object = JSONObject(file: bytes, limit: Self.limit)
        #expect(!object.members.contains(where: \.isDamaged) || !object.faults.isEmpty, "seed \(seed)")
        var end = 0
        for member in object.members {
            #expect(end <= member.keyRange.lowerBound, "seed \(seed)")
            #expect(member.keyRange.upperBound <= member.valueRange.lowerBound, "seed \(seed)")
            end = member.valueRange.upperBound
        }
        #expect(end <= bytes.count, "seed \(seed)")
    }
}
