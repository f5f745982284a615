import Foundation
import TestRandom
import Testing
import UniformTypes

@testable import TypeDatabase

@Suite struct UserTypesTests {
    private static func faults(_ text: String) -> [String] {
        UserTypes.parse(Array(text.utf8)).faults.map(\.description)
    }

    private static func identifiers(_ text: String) -> [String] {
        UserTypes.parse(Array(text.utf8)).declarations.map(\.identifier)
    }

    @Test("Declarations are read with comments, trailing commas, and a string for an array of one")
    func example() throws {
        let text = """
            {
              // a note of ours, "not": {a key}
              "com.example.note": { "conforms-to": ["public.text", 'com.example.other',], /* , } */ "mime": "text/x-note",
                "extensions": ["note", "nt"], "targets": ["_NOTE // \\" }"], "description": "A \\u006eote\\t" },
              "com.example.empty": {},
            }

            """
        let parsed = UserTypes.parse(Array(text.utf8))
        #expect(parsed.faults == [])
        #expect(
            parsed.declarations == [
                TypeDeclaration(
                    identifier: "com.example.note", conformsTo: ["public.text", "com.example.other"],
                    mimeTypes: ["text/x-note"], filenameExtensions: ["note", "nt"], targets: ["_NOTE // \" }"],
                    description: "A note\t"),
                TypeDeclaration(identifier: "com.example.empty"),
            ])
    }

    @Test(
        "A file without entries has no faults",
        arguments: ["", " \n", "{}", "{ }\r\n", "// nothing yet", "/* nothing */ {} // yet", "\u{FEFF}{}"])
    func blank(text: String) {
        #expect(Self.faults(text) == [] && Self.identifiers(text) == [])
    }

    @Test(
        "A faulty entry is named with its line, and the others count",
        arguments: [
            ("\"a.b\": {\"conforms-to\": \"A.b\"}", 2, "'A.b' cannot conform to itself"),
            ("\"a.b\": {\n \"icon\": 1}", 3, "\"icon\" is no key of a declaration"),
            ("\"a.b\": {\n\n\"mime\": [1]}", 4, "\"mime\" is to be a string or an array of strings"),
            ("\"a.b\": {\"mime\": null}", 2, "\"mime\" is to be a string or an array of strings"),
            ("\"a.b\": {\"description\": [\"x\"]}", 2, "\"description\" is to be a string"),
            ("\"a.b\": {\"mime\": [], \n\"mime\": []}", 3, "\"mime\" is given twice"),
            ("\"a.b\": []", 2, "an object in braces is to be here"),
            ("\"a.b\": \"public.text\"", 2, "an object in braces is to be here"),
            ("\"a.b\": {\"mime\" [1]}", 2, "there is no colon behind \"mime\""),
            ("\"a.b\": {\"mime\": \"a/b\"\n\"targets\": []}", 3, "there is no comma before this"),
            ("\"a.b\": {\"mime\": \"a/b\" \"c/d\"}", 2, "there is no comma before this"),
            ("\"a.b\": {\"mime\": \"\\x\"}", 2, "\"mime\" is to be a string or an array of strings"),
            ("\"a.b\": {\"targets\": [\"TARGETS\"]}", 2, "'TARGETS' is a part of the X11 selection protocol"),
        ])
    func faultyEntry(entry: String, line: Int, message: String) {
        let text = "{ \"first.one\": {},\n\(entry),\n\"last.one\": {} }"
        let faults = Self.faults(text)
        #expect(faults.first?.hasPrefix("types.json:\(line): \"a.b\": \(message)") == true, "\(faults)")
        #expect(Self.identifiers(text) == ["first.one", "last.one"])
    }

    @Test(
        "What is wrong between entries costs no more than it must",
        arguments: [
            ("{\"a.a\": {}\n\"b.b\": {}}", ["2: there is no comma before this"], ["a.a", "b.b"]),
            ("{\"a.a\": {},\n,\"b.b\": {}}", ["2: nothing stands before this comma"], ["a.a", "b.b"]),
            ("{\"a.a\" {}, \"b.b\": {}}", ["1: there is no colon behind \"a.a\""], ["b.b"]),
            ("{\"a.a\": , \"b.b\": {}}", ["1: \"a.a\" has no value"], ["b.b"]),
            ("{\"a.a\": }", ["1: \"a.a\" has no value"], []),
            ("{a.a: {}, \"b.b\": {}}", ["1: a key in double quotes is to be here, not 'a.a'"], ["b.b"]),
            ("{\"a.a\": {} {}, \"b.b\": {}}", ["1: \"a.a\" has more than one value"], ["b.b"]),
            ("{[{}], \"b.b\": {}}", ["1: a key in double quotes is to be here, not a bracket"], ["b.b"]),
            ("{\"a.a\": {}]\n, \"b.b\": {}}", ["1: \"a.a\" has more than one value"], ["b.b"]),
            ("{\n\"a.a\": {\n\"mime\": [\n}, \"b.b\": {}}", ["3: the '[' is not closed"], ["b.b"]),
            ("{\n\"a.a\": [\n}", ["2: the '[' is not closed"], []),
            ("{\n\"a.a\": \"x\n, \"b.b\": {}}", ["2: a string has no end on its line"], ["b.b"]),
            ("{\n\"a.a\": \"x,\n\"b.b\": {}}", ["2: a string has no end on its line"], ["b.b"]),
            ("{\"a.a\": {\"mime\": \"x},\n\"b.b\": {}}}", ["1: a string has no end on its line"], []),
            ("\n{\"a.a\": {},\n", ["2: the '{' is not closed"], ["a.a"]),
            ("{\"a.a\": {},\n\"b.b\": {\n", ["1: the '{' is not closed", "2: the '{' is not closed"], ["a.a"]),
            ("{\"a.a\": {}}\n}", ["2: there is something behind the object's end"], ["a.a"]),
            (
                "{\"a.a\": {}\n/* }", ["1: the '{' is not closed", "2: the comment that begins here has no end"],
                ["a.a"]
            ),
            ("\n[]", ["2: there is to be an object in braces here"], []),
            ("{\"a.a\": {},\n\"A.A\": {\"mime\": \"a/b\"}}", ["2: \"A.A\": is declared already"], ["a.a"]),
            ("{\"a.a\": {\"x\": 1},\n\"a.a\": {}}", ["1: \"a.a\": \"x\" is no key", "2: \"a.a\": is declared"], []),
            ("{\"text/plain\": {}}", ["1: \"text/plain\": 'text/plain' is no type identifier"], []),
        ])
    func structure(text: String, faults: [String], identifiers: [String]) {
        let found = Self.faults(text)
        #expect(found.count == faults.count, "\(found)")
        for (fault, start) in zip(found, faults) { #expect(fault.hasPrefix("types.json:\(start)"), "\(fault)") }
        #expect(Self.identifiers(text) == identifiers)
    }

    @Test("Lines are counted through comments and strings of several lines")
    func lines() {
        let text = "// one\n/* two\n three */ { 'a.a': {'description': 'x\\\ny'},\r\n\r\n\"b\": {} }"
        #expect(Self.faults(text).map { $0.prefix(13) } == ["types.json:3:", "types.json:6:"])
        #expect(Self.identifiers(text) == [])
    }

    @Test("What is too large, too many or too deep is told and counts no further")
    func limits() {
        let filling = String(repeating: " ", count: UserTypes.fileLimit)
        #expect(Self.faults("{}" + filling) == ["types.json:1: the file has more than 1048576 bytes"])
        #expect(Self.faults("{}" + filling.dropLast(2)) == [])
        let many = "{\n" + (0...4096).map { "\"a.b\($0)\": {},\n" }.joined() + "}"
        let parsed = UserTypes.parse(Array(many.utf8))
        #expect(parsed.declarations.count == 4096)
        #expect(parsed.faults.first?.description.hasPrefix("types.json:4098: there are more than 4096") == true)
        let deep = "{\"a.a\": {},\n\"b.b\": " + String(repeating: "[", count: 500_000)
        #expect(Self.faults(deep).first == "types.json:2: brackets are more than 64 deep")
        #expect(Self.identifiers(deep) == ["a.a"])
        #expect(Self.faults("{" + String(repeating: ",", count: 500_000)).count == 100)
        #expect(Self.faults("{" + (0..<500).map { "\"a.b\($0)\": 5," }.joined() + "}").count == 100)
    }

    @Test("Bytes that are not UTF-8 cost the entry they are in, and nothing in a comment")
    func encoding() {
        let text =
            Array("{// ".utf8) + [0xE9] + Array("\n\"a.a\": {\"description\": \"".utf8) + [0xE9] + Array("\"},".utf8)
        let rest = Array("\"b.b\": {\"description\": \"\0\"}, \"c.c\": {\"description\": \"é\"} }".utf8)
        let parsed = UserTypes.parse(text + rest)
        #expect(parsed.declarations.map(\.identifier) == ["c.c"])
        #expect(parsed.faults.map(\.line) == [2, 2])
    }

    @Test("Random text never breaks it, and a fault is told where an entry is lost", arguments: 0..<UInt64(200))
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "'", "\\", "//", "/*", "*/", "\n", "\r", " ", "\"a.b\"", "\"mime\"",
            "\"conforms-to\"", "true", "1e9", "\0", "é", "\"com.example.x\": {\"mime\": \"a/x\"},",
        ]
        var bytes: [UInt8] = Bool.random(using: &generator) ? Array("{".utf8) : []
        for _ in 0..<Int.random(in: 0...120, using: &generator) {
            if Int.random(in: 0..<10, using: &generator) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            } else {
                bytes += (pieces.randomElement(using: &generator) ?? "").utf8
            }
        }
        let text = TypesText(bytes)
        let lost = text.entries.contains { $0.declaration == nil }
        #expect(!lost || !text.faults.isEmpty, "seed \(seed)")
        for entry in text.entries {
            let (key, value) = (entry.member.keyRange, entry.member.valueRange)
            #expect(key.upperBound <= value.lowerBound && value.upperBound <= bytes.count, "seed \(seed)")
        }
    }

    @Test("Every declaration comes back from JSON that Foundation writes", arguments: 0..<UInt64(50))
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func names(_ suffix: String) -> [String] {
            (0..<Int.random(in: 0...3, using: &generator)).map { "x\($0)\(suffix)" }
        }
        let characters = ["{", "}", "\"", "'", "\\", "//", "/*", "\t", "é", "\u{7F}", "x", ",", ":"]
        let declarations = (0..<5).map { number in
            TypeDeclaration(
                identifier: "com.example.type-\(number)", conformsTo: names(".y"), mimeTypes: names("/z"),
                filenameExtensions: names(""), targets: names(" {\"]//"),
                description: (0..<6).map { _ in characters.randomElement(using: &generator) ?? "" }.joined())
        }
        let object = declarations.reduce(into: [String: [String: Any]]()) { object, declaration in
            object[declaration.identifier] = [
                "conforms-to": declaration.conformsTo, "mime": declaration.mimeTypes,
                "extensions": declaration.filenameExtensions, "targets": declaration.targets,
                "description": declaration.description ?? "",
            ]
        }
        let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        let parsed = UserTypes.parse(Array(data))
        #expect(parsed.declarations == declarations && parsed.faults == [], "seed \(seed)")
    }
}
