import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: what stands beside contents, and what they look like", .requiresXvfb)
    struct HabitOffered {
        @Test("A secret has the hint that clipboard managers heed, and nothing that was made of it")
        func secret() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--concealed", input: Array("pässword".utf8))
                let hint = try await sandbox.ask("--target", "x-kde-passwordManagerHint")
                #expect(hint.text == "secret" && hint.type == "x-kde-passwordManagerHint")
                let targets = try #require(try await sandbox.ask("--target", "TARGETS").names).compactMap(\.self)
                #expect(targets.contains("x-kde-passwordManagerHint"))
                // Its bytes are other ones there.
                #expect(!targets.contains("STRING"))
                #expect(try await sandbox.ask("--multiple", "x-kde-passwordManagerHint").text == "secret")
                try await sandbox.require("set", "no secret")
                #expect(try await sandbox.ask("--target", "x-kde-passwordManagerHint").event == "refused")
            }
        }

        @Test("A secret has each name of a text under which its bytes are the same")
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
            "A text that looks like something else is offered as the text it is",
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

        @Test("A name that is too long becomes no target, and a pasteboard holds no more than 1,024 of them")
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
