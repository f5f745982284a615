import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// `--paste` in a session of sway.
    ///
    /// The trial `paste --sway` pastes into real programs.
    @Suite("Paste on Wayland")
    struct WaylandPasteTests {
        private static let xpb = "\(Binaries.folder)/xpb"

        /// Runs `body` in a session that has two entries in its history.
        private static func withSession(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with(display: nil, changes: ["TERM": "xterm-256color"]) { sandbox in
                try await Sway.running(in: sandbox.path("wayland")) { variables in
                    let session = sandbox.changing(variables)
                    for text in ["first", "second"] { try await session.require("set", text) }
                    try await body(session)
                    try await session.require("bridge", "stop")
                }
            }
        }

        /// Runs `body` in a session with a keyboard and a window of Tests/Fixtures/wayland_keys.py, which is active.
        private static func withWindow(
            appID: String = "editor", _ body: (Sandbox, _ window: Running) async throws -> Void
        ) async throws {
            try await withSession { session in
                // wtype has a keyboard while it runs.
                _ = try await session.running(["wtype", "-s", "1000000000"]) { _ in
                    let command = ["/usr/bin/python3", Binaries.fixture("wayland_keys.py"), appID]
                    _ = try await session.running(command) { window in
                        try await perform("start", in: window)
                        try await body(session, window)
                    }
                }
            }
        }

        private static func perform(_ command: String, in window: Running) async throws {
            try await window.send(command)
            let answer = try await window.line()
            #expect(command.hasPrefix(answer))
        }

        /// Runs a command that has no terminal, as a key of the desktop does.
        @discardableResult
        private static func restore(_ session: Sandbox, _ entry: Int) async throws -> Outcome {
            try await session.run(["setsid", "--wait", xpb, "history", "restore", "\(entry)", "--paste"])
        }

        /// Runs `history restore --paste`, changes something after it has found the window, and then chooses an entry.
        ///
        /// - Returns: The last message.
        private static func restore(_ session: Sandbox, after change: () async throws -> Void) async throws -> String {
            let script = "head -n 1 | setsid --wait \"$0\" history restore --paste -v 2>&1"
            return try await session.running(["/bin/sh", "-c", script, xpb]) { restoring in
                #expect(try await restoring.line().contains("pastes into the active window"))
                try await change()
                try await restoring.send("1")
                var last = ""
                while let line = try? await restoring.line() { last = line }
                return last
            }.result
        }

        /// Expects these keys in a window, and no others.
        private static func expect(_ keys: [String], in window: Running) async throws {
            for key in keys { #expect(try await window.line() == key) }
            try await perform("sync", in: window)
        }

        private static let keys = ["Control_L", "Control+v"]

        @Test("The keys to paste go to the active window")
        func controlV() async throws {
            try await Self.withWindow { session, window in
                for (entry, text) in [(1, "first"), (2, "second")] {
                    let outcome = try await Self.restore(session, entry)
                    #expect(outcome.status == 0, "\(outcome)")
                    try await Self.expect(Self.keys, in: window)
                    #expect(try await session.wlPastes() == text)
                }
            }
        }

        @Test(
            "Terminals and editors get their own keys",
            arguments: [
                ("foot", ["Control_L", "Control+Shift_L", "Shift+Control+V"]),
                ("org.gnome.Console", ["Control_L", "Control+Shift_L", "Shift+Control+V"]),
                ("emacs", ["Shift_L", "Shift+Insert"]),
            ])
        func programs(appID: String, keys: [String]) async throws {
            try await Self.withWindow(appID: appID) { session, window in
                try await Self.restore(session, 1)
                try await Self.expect(keys, in: window)
            }
        }

        @Test(
            "If another window is active at the end, nothing is typed, and the message has the reason",
            arguments: [("other", "the window has lost the focus"), ("close", "the window is closed")])
        func obstacles(command: String, reason: String) async throws {
            try await Self.withWindow { session, window in
                let message = try await Self.restore(session) { try await Self.perform(command, in: window) }
                #expect(message.contains("copied") && message.contains(reason), "\(message)")
                #expect(message.contains("press Ctrl+V"), "\(message)")
                try await Self.expect([], in: window)
                #expect(try await session.wlPastes() == "first")
            }
        }

        @Test(
            "A program that changes its title all the time does not keep the command from pasting after a long choice")
        func titles() async throws {
            try await Self.withWindow { session, window in
                let message = try await Self.restore(session) { try await Self.perform("titles", in: window) }
                #expect(message.contains("restored 1"), "\(message)")
                try await Self.expect(Self.keys, in: window)
            }
        }

        @Test("If the compositor ends while the user chooses, the entry is copied, and the message has the reason")
        func compositorEnds() async throws {
            try await Self.withWindow { session, _ in
                let message = try await Self.restore(session) {
                    _ = try await session.shell("swaymsg -s \"$XDG_RUNTIME_DIR\"/sway-ipc.*.sock exit")
                }
                #expect(message.contains("copied") && message.contains("the compositor"), "\(message)")
                #expect(try await session.require("get").text == "first")
            }
        }

        @Test("A command with a terminal pastes nothing, since the active window may be that terminal")
        func terminal() async throws {
            try await Self.withWindow { session, window in
                try await Self.perform("run \(Self.xpb)", in: window)
                #expect(try await window.line() == "status 5")
                try await Self.expect([], in: window)
            }
        }

        @Test("pick pastes into the window that becomes active once its terminal is closed")
        func pick() async throws {
            try await Self.withWindow { session, window in
                try await Self.perform("pick \(Self.xpb)", in: window)
                try #require(try await window.line() == "status 0")
                try await Self.expect(Self.keys, in: window)
                #expect(try await session.wlPastes() == "first")
            }
        }

        @Test("A program with a window of its own pastes into the window that becomes active once that is closed")
        func ownWindow() async throws {
            try await Self.withWindow { session, window in
                try await Self.perform("child \(Self.xpb)", in: window)
                for key in Self.keys + ["status 0"] { #expect(try await window.line() == key) }
                try await Self.expect([], in: window)
                #expect(try await session.wlPastes() == "first")
            }
        }

        @Test("pick pastes into no window that is opened after the choice, and into none while its terminal is open")
        func staysOpen() async throws {
            try await Self.withWindow { session, window in
                try await Self.perform("stay \(Self.xpb)", in: window)
                #expect(try await window.line() == "status 0")
                try await Self.expect([], in: window)
                #expect(try await session.wlPastes() == "first")
            }
        }

        @Test("Without a window, the entry is copied, and the message says what to do")
        func noWindow() async throws {
            try await Self.withSession { session in
                let outcome = try await Self.restore(session, 1)
                let message = "because no window is active; press Ctrl+V"
                #expect(outcome.status == 5 && outcome.error.contains(message), "\(outcome)")
                #expect(try await session.wlPastes() == "first")
            }
        }
    }
}
