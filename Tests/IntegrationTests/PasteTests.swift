import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// `--paste`, on an X server without a window manager.
    ///
    /// The trial `paste` pastes into real programs.
    @Suite("Paste", .requiresXvfb)
    struct PasteTests {
        private static let xpb = "\(Binaries.folder)/xpb"

        /// Runs `body` with a window of Tests/Fixtures/keys.py, which has the focus.
        private static func withWindow(_ body: (Sandbox, _ window: Running) async throws -> Void) async throws {
            try await Sandbox.with(changes: ["TERM": "xterm-256color"]) { sandbox in
                try await sandbox.require("set", "first")
                try await sandbox.require("set", "second")
                _ = try await sandbox.running(["/usr/bin/python3", Binaries.fixture("keys.py")]) { window in
                    try await perform("focus", in: window)
                    try await body(sandbox, window)
                }
            }
        }

        private static func perform(_ command: String, in window: Running) async throws {
            try await window.send(command)
            let answer = try await window.line()
            #expect(command.hasPrefix(answer))
        }

        /// Expects that no further key has been reported by the window.
        private static func expectNoKey(in window: Running) async throws {
            try await perform("focus", in: window)
        }

        @Test("The keys to paste go to the window that has the focus, and nothing else does")
        func controlV() async throws {
            try await Self.withWindow { sandbox, window in
                try await sandbox.require("history", "restore", "1", "--paste")
                #expect(try await window.line() == "Control_L")
                #expect(try await window.line() == "Control+v")
                try await Self.expectNoKey(in: window)
                #expect(try await sandbox.xclipPastes().text == "first")
                try await sandbox.require("history", "restore", "--paste", input: Array("2\n".utf8))
                #expect(try await window.line() == "Control_L")
                #expect(try await window.line() == "Control+v")
            }
        }

        @Test("Terminals and editors get their own keys, and xterm the contents in PRIMARY")
        func classes() async throws {
            try await Self.withWindow { sandbox, window in
                let keys = [
                    ("kitty", ["Control_L", "Control+Shift_L", "Shift+Control+v"]),
                    ("Emacs", ["Shift_L", "Shift+Insert"]), ("XTerm", ["Shift_L", "Shift+Insert"]),
                ]
                for (name, expected) in keys {
                    try await Self.perform("class \(name)", in: window)
                    try await sandbox.require("history", "restore", "1", "--paste")
                    for key in expected { #expect(try await window.line() == key, "\(name)") }
                    let primary = try await sandbox.xclipPastes(from: "primary").text
                    #expect(primary == (name == "XTerm" ? "first" : ""), "\(name)")
                }
            }
        }

        @Test("A key that stays down is released, so that it does not change the keys to paste")
        func held() async throws {
            try await Self.withWindow { sandbox, window in
                try await Self.perform("hold Shift_L", in: window)
                #expect(try await window.line() == "Shift_L")
                try await sandbox.require("history", "restore", "1", "--paste")
                #expect(try await window.line() == "Control_L")
                #expect(try await window.line() == "Control+v")
            }
        }

        @Test("If another window has the focus after the choice, nothing is typed, and the message says what to do")
        func lostFocus() async throws {
            try await Self.withWindow { sandbox, window in
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let pick = terminal.command([Self.xpb, "pick", "--paste"], streams: #"<"$0" >"$0" 2>error"#)
                async let outcome = sandbox.run(pick)
                try await terminal.until { String(decoding: $0.output, as: UTF8.self).contains("first") }
                try await Self.perform("other", in: window)
                terminal.type("\r")
                let ended = try await outcome
                #expect(ended.status == 5)
                let error = String(decoding: try sandbox.read("error"), as: UTF8.self)
                #expect(error.contains("copied") && error.contains("press Ctrl+V"), "\(error)")
                try await Self.expectNoKey(in: window)
                #expect(try await sandbox.xclipPastes().text == "second")
            }
        }

        @Test("Without a window the entry is copied, and the message says what to do")
        func noWindow() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                try await sandbox.require("set", "second")
                let outcome = try await sandbox.xpb("history", "restore", "1", "--paste")
                #expect(outcome.status == 1 && outcome.error.contains("press Ctrl+V"), "\(outcome)")
                #expect(try await sandbox.xclipPastes().text == "first")
            }
        }

        @Test(
            "--paste excludes -p and --print",
            arguments: [["history", "restore", "1", "--paste", "-p", "find"], ["pick", "--paste", "--print"]])
        func usage(line: [String]) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let outcome = try await sandbox.run([Self.xpb] + line)
                #expect(outcome.status == 2 && outcome.error.contains("exclude each other"), "\(outcome)")
            }
        }
    }
}
