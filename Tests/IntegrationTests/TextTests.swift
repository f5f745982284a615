import CopyingSupport
import TestSupport
import Testing

extension Integration {
    @Suite("Text", .requiresXvfb)
    struct TextTests {
        @Test("xclip pastes text that xpb copied", arguments: [1, 4_000, 4_001, 262_145, 1 << 20])
        func xclipPastes(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", input: Payload.text(size))
                let pasted = try await sandbox.run(["xclip", "-o", "-selection", "clipboard"])
                #expect(Payload.difference(pasted.output, Payload.text(size)) == nil)
            }
        }

        @Test("xpb pastes text that xclip copied", arguments: [1, 4_000, 4_001, 262_145, 2 << 20])
        func xclipCopies(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.text(size), to: "in")
                try await sandbox.xclipCopies("in")
                let pasted = try await sandbox.require("get")
                #expect(Payload.difference(pasted.output, Payload.text(size)) == nil)
            }
        }

        @Test("Programs that know only STRING paste the text of HTML, RTF and files")
        func oldPrograms() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write("<p>é</p>".utf8, to: "html")
                try sandbox.write(#"{\rtf1\ansi \'e9}"#.utf8, to: "rtf")
                for (command, text) in [
                    (["set", "-t", "text/html", "-f", sandbox.path("html")], [0xE9]),
                    (["set", "-t", "text/rtf", "-f", sandbox.path("rtf")], [0xE9]),
                    (["set", "--files", sandbox.path("html")], Array(sandbox.path("html").utf8)),
                ] as [([String], [UInt8])] {
                    try await sandbox.require(command)
                    #expect(try await sandbox.xclipPastes("TARGETS").lines.contains("COMPOUND_TEXT"), "\(command)")
                    #expect(try await sandbox.xclipPastes("STRING").output == text, "\(command)")
                }
            }
        }

        @Test("xsel pastes text that xpb copied", arguments: [1, 4_001, 262_145, 1 << 20])
        func xselPastes(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", input: Payload.text(size))
                let pasted = try await sandbox.run(["xsel", "--output", "--clipboard"])
                #expect(Payload.difference(pasted.output, Payload.text(size)) == nil)
            }
        }

        @Test("xpb pastes text that xsel copied, in chunks of 4,000 bytes", arguments: [1, 4_000, 4_001, 1 << 20])
        func xselCopies(size: Int) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.text(size), to: "in")
                try await sandbox.awaitingChange {
                    _ = try await sandbox.shell("xsel --input --clipboard <in >/dev/null 2>&1")
                }
                let pasted = try await sandbox.require("get")
                #expect(Payload.difference(pasted.output, Payload.text(size)) == nil)
            }
        }

        @Test("PRIMARY is the find pasteboard, in both directions")
        func primaryIsFind() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-p", "find", "needle")
                #expect(try await sandbox.xclipPastes(from: "primary").text == "needle")
                #expect(try await sandbox.xclipPastes(from: "clipboard").status != 0)

                try sandbox.write(Array("thread".utf8), to: "in")
                try await sandbox.xclipCopies("in", to: "primary")
                #expect(try await sandbox.require("get", "-p", "primary").text == "thread")
            }
        }

        @Test("A pasteboard of an app is the selection of the same name")
        func anAppsOwnPasteboard() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-p", "com.example.scratch", "scratch")
                let reply = try await sandbox.ask("--selection", "com.example.scratch")
                #expect(reply.text == "scratch")
                #expect(try await sandbox.require("get", "-p", "com.example.scratch").text == "scratch")
            }
        }

        @Test("Several pasteboards are set in one call")
        func severalPasteboards() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-p", "general", "-p", "find", "both")
                #expect(try await sandbox.xclipPastes(from: "clipboard").text == "both")
                #expect(try await sandbox.xclipPastes(from: "primary").text == "both")
            }
        }

        @Test("STRING is Latin-1, with a question mark for each other character, however long the text is")
        func stringIsLatin1() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "café")
                let latin = try await sandbox.ask("--target", "STRING")
                #expect(latin.type == "STRING")
                #expect(latin.text == "caf\u{E9}")

                try await sandbox.require("set", "日本é")
                #expect(try await sandbox.ask("--target", "STRING").text == "??\u{E9}")
                #expect(try await sandbox.ask("--target", "UTF8_STRING").length == 8)
                let long = String(repeating: "a€", count: 100_000)
                try await sandbox.require("set", input: Array(long.utf8))
                let offered = try await sandbox.ask("--target", "TARGETS").names ?? []
                #expect(offered.contains("STRING") && offered.contains("COMPOUND_TEXT"))
                #expect(try await sandbox.ask("--target", "STRING").length == 200_000)
                #expect(try await sandbox.ask("--target", "COMPOUND_TEXT").type == "COMPOUND_TEXT")
            }
        }

        @Test(
            "Text that is not UTF-8 is pasted as text by every program, and comes back as it was written",
            arguments: [
                ("caf\u{E9}", Array("caf".utf8) + [0xE9]),
                ("é \u{E9}", Array("é ".utf8) + [0xE9]),
                ("café", [0xFF, 0xFE, 0x63, 0, 0x61, 0, 0x66, 0, 0xE9, 0]),
            ])
        func otherEncodings(text: String, bytes: [UInt8]) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", input: bytes)
                #expect(try await sandbox.require("get").output == bytes)
                #expect(try await sandbox.require("get", "-t", "text").text == text)
                for target in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"] {
                    #expect(try await sandbox.xclipPastes(target).text == text, "\(target)")
                }
                let latin = text.unicodeScalars.map { UInt8($0.value) }
                #expect(try await sandbox.xclipPastes("STRING").output == latin)
                let entry = try await sandbox.require("history", "search", "\u{E9}", "--json").text
                #expect(entry.contains("public.plain-text"))
                try await sandbox.require("set", "later")
                #expect(try await sandbox.require("history", "show", "1").output == bytes)
            }
        }

        @Test("TEXT is answered with type UTF8_STRING, and every other text target with its own type")
        func namesOfText() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "plain")
                for target in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING"] {
                    let reply = try await sandbox.ask("--target", target)
                    #expect(reply.type == target)
                    #expect(reply.text == "plain")
                }
                #expect(try await sandbox.ask("--target", "TEXT").type == "UTF8_STRING")
            }
        }

        @Test("Text can be pasted from an owner that offers only STRING")
        func ownerOfStringAlone() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write([0x63, 0x61, 0x66, 0xE9], to: "latin")
                try await sandbox.withPeer(["own", "--offer", "STRING", file]) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.require("get").text == "café")
                    #expect(try await sandbox.require("get", "-t", "STRING").output == [0x63, 0x61, 0x66, 0xE9])
                }
            }
        }
    }
}
