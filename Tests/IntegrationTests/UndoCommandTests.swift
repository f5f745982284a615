import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// The commands `undo` and `redo`.
    @Suite("Undo", .requiresXvfb)
    struct UndoCommandTests {
        @Test("undo restores the contents that a copy replaced, even for X11 programs, and redo restores the copy")
        func backAndForth() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                try await sandbox.require(
                    "set", "-t", "text/html", "--text", "<b>two</b>", "-t", "text", "--text", "two")
                let count = try await sandbox.count()
                let undone = try await sandbox.require("undo")
                #expect(undone.output.isEmpty && undone.error.isEmpty, "\(undone)")
                #expect(try await sandbox.count() == count + 1)
                #expect(try await sandbox.require("get").text == "one")
                #expect(try await sandbox.xclipPastes().text == "one")
                #expect(try await sandbox.require("types").lines == ["public.utf8-plain-text"])
                try await sandbox.require("redo")
                #expect(try await sandbox.count() == count + 2)
                #expect(try await sandbox.xclipPastes("text/html").text == "<b>two</b>")
            }
        }

        @Test("-v prints the undone change, and --json the number of steps")
        func reports() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two", "three"] { try await sandbox.require("set", text) }
                let count = try await sandbox.count()
                let undone = try await sandbox.require("undo", "-v")
                #expect(undone.output.isEmpty && undone.error.hasPrefix("xpb: undid "), "\(undone)")
                let redone = try await sandbox.require("redo", "--json")
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(redone.output)) as? [String: Any], "\(redone)")
                #expect(object["v"] as? Int == 1 && object["steps"] as? Int == 1)
                #expect(object["count"] as? Int == count + 2 && object["pasteboard"] as? String == "general")
            }
        }

        @Test("Several steps are one change; if there are fewer steps, nothing is changed, and the status is 1")
        func steps() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two", "three"] { try await sandbox.require("set", text) }
                let count = try await sandbox.count()
                try await sandbox.require("undo", "2")
                #expect(try await sandbox.require("get").text == "one")
                #expect(try await sandbox.count() == count + 1)
                let redone = try await sandbox.xpb("redo", "9")
                #expect(redone.status == 1 && redone.error.contains("only 2 changes can be redone"), "\(redone)")
                #expect(try await sandbox.count() == count + 1)
                try await sandbox.require("redo", "2")
                #expect(try await sandbox.require("get").text == "three")
            }
        }

        @Test("Without a change to undo or redo, the status is 1 with a message, and a new copy empties redo")
        func nothing() async throws {
            try await Sandbox.with { sandbox in
                for command in ["undo", "redo"] {
                    let outcome = try await sandbox.xpb(command)
                    #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.error.isEmpty, "\(outcome)")
                }
                for text in ["one", "two"] { try await sandbox.require("set", text) }
                try await sandbox.require("undo")
                try await sandbox.require("set", "three")
                #expect(try await sandbox.xpb("redo").status == 1)
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "one")
            }
        }

        @Test("undo with --if-count is refused with status 6 if the count differs")
        func ifCount() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two"] { try await sandbox.require("set", text) }
                let count = try await sandbox.count()
                #expect(try await sandbox.xpb("undo", "--if-count", "\(count - 1)").status == 6)
                #expect(try await sandbox.require("get").text == "two")
                try await sandbox.require("undo", "--if-count", "\(count)")
                #expect(try await sandbox.require("get").text == "one")
            }
        }

        @Test("Each system pasteboard has its own undo")
        func pasteboards() async throws {
            try await Sandbox.with { sandbox in
                for text in ["one", "two"] {
                    try await sandbox.require("set", "-p", "find", text)
                    try await sandbox.require("set", text)
                }
                try await sandbox.require("undo", "-p", "find")
                #expect(try await sandbox.require("get", "-p", "find").text == "one")
                #expect(try await sandbox.require("get").text == "two")
            }
        }

        @Test("Pasteboards of apps have no history, and have undo only if they are persistent")
        func ownPasteboards() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("create", "--persistent", "com.example.kept")
                for name in ["com.example.kept", "com.example.plain"] {
                    for text in ["one", "two"] { try await sandbox.require("set", "-p", name, text) }
                    #expect(try await sandbox.xpb("history", "-p", name).status == 1)
                }
                for line in [["undo"], ["undo", "--list"]] {
                    let refused = try await sandbox.run(["xpb"] + line + ["-p", "com.example.plain"])
                    #expect(refused.status == 1 && refused.error.contains("--persistent"), "\(refused)")
                }
                try await sandbox.require("undo", "-p", "com.example.kept")
                #expect(try await sandbox.require("get", "-p", "com.example.kept").text == "one")
            }
        }

        @Test("undo skips expiring and paste-once contents")
        func expiring() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "one")
                try await sandbox.require("set", "--expires", "1h", "two")
                try await sandbox.require("set", "three")
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "one")
            }
        }
    }
}
