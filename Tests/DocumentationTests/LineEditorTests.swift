import Pasteboard
import TestSupport
import Testing

extension Documentation {
    /// Examples/line-editor.
    @Suite("line-editor") struct LineEditorTests {
        @Test("Lines are added, cut, pasted and undone, and mistakes are explained")
        func session() async throws {
            try await withPasteboards { sandbox in
                let commands = [
                    "add one", "add two", "cut 1", "undo", "redo", "paste", "copy 7", "undo", "nonsense", "",
                ]
                let outcome = try await sandbox.run(
                    [sandbox.program("line-editor")], input: Array(commands.map { $0 + "\n" }.joined().utf8))
                #expect(outcome.status == 0)
                let help = "add TEXT, copy N, cut N, paste, undo, redo; an empty line ends the program"
                #expect(
                    outcome.lines == [
                        help, "1 one", "-- Undo Add, Redo", "1 one", "2 two", "-- Undo Add, Redo", "1 two",
                        "-- Undo Cut, Redo", "1 one", "2 two", "-- Undo Add, Redo Cut", "1 two", "-- Undo Cut, Redo",
                        "1 two", "2 one", "-- Undo Paste, Redo", "there is no line '7'; name one of 1 to 2", "1 two",
                        "2 one", "-- Undo Paste, Redo", "1 two", "-- Undo Cut, Redo Paste", help, "1 two",
                        "-- Undo Cut, Redo Paste",
                    ], "\(outcome)")
                #expect(try await sandbox.xclipPastes() == "one")
            }
        }

        @Test("A copy of another program is shown while the program waits for the keyboard")
        func otherCopy() async throws {
            try await withPasteboards { sandbox in
                _ = try await sandbox.running([sandbox.program("line-editor")]) { editor in
                    _ = try await editor.line()
                    // The observation may begin after the first copies.
                    let copying = Task {
                        while !Task.isCancelled { _ = try await sandbox.xpb("set", "--text", "x") }
                    }
                    let line = try await editor.line()
                    #expect(line == #"another program has copied ["public.utf8-plain-text"]"#)
                    copying.cancel()
                    _ = await copying.result
                    try await editor.finish()
                }
            }
        }
    }
}
