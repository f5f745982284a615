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
                    try await perform("unmanage", in: window)
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

        @Test("The name of a Wayland display where nobody listens does not keep the keys from an X11 window")
        func staleCompositor() async throws {
            try await Self.withWindow { sandbox, window in
                let session = sandbox.changing(["WAYLAND_DISPLAY": sandbox.path("no-compositor")])
                try await session.require("history", "restore", "1", "--paste")
                #expect(try await window.line() == "Control_L")
                #expect(try await window.line() == "Control+v")
            }
        }

        @Test("Several entries are pasted as one")
        func joined() async throws {
            try await Self.withWindow { sandbox, window in
                try await sandbox.require("history", "restore", "2", "1", "--join", "+", "--paste")
                #expect(try await window.line() == "Control_L")
                #expect(try await window.line() == "Control+v")
                #expect(try await sandbox.xclipPastes().text == "second+first")
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

        /// Runs `history restore --paste`, changes something after it has found the window, and then chooses an entry.
        private static func restore(
            _ sandbox: Sandbox, after change: () async throws -> Void
        ) async throws -> String {
            let line = ["/bin/sh", "-c", "head -n 1 | \"$0\" history restore --paste -v 2>&1", xpb]
            return try await sandbox.running(line) { command in
                #expect(try await command.line().contains("pastes into the active window"))
                try await change()
                try await command.send("1")
                var last = ""
                while let line = try? await command.line() { last = line }
                return last
            }.result
        }

        @Test(
            "If the window cannot get the keys, nothing is typed, and the message has the reason",
            arguments: [
                ("other", "the window has lost the focus"), ("close", "the window is closed"),
                ("grab", "another program has the keyboard"),
            ])
        func obstacles(command: String, reason: String) async throws {
            try await Self.withWindow { sandbox, window in
                let message = try await Self.restore(sandbox) { try await Self.perform(command, in: window) }
                #expect(message.contains("copied") && message.contains(reason), "\(message)")
                #expect(message.contains("press Ctrl+V"), "\(message)")
                try await Self.expectNoKey(in: window)
                #expect(try await sandbox.xclipPastes().text == "first")
            }
        }

        @Test("The choice may take longer than the timeout of a request")
        func slowChoice() async throws {
            try await Self.withWindow { sandbox, window in
                let line = "sleep 2; echo 1"
                let outcome = try await sandbox.shell("(\(line)) | xpb history restore --paste --timeout 0.2")
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try await window.line() == "Control_L")
                #expect(try await window.line() == "Control+v")
            }
        }

        @Test("A window in a terminal of the command's own gets nothing, since a shell would carry out the text")
        func ownTerminal() async throws {
            try await Self.withWindow { sandbox, window in
                try await Self.perform("run \(Self.xpb)", in: window)
                #expect(try await window.line() == "status 5")
                try await Self.expectNoKey(in: window)
            }
        }

        @Test(
            "pick and a program that runs the command paste into the window that was active before theirs",
            arguments: ["pick", "child"])
        func previousWindow(command: String) async throws {
            try await Self.withWindow { sandbox, window in
                try await Self.perform("manage", in: window)
                try await Self.perform("\(command) \(Self.xpb)", in: window)
                try #require(try await window.line() == "status 0")
                #expect(try await window.line() == "Control_L")
                #expect(try await window.line() == "Control+v")
                #expect(try await sandbox.xclipPastes().text == "first")
            }
        }

        @Test(
            "If no other window was active, or the terminal stays open, pick copies and pastes nothing",
            arguments: [["pick"], ["manage", "shell"]])
        func pickWithoutPaste(commands: [String]) async throws {
            try await Self.withWindow { sandbox, window in
                for command in commands { try await Self.perform("\(command) \(Self.xpb)", in: window) }
                #expect(try await window.line() == "status 5")
                try await Self.expectNoKey(in: window)
                #expect(try await sandbox.xclipPastes().text == "first")
            }
        }

        @Test("Without a window the entry is copied, and the message says what to do")
        func noWindow() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                try await sandbox.require("set", "second")
                let outcome = try await sandbox.xpb("history", "restore", "1", "--paste")
                #expect(outcome.status == 5 && outcome.error.contains("press Ctrl+V"), "\(outcome)")
                #expect(try await sandbox.xclipPastes().text == "first")
            }
        }

        @Test("--paste excludes -p")
        func usage() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let outcome = try await sandbox.xpb("history", "restore", "1", "--paste", "-p", "find")
                #expect(outcome.status == 2 && outcome.error.contains("exclude each other"), "\(outcome)")
            }
        }
    }
}
