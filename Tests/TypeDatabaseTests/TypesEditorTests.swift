import TestRandom
import Testing
import TypeDatabase
import UniformTypes
import UserFiles

@Suite struct TypesEditorTests {
    private static let note = TypeDeclaration(
        identifier: "com.example.note", conformsTo: ["public.text"], mimeTypes: ["text/x-note"])
    private static let entry =
        "\"com.example.note\": { \"conforms-to\": [\"public.text\"], \"mime\": [\"text/x-note\"] }"

    private func adding(_ text: String, _ declaration: TypeDeclaration = note) throws -> String {
        String(decoding: try TypesEditor(Array(text.utf8)).setting(declaration), as: UTF8.self)
    }

    private func removing(_ text: String, _ identifier: String = "a.b") throws -> String? {
        try TypesEditor(Array(text.utf8)).removing(identifier).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "An entry is added at the end, and all other text is unchanged",
        arguments: [
            ("", "{\n  ENTRY\n}\n"), ("\n", "\n{\n  ENTRY\n}\n"), ("// mine", "// mine\n{\n  ENTRY\n}\n"),
            ("{}", "{\n  ENTRY\n}"), ("{ }\n", "{\n  ENTRY\n}\n"), ("{\n}\n", "{\n  ENTRY\n}\n"),
            ("\u{FEFF}{}", "\u{FEFF}{\n  ENTRY\n}"),
            ("{ /* none */ } // end", "{ /* none */\n  ENTRY\n} // end"),
            ("{\n  // none\n}\n", "{\n  // none\n  ENTRY\n}\n"),
            ("{ \"a.b\": {} }", "{ \"a.b\": {},\n  ENTRY\n}"),
            ("{\n    \"a.b\": {}\n}\n", "{\n    \"a.b\": {},\n    ENTRY\n}\n"),
            ("{\n\t\"a.b\": {}, // c, }\n\t}\n", "{\n\t\"a.b\": {}, // c, }\n\tENTRY,\n\t}\n"),
            ("{\n  \"a.b\": {} // c\n  /* d */\n}", "{\n  \"a.b\": {}, // c\n  /* d */\n  ENTRY\n}"),
            ("{\n  \"a.b\": {} /* , */ ,\n}", "{\n  \"a.b\": {} /* , */ ,\n  ENTRY,\n}"),
            ("{\r\n  \"a.b\": {}\r\n}\r\n", "{\r\n  \"a.b\": {},\r\n  ENTRY\r\n}\r\n"),
            ("{\n  \"a.b\": {}}", "{\n  \"a.b\": {},\n  ENTRY\n}"),
            ("{\n  \"text/plain\": 5\n}", "{\n  \"text/plain\": 5,\n  ENTRY\n}"),
        ])
    func add(text: String, result: String) throws {
        let changed = try adding(text)
        #expect(changed == result.replacing("ENTRY", with: Self.entry))
        #expect(UserTypes.parse(Array(changed.utf8)).declarations.last == Self.note)
    }

    @Test("An existing entry is replaced in its place, regardless of case")
    func replace() throws {
        let text = """
            {
              "first.one": {}, // one
              /* two */ "COM.example.Note" : /* three */ { "mime": [ "x/y" ] // inside
              } /* four */ ,
              "last.one": {}
            }
            """
        let result = """
            {
              "first.one": {}, // one
              /* two */ "COM.example.Note" : /* three */ \(Self.entry.dropFirst(20)) /* four */ ,
              "last.one": {}
            }
            """
        #expect(try adding(text) == result)
    }

