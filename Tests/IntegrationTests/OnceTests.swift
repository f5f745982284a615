import TestSupport
import Testing

extension Integration {
    /// Contents that are pasted once.
    @Suite("Pasted once", .requiresXvfb)
    struct OnceTests {
        /// Awaits the step behind that count, which is to leave nothing.
        private static func expectGone(after count: Int, in sandbox: Sandbox) async throws {
            let changed = try await sandbox.require("wait", "--since", "\(count)", "--timeout", "60")
            #expect(changed.number == count + 1)
            #expect(try await sandbox.xpb("get").status == 1)
            #expect(try await sandbox.xclipPastes().status != 0)
        }

        @Test("What xclip or xpb has pasted is gone soon after", arguments: [false, true])
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

        @Test("The targets that a browser asks for, and their list sixteen times before, are one paste")
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

        @Test("A long text is pasted whole, though it goes meanwhile")
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
            "A secret that is pasted once leaves nothing in the bridge's memory",
            .enabled(if: !Binaries.areSanitized, "a sanitizer keeps what was freed"))
        func secret() async throws {
            try await Sandbox.with { sandbox in
                let secret = "once-\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
                try await sandbox.require("set", "--concealed", "--once", "--expires", "1h", input: Array(secret.utf8))
                let count = try await sandbox.count()
                #expect(try await sandbox.xclipPastes().text == secret)
                try await Self.expectGone(after: count, in: sandbox)
                try await Search(for: secret).expectForgotten(by: try sandbox.bridge(), in: sandbox)
            }
        }
    }
}
