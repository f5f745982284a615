import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Contents that are removed after they have been pasted once.
    @Suite("Pasted once", .requiresXvfb)
    struct PasteOnceTests {
        /// Waits for the change after `count`, and expects no contents after the change.
        private static func expectGone(after count: Int, in sandbox: Sandbox) async throws {
            let changed = try await sandbox.require("wait", "--since", "\(count)", "--timeout", "60")
            #expect(changed.number == count + 1)
            #expect(try await sandbox.xpb("get").status == 1)
            #expect(try await sandbox.xclipPastes().status != 0)
        }

        @Test("Contents pasted by xclip or xpb are removed soon after", arguments: [false, true])
        func pasted(byClient: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--once", "text")
                let count = try await sandbox.count()
                if byClient {
                    #expect(try await sandbox.require("get").text == "text")
                } else {
                    #expect(try await sandbox.xclipPastes().text == "text")
                }
                try await Self.expectGone(after: count, in: sandbox)
            }
        }

        @Test("A browser's requests, after sixteen requests for TARGETS, count as one paste")
        func burst() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--once", "text")
                let count = try await sandbox.count()
                for _ in 0..<16 { #expect(try await sandbox.ask("--target", "TARGETS").event == "reply") }
                #expect(try await sandbox.ask("--target", "image/png").event == "refused")
                let targets = ["text/plain;charset=utf-8", "UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING"]
                try await sandbox.withPeer(["ask", "--multiple"] + targets) { peer in
                    let pairs = try await peer.await("pairs")
                    #expect(pairs.names?.contains { $0 == nil } == false)
                }
                try await Self.expectGone(after: count, in: sandbox)
            }
        }

        @Test("Long text is pasted completely although it is removed during the transfer")
        func long() async throws {
            try await Sandbox.with { sandbox in
                let text = [UInt8](repeating: 0x61, count: 3_000_000)
                try await sandbox.require("set", "--once", input: text)
                let count = try await sandbox.count()
                #expect(try await sandbox.xclipPastes().output == text)
                try await Self.expectGone(after: count, in: sandbox)
            }
        }

        @Test(
            "A paste-once secret leaves nothing in the bridge's memory",
            .enabled(if: !Binaries.areSanitized, "a sanitizer keeps freed memory"))
        func secret() async throws {
            try await Sandbox.with { sandbox in
                let secret = "once-\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
                try await sandbox.require("set", "--concealed", "--once", "--expires", "1h", input: Array(secret.utf8))
                let count = try await sandbox.count()
                #expect(try await sandbox.xclipPastes().text == secret)
                try await Self.expectGone(after: count, in: sandbox)
                try await Search(for: secret).awaitForgotten(by: try sandbox.bridge(), in: sandbox)
            }
        }
    }
}
