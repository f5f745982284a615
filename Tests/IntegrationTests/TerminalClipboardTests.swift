import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// `xpb set --osc52` in terminals of script(1), which prints the output of its terminal.
    @Suite("The clipboard of a terminal")
    struct TerminalClipboardTests {
        private static func sequence(_ text: String, selection: String = "c") -> String {
            "\u{1B}]52;\(selection);\(Data(text.utf8).base64EncodedString())\u{7}"
        }

        /// Runs a line of sh in a terminal, without a display.
        private func inTerminal(
            _ line: String, setting: Bool = false, variables: [String: String] = [:]
        ) async throws -> Outcome {
            try await Sandbox.with(display: nil) { sandbox in
                let wanted = setting ? ["XPB_OSC52": "true"] : [:]
                return try await sandbox.removing("TMUX").removing("STY")
                    .changing(variables.merging(wanted) { one, _ in one })
                    .run(["script", "--quiet", "--return", "--command", line, "/dev/null"])
            }
        }

        @Test(
            "--osc52 sends the text, and reports that it was sent, not that it was copied",
            arguments: [
                ("xpb set --osc52 a text", "a text", "c"), ("printf 'žluť' | xpb set --osc52", "žluť", "c"),
                ("printf 'a\\n' | xpb set --osc52 -n", "a", "c"), ("xpb set --osc52 -p find a", "a", "p"),
                ("printf '' | xpb set --osc52", "", "c"), ("xpb set --osc52 --text=-x", "-x", "c"),
                ("xpb set --osc52 word > file", "word", "c"),
            ])
        func sent(line: String, text: String, selection: String) async throws {
            let outcome = try await inTerminal(line)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.text.contains(Self.sequence(text, selection: selection)), "\(outcome)")
            #expect(outcome.text.contains("sent \(text.utf8.count) bytes to the terminal"), "\(outcome)")
            #expect(!outcome.text.contains("copied"), "\(outcome)")
        }

        @Test("The plain text among several representations is sent, and the message names the other types")
        func others() async throws {
            let outcome = try await inTerminal("xpb set --osc52 -t text/html --text '<b>a</b>' -t text/plain --text a")
            #expect(outcome.status == 0 && outcome.text.contains(Self.sequence("a")), "\(outcome)")
            #expect(outcome.text.contains("text/html was left out"), "\(outcome)")
        }

        @Test(
            "Contents that a terminal cannot take are not sent, not even in part",
            arguments: [
                ("head -c 74995 /dev/zero | tr '\\0' x | xpb set --osc52", 6, "at most 74994 bytes"),
                ("printf '\\377\\376\\0' | xpb set --osc52", 6, "plain text in UTF-8"),
                ("xpb set --osc52 -t text/html --text '<b>'", 6, "plain text in UTF-8"),
                ("printf a | xpb set --osc52 --concealed", 2, "could keep a secret"),
                ("printf a | xpb set --osc52 --once", 2, "--once"),
                ("xpb set --osc52 --if-count 1 a", 2, "counts no changes"),
                ("xpb set --osc52 -c 'echo a'", 2, "pipe the command's output"),
                ("xpb set --osc52 --text a --next --text b", 2, "one text"),
                ("xpb set --osc52 -p com.example.own a", 2, "no pasteboard 'com.example.own'"),
                ("printf '' | xpb set --osc52 --no-empty", 1, "nothing was sent"),
            ])
        func refused(line: String, status: Int32, message: String) async throws {
            let outcome = try await inTerminal(line)
            #expect(outcome.status == status && outcome.text.contains(message), "\(outcome)")
            #expect(!outcome.text.contains("\u{1B}"), "\(outcome)")
        }

        @Test("Without a terminal nothing is sent, and the status is 4")
        func noTerminal() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let outcome = try await sandbox.run(["setsid", "--wait", "xpb", "set", "--osc52", "a"])
                #expect(outcome.status == 4 && outcome.error.contains("no terminal to send to"), "\(outcome)")
            }
        }

        @Test(
            "The setting osc52 sends text if there is neither a display nor a bridge",
            arguments: [
                "xpb set a text", "printf 'a text' | xpb set", "xpb set --verbose a text",
                "printf 'a text' > file; xpb set -f file", "head -c 6 /dev/zero | tr '\\0' ' ' | tee spaces | xpb set",
            ])
        func setting(line: String) async throws {
            let outcome = try await inTerminal(line, setting: true)
            let text = line.contains("spaces") ? "      " : "a text"
            #expect(outcome.status == 0 && outcome.text.contains(Self.sequence(text)), "\(outcome)")
            let without = try await inTerminal(line)
            #expect(without.status == 4 && !without.text.contains("\u{1B}"), "\(without)")
        }

        @Test("The setting sends no contents that the command marks as secret")
        func settingAndSecret() async throws {
            let outcome = try await inTerminal("printf a | xpb set --concealed", setting: true)
            #expect(outcome.status == 4 && !outcome.text.contains("\u{1B}"), "\(outcome)")
        }

        @Test("The setting changes nothing while there is a display", .requiresXvfb)
        func settingWithDisplay() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.changing(["XPB_OSC52": "true"])
                    .run(["script", "--quiet", "--return", "--command", "xpb set a", "/dev/null"])
                #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome)")
                #expect(try await sandbox.require("get").text == "a")
            }
        }

        @Test("In screen, and in a tmux that does not answer, the sequence is wrapped")
        func wrapped() async throws {
            let screen = try await inTerminal("xpb set --osc52 a", variables: ["STY": "1.tty.host"])
            #expect(screen.text.contains("\u{1B}P\(Self.sequence("a"))\u{1B}\\"), "\(screen)")
            let tmux = try await inTerminal("xpb set --osc52 a", variables: ["TMUX": "/nowhere/socket,1,0"])
            #expect(tmux.text.contains("\u{1B}Ptmux;\u{1B}\(Self.sequence("a"))\u{1B}\\"), "\(tmux)")
        }

        @Test("In tmux with default settings, the terminal of tmux gets the text")
        func tmux() async throws {
            let line = "tmux -S socket -f /dev/null new-session 'xpb set --osc52 a text'"
            let outcome = try await inTerminal(line, variables: ["TERM": "xterm-256color"])
            #expect(outcome.text.contains("\u{1B}]52;") && outcome.text.contains("YSB0ZXh0"), "\(outcome)")
        }
    }
}
