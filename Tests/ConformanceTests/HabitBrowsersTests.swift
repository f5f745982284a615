import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: browsers send many requests, and expect text with every format", .requiresXvfb)
    struct HabitBrowsers {
        @Test("Sixteen requests for TARGETS and two for each of five text targets are one paste of one-time contents")
        func once() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--once", "text")
                let count = try await sandbox.count()
                let texts = ["UTF8_STRING", "STRING", "TEXT", "text/plain", "text/plain;charset=utf-8"]
                let targets = [String](repeating: "TARGETS", count: 16) + texts + texts
                let crowd = ["crowd"] + targets.flatMap { ["--ask", "CLIPBOARD", $0, "XPB_PEER"] }
                try await sandbox.withPeer(crowd) { crowd in
                    let answers = try await crowd.await("answered")
                    #expect(answers.values == [Int](repeating: 1, count: targets.count))
                    #expect(answers.names?.contains { $0 == nil } == false)
                }
                let changed = try await sandbox.require("wait", "--since", "\(count)", "--timeout", "60")
                #expect(changed.number == count + 1)
                #expect(try await sandbox.ask("--target", "UTF8_STRING").event == "refused")
            }
        }

        @Test("Sixteen requests for nothing but TARGETS do not count as a paste")
        func looked() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--once", "text")
                let crowd = ["crowd", "--times", "16", "--ask", "CLIPBOARD", "TARGETS", "XPB_PEER"]
                try await sandbox.withPeer(crowd) { _ = try await $0.await("answered") }
                // A program that pastes now still gets the text.
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test(
            "HTML, RTF, links and files are accompanied by text, which Chromium, Slack and Telegram require",
            arguments: [
                ("xpb set -t html --text '<b>bold</b>'", "bold"), ("xpb set -t .rtf --text '{\\rtf1 plain}'", "plain"),
                ("xpb set -t url --text https://example.org/", "https://example.org/"),
                ("xpb set --files /usr /tmp", "/usr\n/tmp"), ("xpb set --cut --files /tmp", "/tmp"),
                ("xpb set -t image/png --text x -t html --text '<i>seen</i>'", "seen"),
                ("xpb set -t text/uri-list --text file:///usr", "/usr"),
            ])
        func textBeside(line: String, text: String) async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let set = try await sandbox.shell(line)
                try #require(set.status == 0, "\(set)")
                let targets = try #require(try await sandbox.ask("--target", "TARGETS").names).compactMap(\.self)
                for target in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT"] {
                    #expect(targets.contains(target))
                    #expect(try await sandbox.ask("--target", target).text == text, "\(target)")
                }
            }
        }
    }
}
