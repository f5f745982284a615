import TestSupport
import Testing

extension Peers {
    /// Tests of the changes that programs report to each other.
    @Suite("Changes")
    struct ChangeTests {
        @Test("A copy by a toolkit is one change, and its program is the owner", arguments: Toolkit.allCases)
        func oneChange(toolkit: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Contents.text.utf8, to: "in")
                try sandbox.write(Contents.html.utf8, to: "html")
                let before = try #require(try await sandbox.require("count").number)
                try await sandbox.owning(toolkit, [("text", "in"), ("html", "html")]) { program in
                    #expect(try await sandbox.require("count").number == before + 1)
                    let owner = try await sandbox.require("owner")
                    #expect(owner.lines.contains("process: \(program.processID)"), "\(owner)")
                    let types = try await sandbox.require("types")
                    #expect(types.lines.contains("public.utf8-plain-text"), "\(types)")
                    #expect(types.lines.contains("public.html"), "\(types)")
                    try await sandbox.require("get", "-t", "text")
                    #expect(try await sandbox.require("count").number == before + 1)
                }
            }
        }

        /// Tk has no event for changes of the clipboard.
        @Test("A toolkit that watches the clipboard is notified of sets and clears", arguments: [Toolkit.gtk3, .qt5])
        func watched(toolkit: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "before")
                _ = try await sandbox.running([toolkit.program, "watch"]) { program in
                    #expect(try await program.line() == "watching")
                    // Setting the same contents again is a change, too.
                    for text in ["once", "once", "twice"] {
                        try await sandbox.require("set", text)
                        #expect(try await program.line() == "changed")
                    }
                    try await sandbox.require("clear")
                    #expect(try await program.line() == "changed")
                }
            }
        }
    }
}

extension Peers {
    /// Tests with several items, although X11 can represent only one item.
    @Suite("Several items")
    struct ItemTests {
        @Test(
            "A toolkit pastes the text of all items joined by newlines, and the only HTML", arguments: Toolkit.allCases)
        func joined(toolkit: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require(
                    "set", "--text", "one, naïve", "--next", "--text", "日本", "-t", "html", "--text", "<b>日本</b>")
                let expected = [("text", "one, naïve\n日本"), ("html", "<b>日本</b>")]
                for (form, contents) in expected {
                    let pasted = try await sandbox.pasting(toolkit, form, into: "out")
                    #expect(pasted.status == 0, "\(pasted)")
                    #expect(String(decoding: try sandbox.read("out"), as: UTF8.self) == contents)
                }
            }
        }
    }
}
