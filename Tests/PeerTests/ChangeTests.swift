import TestSupport
import Testing

extension Peers {
    /// Who hears of whose changes.
    @Suite("Changes")
    struct ChangeTests {
        @Test("A copy by a toolkit is one change, and the program is the owner", arguments: Toolkit.allCases)
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

        /// Tk has no such event.
        @Test("A toolkit that watches is told of each set and of a clear", arguments: [Toolkit.gtk3, .qt5])
        func watched(toolkit: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "before")
                _ = try await sandbox.running([toolkit.program, "watch"]) { program in
                    #expect(try await program.line() == "watching")
                    // The same once more is a change as well.
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
