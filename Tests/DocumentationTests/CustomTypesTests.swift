import FoundationEssentials
import Pasteboard
import TestSupport
import Testing
import UniformTypes

extension Documentation {
    @Suite("A custom type") struct CustomTypesTests {
        struct Note: Codable, Sendable {
            var title: String
            var lines: [String]
        }

        private static let type = "com.example.note"
        private static let target = "application/x-example-note+json"

        @Test("A value is written in one call")
        func oneCall() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    let note = Note(title: "Milk", lines: [])
                    // snippet: value
                    try Pasteboard.general.encode(note, forType: "com.example.note")
                    // end
                }
                #expect(try await sandbox.require([sandbox.program("paste-note")]).text == "title: Milk")
            }
        }

        @Test("One program copies a note and another pastes it; all other programs get text")
        func twoPrograms() async throws {
            try await withPasteboards { sandbox in
                try await sandbox.require([sandbox.program("copy-note"), "Milk", "two litres", "“fresh”"])
                let pasted = try await sandbox.require([sandbox.program("paste-note")])
                #expect(pasted.lines == ["title: Milk", "line: two litres", "line: “fresh”"])
                #expect(try await sandbox.xclipPastes() == "Milk\ntwo litres\n“fresh”")
                #expect(try await Pasteboard.general.async.string == "Milk\ntwo litres\n“fresh”")
            }
        }

        @Test("An X11 program sees the note's target before the text's, and gets the note's JSON")
        func seenOnX11() async throws {
            try await withPasteboards { sandbox in
                try await sandbox.require([sandbox.program("copy-note"), "Milk", "two litres"])
                let targets = try await sandbox.xclipPastes("TARGETS").split(separator: "\n")
                let note = try #require(targets.firstIndex { $0 == Self.target })
                let text = try #require(targets.firstIndex(of: "UTF8_STRING"))
                #expect(note < text)
                let json = try await sandbox.xclipPastes(Self.target)
                let value = try JSONDecoder().decode(Note.self, from: Data(json.utf8))
                #expect(value.title == "Milk")
                #expect(value.lines == ["two litres"])
            }
        }

        @Test("A note offered by an X11 program can be pasted")
        func ownedOnX11() async throws {
            try await withPasteboards { sandbox in
                let count = try await Pasteboard.general.async.changeCount
                let script = try #require(try Tree.blocks("CustomTypes").first { $0.language == "shell" })
                // xclip's background process keeps standard error open, and the sandbox waits until standard error is
                // closed.
                try await sandbox.require(["/bin/sh", "-c", "exec 2>/dev/null\n\(script.text)"])
                for try await change in Pasteboard.general.changes(since: count) {
                    #expect(change.count == count + 1)
                    break
                }
                let pasted = try await sandbox.require([sandbox.program("paste-note")])
                #expect(pasted.lines == ["title: Milk", "line: two litres"])
                let type = try await Pasteboard.general.async.types.first
                #expect(type == Self.type)
            }
        }

        @Test("paste-note reports a missing note and an invalid note")
        func noNote() async throws {
            try await withPasteboards { sandbox in
                let paste = [sandbox.program("paste-note")]
                let empty = try await sandbox.run(paste)
                #expect(empty.status == 1)
                #expect(empty.text == "paste-note: there is no note on the pasteboard")
                try await Pasteboard.general.async.setData(Data("{}".utf8), forType: Self.type)
                let wrong = try await sandbox.run(paste)
                #expect(wrong.status == 1)
                #expect(wrong.text.contains("are not JSON of Note"))
            }
        }
    }
}