    @Test("A long entry has a line for each part")
    func long() throws {
        let targets = (0..<12).map { "_EXAMPLE_\($0)" }
        let declaration = TypeDeclaration(
            identifier: "a.b", conformsTo: ["public.data"], targets: targets, description: "\"\\\u{1}\u{7F}é")
        let text = try adding("{\n   \"c.d\": {}\n}\n", declaration)
        #expect(
            text == """
                {
                   "c.d": {},
                   "a.b": {
                      "conforms-to": ["public.data"],
                      "targets": [\(targets.map { "\"\($0)\"" }.joined(separator: ", "))],
                      "description": "\\"\\\\\\u0001\\u007fé"
                   }
                }

                """)
        #expect(UserTypes.parse(Array(text.utf8)).declarations.last == declaration)
    }

    @Test(
        "An entry is removed with its comma, and with its line if the line contains nothing else",
        arguments: [
            ("{ \"a.b\": {} }", "{  }"), ("{\n  \"a.b\": {}\n}\n", "{\n}\n"),
            ("{\n  // why\n  \"a.b\": {},\n  \"c.d\": {}\n}\n", "{\n  // why\n  \"c.d\": {}\n}\n"),
            ("{\n  \"c.d\": {}, // c\n  \"A.B\": {\n  }\n}\n", "{\n  \"c.d\": {} // c\n}\n"),
            ("{\n  \"c.d\": {},\n  \"a.b\": {},\n}\n", "{\n  \"c.d\": {},\n}\n"),
            ("{\n  \"a.b\": {} /* 1 */ , // 2\n}\n", "{\n   /* 1 */  // 2\n}\n"),
            ("{\r\n  \"a.b\": {},\r\n  \"c.d\": {}\r\n}", "{\r\n  \"c.d\": {}\r\n}"),
            ("{\"a.b\":{},\"c.d\":{},\"a.b\":{}}", "{\"c.d\":{}}"),
            ("{\n  \"c.d\": {}\n  , \"a.b\": {}\n}", "{\n  \"c.d\": {}\n   \n}"),
            ("{ \"a.b\": { \"icon\": 5 } }", "{  }"),
        ])
    func remove(text: String, result: String) throws {
        #expect(try removing(text) == result)
    }

    @Test("Removing a missing entry changes nothing", arguments: ["", "{}", "{ \"a.c\": {} }", "// \"a.b\": {}"])
    func absent(text: String) throws {
        #expect(try removing(text) == nil)
    }

    @Test(
        "Text is not edited if the positions of its entries are uncertain",
        arguments: [
            ("{ \"c.d\": {", 1), ("{\n \"c.d\": { \"mime\": \"x }\n}", 2), ("{}\n}", 2), ("[]", 1), ("{}\n/*", 2),
            ("{\n\n\"c.d\": {\"mime\": [\"x\"}}", 3), ("{\n c.d: {} }", 2),
        ])
    func refusal(text: String, line: Int) {
        for edit in [{ try adding(text) }, { try removing(text) ?? "" }] {
            #expect(performing: { try edit() }, throws: { ($0 as? FileFault)?.line == line })
        }
    }

    @Test("An entry with a fault is not replaced, but other entries can be edited")
    func faultyEntry() throws {
        let text = "{\n\"com.example.note\": {\n\"icon\": 5 },\n\"c.d\": { \"x\": 1 }\n}"
        #expect(performing: { try adding(text) }, throws: { ($0 as? FileFault)?.line == 3 })
        let other = TypeDeclaration(identifier: "e.f")
        #expect(try adding(text, other) == text.dropLast(2) + ",\n\"e.f\": {}\n}")
    }

    @Test("An edit cannot exceed the limits on the file")
    func limits() throws {
        let many = "{" + (0..<4096).map { "\"a.b\($0)\": {}," }.joined() + "}"
        #expect(throws: FileFault.self) { try adding(many) }
        #expect(try removing(many, "a.b7")?.contains("a.b7\"") == false)
        let large = "{}" + String(repeating: " ", count: UserTypes.maxFileSize - 10)
        #expect(throws: FileFault.self) { try adding(large) }
    }

    @Test("All text around the entries survives every edit", arguments: 0..<UInt64(150))
    func survival(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func blank() -> String {
            let blanks = ["", " ", "\n", "\n  ", " // c } , \"\n", "/* { \" */", "\t", "\r\n"]
            return blanks.randomElement(using: &generator) ?? ""
        }
        let count = Int.random(in: 0...4, using: &generator)
        var text = blank() + "{"
        for number in 0..<count {
            text +=
                blank() + "\"a.t\(number)\"" + blank() + ":" + blank() + "{\(blank())\"mime\":\(blank())['a/b']}"
                + blank()
            if number < count - 1 || Bool.random(using: &generator) { text += "," }
        }
        text += blank() + "}" + blank()
        let before = UserTypes.parse(Array(text.utf8))
        try #require(before.declarations.count == count && before.faults == [], "seed \(seed): \(text)")

        let added = try adding(text)
        let after = UserTypes.parse(Array(added.utf8))
        #expect(after.declarations == before.declarations + [Self.note] && after.faults == [], "seed \(seed): \(added)")
        #expect(Self.isSubsequence(text.filter { !$0.isWhitespace }, of: added), "seed \(seed): \(added)")

        let victim = "a.t\(Int.random(in: 0..<5, using: &generator))"
        let rest = before.declarations.filter { $0.identifier != victim }
        let removed = try removing(text, victim) ?? text
        let left = UserTypes.parse(Array(removed.utf8))
        #expect(left.declarations == rest && left.faults == [], "seed \(seed): \(removed)")

        let back = try #require(try removing(added, Self.note.identifier))
        #expect(UserTypes.parse(Array(back.utf8)).declarations == before.declarations, "seed \(seed): \(back)")
    }

    private static func isSubsequence(_ part: String, of whole: String) -> Bool {
        var rest = part.utf8[...]
        for byte in whole.utf8 where byte == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }
}
