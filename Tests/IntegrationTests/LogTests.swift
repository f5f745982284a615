import TestSupport
import Testing

extension Integration {
    /// What the bridge logs is of pasteboards, programs and counts, never of what is copied.
    @Suite("The log", .requiresXvfb)
    struct LogTests {
        private static func random() -> String {
            let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
            return String(decoding: (0..<24).map { _ in letters.randomElement() ?? 0x61 }, as: UTF8.self)
        }

        @Test("At its most talkative it has no text, secret, link or name of a type that was copied or pasted")
        func content() async throws {
            let (text, secret, type, link, owned) = (
                Self.random(), Self.random(), "application/x-\(Self.random())", "https://\(Self.random()).example/",
                Self.random()
            )
            try await Sandbox.with { sandbox in
                // A filter that says what it is given.
                let configuration = #"{"filters": {"public.svg-image -> public.png": ["sh", "-c", "cat >&2; exit 3"]}}"#
                _ = try await sandbox.shell("mkdir -p .config/xpb")
                try sandbox.write(Array(configuration.utf8), to: ".config/xpb/config.json")
                let talkative = sandbox.changing(["XPB_LOG_LEVEL": "trace"])
                try await talkative.require("set", "--text", text)
                #expect(try await talkative.xclipPastes().text == text)
                try await talkative.require("set", "-t", type, "--text", text, "-t", "url", "--text", link)
                #expect(try await talkative.xclipPastes(type).text == text)
                #expect(try await talkative.xpb("get", "-t", "\(type).none").status == 1)
                try await talkative.require("set", "--concealed", input: Array(secret.utf8))
                #expect(try await talkative.xclipPastes().text == secret)
                try await talkative.require("set", "-t", "image/svg+xml", "--text", text)
                #expect(try await talkative.xpb("get", "-t", "image/png").status == 5)
                // What another program copies is read, captured, and taken over when that ends.
                let file = try sandbox.write(Array(owned.utf8), to: "in")
                let before = try await talkative.count()
                try await talkative.withPeer(["own", "--offer", "UTF8_STRING", file, "--offer", type, file]) { peer in
                    _ = try await peer.await("owned")
                    try await talkative.require("wait", "--since", "\(before)", "--timeout", "60")
                    #expect(try await talkative.require("get").text == owned)
                    #expect(try await talkative.require("get", "-t", type).text == owned)
                    try await peer.process.kill()
                }
                try await talkative.require("history", "search", text)
                try await talkative.require("undo")
                try await talkative.require("bridge", "stop")

                let log = try await sandbox.shell("cat run/xpb/*.log").text
                #expect(log.contains("debug") && log.contains("general changed"), "\(log)")
                for content in [text, secret, type, link, owned] {
                    #expect(!log.lowercased().contains(content), "\(content) is in: \(log)")
                }
            }
        }
    }
}
