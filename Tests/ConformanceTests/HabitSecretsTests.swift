import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// CaptureTests.secret tests that only the list of targets is requested from the owner of a secret, and
    /// SecretTests.hint tests the hint that the bridge offers.
    @Suite("Habit: secrets of other programs", .requiresXvfb)
    struct HabitSecrets {
        private static let secret: [Offered] = [
            ("UTF8_STRING", Array("password".utf8)), ("x-kde-passwordManagerHint", Array("secret".utf8)),
        ]

        @Test(
            "When the owner of a secret releases it, earlier contents are not restored",
            arguments: ["disown", "destroy", "kill"])
        func cleared(how: String) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array("earlier".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                _ = try await sandbox.awaitStatus("captured", count: try await sandbox.count())
                try await sandbox.withOwner(Self.secret) { peer in
                    let count = try await sandbox.count()
                    _ = try await sandbox.awaitStatus("not captured", count: count)
                    if how == "kill" {
                        try await peer.process.kill()
                    } else {
                        try await peer.send(how)
                        _ = try await peer.await(how == "disown" ? "disowned" : "destroyed")
                    }
                    try await sandbox.require("wait", "--since", "\(count)", "--timeout", "60")
                    #expect(try await sandbox.xpb("get").status == 1)
                    #expect(try await sandbox.xclipPastes().status != 0)
                    #expect(try await sandbox.xpb("owner").status == 1)
                }
            }
        }

        @Test("A secret is read from its owner, marked as a secret, and not stored in the history")
        func live() async throws {
            try await Conformance.withOwner(Self.secret, captures: true) { sandbox, peer in
                #expect(try await sandbox.require("get").text == "password")
                #expect(try await sandbox.require("types").lines.contains("org.nspasteboard.ConcealedType"))
                try await sandbox.require("set", "next")
                let history = try await sandbox.xpb("history")
                #expect(!history.text.contains("password"), "\(history)")
                #expect(try await sandbox.xpb("undo").status != 0)
            }
        }
    }
}
