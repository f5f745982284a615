import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: hints offered with contents, and text that resembles another format", .requiresXvfb)
    struct HabitOffered {
        @Test("A secret has the hint for clipboard managers, and no derived formats")
        func secret() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--concealed", input: Array("pässword".utf8))
                let hint = try await sandbox.ask("--target", "x-kde-passwordManagerHint")
                #expect(hint.text == "secret" && hint.type == "x-kde-passwordManagerHint")
                let targets = try #require(try await sandbox.ask("--target", "TARGETS").names).compactMap(\.self)
                #expect(targets.contains("x-kde-passwordManagerHint"))
                // In Latin-1, the secret's bytes would be different.
                #expect(!targets.contains("STRING"))
                #expect(try await sandbox.ask("--multiple", "x-kde-passwordManagerHint").text == "secret")
                try await sandbox.require("set", "no secret")
                #expect(try await sandbox.ask("--target", "x-kde-passwordManagerHint").event == "refused")
            }
        }

        @Test("A secret is offered under every text target that has the same bytes")
        func plainSecret() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--concealed", input: Array("password".utf8))
                let targets = try #require(try await sandbox.ask("--target", "TARGETS").names).compactMap(\.self)
                for target in ["UTF8_STRING", "STRING", "text/plain", "TEXT"] {
                    #expect(targets.contains(target))
                    #expect(try await sandbox.ask("--target", target).text == "password", "\(target)")
                }
            }
        }

        @Test(
            "Text that resembles another format is offered as text",
            arguments: [
                "MM and more", "II*", "[Desktop Entry]\nType=Link\n", "<?php echo 1; ?>", "<html><b>x</b>", "%PDF-1.7",
                "GIF89a", "BM", "PK", "{\\rtf1 x}", "#!/bin/sh\n", "file:///usr\r\n", "<svg xmlns='x'/>",
                "copy\nfile:///a",
                "RIFF", "#ff8000", "https://example.org/", "\u{FEFF}text",
            ])
        func lookalike(text: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", input: Array(text.utf8))
                let targets = try #require(try await sandbox.ask("--target", "TARGETS").names).compactMap(\.self)
                #expect(targets.contains("UTF8_STRING") && targets.contains("text/plain;charset=utf-8"))
                #expect(!targets.contains("text/uri-list") && !targets.contains("text/html"))
                #expect(try await sandbox.xclipPastes().output == Array(text.utf8))
                #expect(try await sandbox.require("get").output == Array(text.utf8))
            }
        }

        @Test("A name that is too long is refused as a target, and a pasteboard holds at most 1,024 targets")
        func names() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let longest = "x-xpb/" + String(repeating: "a", count: 1_018)
                let long = try await sandbox.xpb("set", "-t", longest + "a", "--text", "x")
                #expect(long.status == 2, "\(long)")
                let many = (0...1_024).flatMap { ["-t", "x-xpb/\($0)"] }
                let refused = try await sandbox.run(["xpb", "set"] + many + ["-f", "/dev/null"])
                #expect(refused.status == 6, "\(refused)")
                #expect(try await sandbox.xclipPastes().text == "kept")
                try await sandbox.require("set", "-t", longest, "--text", "x")
                #expect(try await sandbox.ask("--target", longest).text == "x")
            }
        }
    }
}
