import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// `history`, `watch` and `pick` on a terminal.
    @Suite("Terminal", .requiresXvfb)
    struct TerminalTests {
        /// A picture of 13×9 pixels.
        private static let png = Array(
            Data(
                base64Encoded: """
                    iVBORw0KGgoAAAANSUhEUgAAAA0AAAAJAQAAAADBAZvHAAAAEklEQVR42mMM/c0UGsHMcIkl9B9DaAAGNnS3AAAAEklEQVTj\
                    qn9Mq1cwN2izrP4NAH/5Cij2V166AAAAAElFTkSuQmCC
                    """) ?? Data())

        private static let xpb = "\(Binaries.folder)/xpb"
        /// The replies of kitty, and of a terminal without pictures.
        private static let kitty = "\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62c"
        private static let plain = "\u{1B}[?1;2c"

        private static func contains(_ output: [UInt8], _ text: String) -> Bool {
            String(decoding: output, as: UTF8.self).contains(text)
        }

        /// Runs `body` in a sandbox whose programs assume a capable terminal.
        private static func with<Result: Sendable>(_ body: (Sandbox) async throws -> Result) async throws -> Result {
            try await Sandbox.with(changes: ["TERM": "xterm-256color", "NO_COLOR": nil], body)
        }

        /// Runs `xpb` on a terminal until it exits.
        ///
        /// - Parameter person: The actions of the person at the terminal while `xpb` is running.
        @discardableResult
        private static func run(
            _ line: [String], on terminal: PseudoTerminal, in sandbox: Sandbox,
            streams: String = #"<"$0" >"$0" 2>"$0""#, _ person: (PseudoTerminal) async throws -> Void
        ) async throws -> Outcome {
            let command = terminal.command(line, streams: streams)
            async let outcome = sandbox.run(command)
            try await person(terminal)
            let ended = try await outcome
            terminal.readAvailable()
            #expect(terminal.echoes, "the terminal's mode was not restored")
            return ended
        }

        // MARK: Tables

        @Test("list, status, config and owner have columns on a terminal, and tabs in a pipe")
        func tables() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "one")
                func screen(_ line: String...) async throws -> [String] {
                    let terminal = try PseudoTerminal(columns: 200, rows: 60)
                    let outcome = try await Self.run([Self.xpb] + line, on: terminal, in: sandbox) { _ in }
                    #expect(outcome.status == 0)
                    return String(decoding: terminal.output, as: UTF8.self).split(separator: "\r\n").map(String.init)
                }
                let list = try await screen("list")
                #expect(list[0].hasPrefix("NAME       SELECTION  COUNT"), "\(list)")
                #expect(list.contains { $0.hasPrefix("general    CLIPBOARD  ") }, "\(list)")
                let config = try await screen("config")
                #expect(config[0].split(separator: " ") == ["SETTING", "ORIGIN", "VALUE"], "\(config)")
                #expect(config.contains { $0.split(separator: " ").map(String.init).suffix(2) == ["256", "MiB"] })
                #expect(try await screen("status").contains { $0.hasPrefix("clients:    ") })
                #expect(try await screen("owner").contains { $0.hasPrefix("program:  ") })
                #expect(
                    try await sandbox.require("config").lines.contains { $0.hasPrefix("filter-limit: 268435456\t") })
            }
        }

        @Test("history on a terminal fills the screen, and says how to see more")
        func historyHeight() async throws {
            try await Self.with { sandbox in
                for number in 1...12 { try await sandbox.require("set", "entry \(number)") }
                for (line, count) in [(["history"], 6), (["history", "-n", "11"], 11)] {
                    let terminal = try PseudoTerminal(columns: 80, rows: 8)
                    try await Self.run([Self.xpb] + line, on: terminal, in: sandbox) { _ in }
                    let lines = String(decoding: terminal.output, as: UTF8.self).split(separator: "\r\n")
                    #expect(lines.count { $0.contains("entry ") } == count, "\(lines)")
                    #expect(lines.contains { $0.contains("xpb pick") } == (count == 6), "\(lines)")
                }
                #expect(try await sandbox.require("history").lines.count == 12)
            }
        }

        // MARK: get

        @Test("get writes text to a terminal, and other bytes only with --force")
        func binary() async throws {
            try await Self.with { sandbox in
                let bytes: [UInt8] = [0xFF, 0x00] + Array("some bytes".utf8)
                try await sandbox.require("set", "-t", "public.data", "-f", "-", input: bytes)
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let get = [Self.xpb, "get", "-t", "public.data", "--timeout", "60"]
                let refused = try await Self.run(get, on: terminal, in: sandbox) { _ in }
                #expect(refused.status == 6 && Self.contains(terminal.output, "--force"))
                #expect(!Self.contains(terminal.output, "some bytes"))
                let forced = try await Self.run(get + ["--force"], on: terminal, in: sandbox) { _ in }
                #expect(forced.status == 0 && Self.contains(terminal.output, "some bytes"))
                try await sandbox.require("set", "some text")
                let text = try await Self.run([Self.xpb, "get", "--timeout", "60"], on: terminal, in: sandbox) { _ in }
                #expect(text.status == 0 && Self.contains(terminal.output, "some text"))
                try await sandbox.require("set", input: Array("in Latin-1: caf".utf8) + [0xE9])
                let latin = try await Self.run([Self.xpb, "get", "--timeout", "60"], on: terminal, in: sandbox) { _ in }
                #expect(latin.status == 0 && Self.contains(terminal.output, "in Latin-1: caf\u{E9}"))
            }
        }

        // MARK: history

        @Test("On a terminal that replies like kitty, history shows pictures below their lines")
        func historyPicture() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Self.png)
                try await sandbox.require("set", "after the picture")
                // On a busy machine a reply may come too late.
                while true {
                    let terminal = try PseudoTerminal(columns: 80, rows: 24)
                    try await Self.run([Self.xpb, "history"], on: terminal, in: sandbox) { terminal in
                        try await terminal.until { Self.contains($0.output, "\u{1B}[c") }
                        terminal.type(Self.kitty)
                    }
                    #expect(terminal.screen.lines.contains { $0.contains("[PNG 13×9,") })
                    if Self.contains(terminal.output, "\u{1B}_Ga=T,f=100") { return }
                    try Task.checkCancellation()
                }
            }
        }

        @Test(
            "On a terminal that does not reply or shows no pictures, history shows their descriptions",
            arguments: [nil, plain])
        func historyDescription(reply: String?) async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Self.png)
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let outcome = try await Self.run([Self.xpb, "history"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until { Self.contains($0.output, "\u{1B}[c") }
                    if let reply { terminal.type(reply) }
                }
                #expect(outcome.status == 0)
                #expect(terminal.screen.lines.contains { $0.contains("[PNG 13×9,") })
                #expect(!Self.contains(terminal.output, "a=T"))
            }
        }

        @Test("The terminal is not queried if there is no picture, or if TERM is dumb")
        func noQuestion() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "text")
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                try await Self.run([Self.xpb, "history"], on: terminal, in: sandbox) { _ in }
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Self.png)
                try await Self.run(["env", "TERM=dumb", Self.xpb, "history"], on: terminal, in: sandbox) { _ in }
                #expect(terminal.screen.lines.contains { $0.contains("[PNG 13×9,") })
                #expect(!terminal.output.contains(0x1B))
            }
        }

        // MARK: watch

        @Test("On a terminal, watch is a table that fits the width and previews all but secrets and promises")
        func watch() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "first")
                let terminal = try PseudoTerminal(columns: 100, rows: 24)
                let outcome = try await Self.run([Self.xpb, "watch", "--initial"], on: terminal, in: sandbox) {
                    terminal in
                    try await terminal.until("first")
                    #expect(terminal.screen.lines[0].hasPrefix("TIME      PASTEBOARD  COUNT   OWNER"))
                    try await sandbox.require("set", "second\u{1B}[31m line\nof two")
                    try await terminal.until(#"second\u{1b}[31m line\nof two"#)
                    try await sandbox.require("set", "--concealed", "-f", "-", input: Array("hunter2".utf8))
                    try await terminal.until("[concealed]")
                    try await sandbox.require("set", "-c", "echo ran >\(sandbox.path("ran"))")
                    try await sandbox.require("clear")
                    try await terminal.until("(empty)")
                    terminal.resize(columns: 30, rows: 24)
                    try await sandbox.require("set", "third and rather long for a terminal")
                    try await terminal.until("third and")
                    #expect(!terminal.screen.lines.contains { $0.contains("general") })
                    terminal.type("\u{3}")
                }
                #expect(outcome.status == 130)
                #expect(!Self.contains(terminal.output, "hunter2") && !Self.contains(terminal.output, "\u{1B}[31m"))
                #expect(throws: (any Error).self) { try sandbox.read("ran") }
            }
        }

        @Test("NO_COLOR leaves no control sequence in the table")
        func noColor() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "first")
                let terminal = try PseudoTerminal(columns: 100, rows: 24)
                let line = ["env", "NO_COLOR=1", Self.xpb, "watch", "--initial"]
                try await Self.run(line, on: terminal, in: sandbox) { terminal in
                    try await terminal.until("first")
                    terminal.type("\u{3}")
                }
                #expect(!terminal.output.contains(0x1B))
            }
        }

        // MARK: Progress

        @Test("If a source is read for more than a second, the terminal shows the progress until the end")
        func progress() async throws {
            try await Self.with { sandbox in
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let script = #"{ head -c 100000 /dev/zero; read line; } | "$0" set -t public.data"#
                let outcome = try await Self.run(["bash", "-c", script, Self.xpb], on: terminal, in: sandbox) {
                    terminal in
                    try await terminal.until("reading standard input: 98 KiB")
                    terminal.type("\n")
                }
                #expect(outcome.status == 0)
                #expect(try await sandbox.require("get", "-t", "public.data").output.count == 100_000)
                let end = String(decoding: terminal.output, as: UTF8.self).components(separatedBy: "\r").last
                #expect(end == "\u{1B}[K")
            }
        }

        // MARK: pick

        @Test("Return copies the entry that was searched for, and restores the terminal")
        func pick() async throws {
            try await Self.with { sandbox in
                for text in ["draft of the invoice", "shopping list", "something else"] {
                    try await sandbox.require("set", text)
                }
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let outcome = try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until("> something else")
                    #expect(!terminal.echoes)
                    terminal.type("inv")
                    try await terminal.until("> draft of the invoice")
                    terminal.type("\r")
                }
                #expect(outcome.status == 0)
                #expect(try await sandbox.require("get").text == "draft of the invoice")
                #expect(Self.contains(terminal.output, "\u{1B}[?1049l"))
            }
        }

        @Test(
            "Return copies the entries that were marked with Tab, in their order, as one or as a stack, or writes them",
            arguments: [(option: nil, copied: "one\nthree"), ("--stack", "one"), ("--print", "three")])
        func pickSeveral(option: String?, copied: String) async throws {
            try await Self.with { sandbox in
                for text in ["one", "two", "three"] { try await sandbox.require("set", text) }
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let line = [Self.xpb, "pick"] + [option].compactMap(\.self)
                let outcome = try await Self.run(line, on: terminal, in: sandbox) { terminal in
                    try await terminal.until("> three")
                    terminal.type("\u{1B}[F\t")
                    try await terminal.until(">+one")
                    terminal.type("\u{1B}[H\t")
                    try await terminal.until("2 of 3")
                    terminal.type("\r")
                }
                #expect(outcome.status == 0)
                #expect(Self.contains(terminal.output, "one\r\nthree") == (option == "--print"))
                #expect(try await sandbox.require("get").text == copied)
            }
        }

        @Test("The last of more entries than a screen has is found by End, even right after the search")
        func pickEnd() async throws {
            try await Self.with { sandbox in
                let lines = (1...90).map { "{\"text\": \"entry \($0) of many\", \"time\": \($0)}\n" }.joined()
                try await sandbox.require("history", "import", "jsonl", input: Array(lines.utf8))
                let terminal = try PseudoTerminal(columns: 80, rows: 12)
                let outcome = try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until("> entry 90 of many")
                    terminal.type("many\u{1B}[F")
                    try await terminal.until("> entry 1 of many")
                    terminal.type("\r")
                }
                #expect(outcome.status == 0)
                #expect(try await sandbox.require("get").text == "entry 1 of many")
            }
        }

        @Test("--print writes the entry to standard output, and copies nothing")
        func pickPrint() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "one\nline")
                try await sandbox.require("set", "two")
                let terminal = try PseudoTerminal(columns: 30, rows: 10)
                let outcome = try await Self.run(
                    [Self.xpb, "pick", "--print"], on: terminal, in: sandbox, streams: #"<"$0""#
                ) { terminal in
                    try await terminal.until("> two")
                    terminal.type("\u{1B}[B")
                    try await terminal.until("> one")
                    terminal.type("\r")
                }
                #expect(outcome.status == 0 && outcome.text == "one\nline" && outcome.error.isEmpty, "\(outcome)")
                #expect(try await sandbox.require("get").text == "two")
            }
        }

        @Test(
            "Escape, Ctrl-C and signals end pick without a change, each with its own status",
            arguments: [("\u{1B}", 1), ("\u{3}", 130), ("TERM", 143), ("HUP", 129)])
        func leaving(key: String, status: Int32) async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "one")
                let count = try await sandbox.count()
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let outcome = try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until("> one")
                    if key.count == 1 { return terminal.type(key) }
                    let picker = sandbox.processes().first { ProcessTable.executable(of: $0) == "xpb" }
                    _ = try await sandbox.run(["kill", "-s", key, "\(try #require(picker))"])
                }
                #expect(outcome.status == status)
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("A copy made elsewhere appears, and the same entry stays selected")
        func change() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "one")
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until("> one")
                    try await sandbox.require("set", "copied meanwhile")
                    try await terminal.until("  copied meanwhile")
                    #expect(terminal.screen.lines.contains { $0.hasPrefix("> one") })
                    terminal.type("\u{3}")
                }
            }
        }

        @Test("Entries are deleted on exit, except entries that were brought back")
        func deletion() async throws {
            try await Self.with { sandbox in
                for text in ["one", "two", "three"] { try await sandbox.require("set", text) }
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until("> three")
                    terminal.type("\u{4}")
                    try await terminal.until("> two")
                    terminal.type("\u{1B}[3~")
                    try await terminal.until("> one")
                    #expect(try await sandbox.require("history").lines.count == 3)
                    terminal.type("\u{12}")
                    try await terminal.until("> two")
                    terminal.type("\u{14}")
                    try await terminal.until("> * two")
                    terminal.type("\u{3}")
                }
                #expect(
                    try await sandbox.require("history", "--format", "{preview} {pinned}").lines == [
                        "two pinned", "one ",
                    ])
            }
        }

        @Test("Ctrl-Z restores the terminal and stops the job, and fg continues the job")
        func stop() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "one")
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let script = #"set -m; "$0" pick; echo "stopped $?"; read line; fg"#
                let outcome = try await Self.run(["bash", "-c", script, Self.xpb], on: terminal, in: sandbox) {
                    terminal in
                    try await terminal.until("> one")
                    terminal.type("\u{1A}")
                    try await terminal.until { Self.contains($0.output, "stopped 148") }
                    #expect(terminal.echoes)
                    terminal.type("go on\n")
                    try await terminal.until("> one")
                    terminal.type("\u{3}")
                }
                #expect(outcome.status == 130)
            }
        }

        @Test("The screen is redrawn when the terminal is resized, even to a few columns")
        func resize() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "some words")
                let terminal = try PseudoTerminal(columns: 100, rows: 30)
                try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until("> some words")
                    for (columns, rows) in [(40, 10), (12, 5), (120, 40)] {
                        terminal.resize(columns: columns, rows: rows)
                        try await terminal.until(
                            "> some words".prefix(columns - 2).trimmingCharacters(in: .whitespaces))
                    }
                    terminal.type("\u{3}")
                }
            }
        }

        @Test("Control sequences in contents and secrets do not reach the terminal")
        func hostile() async throws {
            try await Self.with { sandbox in
                try await sandbox.require("set", "hunter2 in the clear")
                try await sandbox.require("set", "--concealed", "-f", "-", input: Array("hunter3".utf8))
                try await sandbox.require("set", "a\u{1B}]0;title\u{7}b\u{1B}[31m")
                let terminal = try PseudoTerminal(columns: 100, rows: 30)
                try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { terminal in
                    try await terminal.until("hunter2 in the clear")
                    terminal.type("\u{3}")
                }
                #expect(Self.contains(terminal.output, #"a\u{1b}]0;title\u{7}b"#))
                #expect(!Self.contains(terminal.output, "\u{1B}]0;") && !Self.contains(terminal.output, "hunter3"))
            }
        }

        @Test("Without a terminal, or without entries, the message says what to do")
        func refusals() async throws {
            try await Self.with { sandbox in
                let none = try await sandbox.run(["setsid", "-w", Self.xpb, "pick"])
                #expect(none.status == 2 && none.error.contains("'xpb history'"), "\(none)")
                #expect(sandbox.bridges().isEmpty)
                let terminal = try PseudoTerminal(columns: 80, rows: 24)
                let empty = try await Self.run([Self.xpb, "pick"], on: terminal, in: sandbox) { _ in }
                #expect(empty.status == 1)
                #expect(terminal.screen.lines[0].contains("the history is empty"))
            }
        }
    }
}
