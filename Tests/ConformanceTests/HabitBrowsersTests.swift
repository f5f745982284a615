import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: browsers ask for much, and want a text beside everything", .requiresXvfb)
    struct HabitBrowsers {
        @Test("The list sixteen times and five texts, twice, are one paste of what is pasted once")
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

        @Test("The list alone, sixteen times, is no paste")
        func looked() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--once", "text")
                let crowd = ["crowd", "--times", "16", "--ask", "CLIPBOARD", "TARGETS", "XPB_PEER"]
                try await sandbox.withPeer(crowd) { _ = try await $0.await("answered") }
                // Whoever pastes it now still gets it.
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test(
            "Beside HTML, RTF, links and files stands a text, which Chromium, Slack and Telegram want",
            arguments: [
                ("xpb set -t html --text '<b>bold</b>'", "bold"), ("xpb set -t .rtf --text '{\\rtf1 plain}'", "plain"),
                ("xpb set -t url --text https://example.org/", "https://example.org/"),
                ("xpb set --files /usr /tmp", "/usr\n/tmp"), ("xpb set --cut --files /tmp", "/tmp"),
                ("xpb set -t image/png --text x -t html --text '<i>seen</i>'", "seen"),
                ("xpb set -t text/uri-list --text file:///usr", "/usr"),
            ])
        func textBeside(line: String, text: String) async throws {
            try await Sandbox.with { sandbox in
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
