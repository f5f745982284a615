import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The bridge's log, which names pasteboards, programs and counts, but never contents.
    @Suite("The log", .requiresXvfb)
    struct LogTests {
        private static func random() -> String {
            let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
            return String(decoding: (0..<24).map { _ in letters.randomElement() ?? 0x61 }, as: UTF8.self)
        }

        @Test("The reports of status and doctor contain no copied text and no copied secret")
        func reports() async throws {
            let (text, secret, owned) = (Self.random(), Self.random(), Self.random())
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-p", "find", "--concealed", input: Array(secret.utf8))
                try await sandbox.require("set", "--text", text)
                let file = try sandbox.write(Array(owned.utf8), to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.require("get").text == owned)
                    for command in [["status"], ["status", "--json"], ["doctor", "--verbose"]] {
                        let report = try await sandbox.run(["xpb"] + command + ["--timeout", "60"])
                        #expect(!report.output.isEmpty, "\(report)")
                        for content in [text, secret, owned] {
                            #expect(!report.text.contains(content) && !report.error.contains(content), "\(report)")
                        }
                    }
                }
            }
        }

        @Test("At level trace, the log contains no copied text, secret, link or type name")
        func content() async throws {
            let (text, secret, type, link, owned) = (
                Self.random(), Self.random(), "application/x-\(Self.random())", "https://\(Self.random()).example/",
                Self.random()
            )
            try await Sandbox.with { sandbox in
                // A filter that writes its input to standard error.
                let configuration = #"{"filters": {"public.svg-image -> public.png": ["sh", "-c", "cat >&2; exit 3"]}}"#
                try sandbox.writeConfiguration(configuration)
                let verbose = sandbox.changing(["XPB_LOG_LEVEL": "trace"])
                try await verbose.require("set", "--text", text)
                #expect(try await verbose.xclipPastes().text == text)
                try await verbose.require("set", "-t", type, "--text", text, "-t", "url", "--text", link)
                #expect(try await verbose.xclipPastes(type).text == text)
                #expect(try await verbose.xpb("get", "-t", "\(type).none").status == 1)
                try await verbose.require("set", "--concealed", input: Array(secret.utf8))
                #expect(try await verbose.xclipPastes().text == secret)
                try await verbose.require("set", "-t", "image/svg+xml", "--text", text)
                #expect(try await verbose.xpb("get", "-t", "image/png").status == 5)
                // The contents of another program are read, captured, and taken over when that program ends.
                let file = try sandbox.write(Array(owned.utf8), to: "in")
                let before = try await verbose.count()
                try await verbose.withPeer(["own", "--offer", "UTF8_STRING", file, "--offer", type, file]) { peer in
                    _ = try await peer.await("owned")
                    try await verbose.require("wait", "--since", "\(before)", "--timeout", "60")
                    #expect(try await verbose.require("get").text == owned)
                    #expect(try await verbose.require("get", "-t", type).text == owned)
                    _ = try await verbose.awaitStatus("captured", count: before + 1)
                    try await verbose.awaitingTakeover { try await peer.process.kill() }
                }
                try await verbose.require("history", "search", text)
                try await verbose.require("undo")
                try await verbose.require("bridge", "stop")

                let log = try await sandbox.shell("cat run/xpb/*.log").text
                #expect(log.contains("debug") && log.contains("general changed"), "\(log)")
                for content in [text, secret, type, link, owned] {
                    #expect(!log.lowercased().contains(content), "\(content) is in: \(log)")
                }
            }
        }
    }
}
