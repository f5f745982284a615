import Foundation
import JSONC
import TestRandom
import Testing
import TypeDatabase
import UniformTypes
import UserFiles

@Suite struct UserTypesTests {
    private static func faults(_ text: String) -> [String] {
        UserTypes.parse(Array(text.utf8)).faults.map(\.description)
    }

    private static func identifiers(_ text: String) -> [String] {
        UserTypes.parse(Array(text.utf8)).declarations.map(\.identifier)
    }

    @Test("Declarations are read with comments, trailing commas, and strings instead of one-element arrays")
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
        "A faulty entry is reported with its line, and the other entries are used",
        arguments: [
            ("\"a.b\": {\"conforms-to\": \"A.b\"}", 2, "'A.b' cannot conform to itself"),
            ("\"a.b\": {\n \"icon\": 1}", 3, "\"icon\" is not a key of a declaration"),
            ("\"a.b\": {\n\n\"mime\": [1]}", 4, "\"mime\" must be a string or an array of strings"),
            ("\"a.b\": {\"mime\": null}", 2, "\"mime\" must be a string or an array of strings"),
            ("\"a.b\": {\"description\": [\"x\"]}", 2, "\"description\" must be a string"),
            ("\"a.b\": {\"mime\": [], \n\"mime\": []}", 3, "\"mime\" is given twice"),
            ("\"a.b\": []", 2, "an object in braces is expected here"),
            ("\"a.b\": \"public.text\"", 2, "an object in braces is expected here"),
            ("\"a.b\": {\"mime\" [1]}", 2, "there is no colon after \"mime\""),
            ("\"a.b\": {\"mime\": \"a/b\"\n\"targets\": []}", 3, "there is no comma before this"),
            ("\"a.b\": {\"mime\": \"a/b\" \"c/d\"}", 2, "there is no comma before this"),
            ("\"a.b\": {\"mime\": \"\\x\"}", 2, "\"mime\" must be a string or an array of strings"),
            ("\"a.b\": {\"targets\": [\"TARGETS\"]}", 2, "'TARGETS' is a part of the X11 selection protocol"),
        ])
    func faultyEntry(entry: String, line: Int, message: String) {
        let text = "{ \"first.one\": {},\n\(entry),\n\"last.one\": {} }"
        let faults = Self.faults(text)
        #expect(faults.first?.hasPrefix("types.json:\(line): \"a.b\": \(message)") == true, "\(faults)")
        #expect(Self.identifiers(text) == ["first.one", "last.one"])
    }

    @Test(
        "The first of several declarations of a type is used, and a key must be a type identifier",
        arguments: [
            ("{\"a.a\": {},\n\"A.A\": {\"mime\": \"a/b\"}}", ["2: \"A.A\": is declared already"], ["a.a"]),
            ("{\"a.a\": {\"x\": 1},\n\"a.a\": {}}", ["1: \"a.a\": \"x\" is not a key", "2: \"a.a\": is declared"], []),
            ("{\"text/plain\": {}}", ["1: \"text/plain\": 'text/plain' is not a type identifier"], []),
            ("{\"a.a\": {},\n\"b.b\": {\n", ["1: the '{' is not closed", "2: the '{' is not closed"], ["a.a"]),
        ])
    func keys(text: String, faults: [String], identifiers: [String]) {
        let found = Self.faults(text)
        #expect(found.count == faults.count, "\(found)")
        for (fault, start) in zip(found, faults) { #expect(fault.hasPrefix("types.json:\(start)"), "\(fault)") }
        #expect(Self.identifiers(text) == identifiers)
    }

    @Test("A file that is too large is ignored, and at most 100 faults are reported")
    func limits() {
        let filling = String(repeating: " ", count: UserTypes.maxFileSize)
        #expect(Self.faults("{}" + filling) == ["types.json:1: the file has more than 1048576 bytes"])
        #expect(Self.faults("{}" + filling.dropLast(2)) == [])
        #expect(Self.faults("{" + (0..<500).map { "\"a.b\($0)\": 5," }.joined() + "}").count == 100)
    }

    @Test("Bytes that are not UTF-8 damage only the entry that contains them, and are harmless in a comment")
    func encoding() {
        let text =
            Array("{// ".utf8) + [0xE9] + Array("\n\"a.a\": {\"description\": \"".utf8) + [0xE9] + Array("\"},".utf8)
        let rest = Array("\"b.b\": {\"description\": \"\0\"}, \"c.c\": {\"description\": \"é\"} }".utf8)
        let parsed = UserTypes.parse(text + rest)
        #expect(parsed.declarations.map(\.identifier) == ["c.c"])
        #expect(parsed.faults.map(\.line) == [2, 2])
    }

    @Test("Random text never breaks the parser, and a lost entry has a fault", arguments: 0..<UInt64(200))
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
        let (declarations, faults) = UserTypes.parse(bytes)
        let entries = JSONObject(file: bytes, limit: UserTypes.maxFileSize).members
        #expect(declarations.count == entries.count || !faults.isEmpty, "seed \(seed)")
    }

    @Test("Every declaration is read from JSON that Foundation writes", arguments: 0..<UInt64(50))
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
