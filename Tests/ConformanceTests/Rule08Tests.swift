import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// CaptureTests.renewed tests a window that is followed by another within ten milliseconds, and
    /// CaptureTests.released tests the release of a captured selection.
    @Suite("Rule 8: the order of XFixes events distinguishes owners, and a release differs from a death", .requiresXvfb)
    struct Rule08 {
        private static let text: [Offered] = [("UTF8_STRING", Array("text".utf8))]

        @Test("A new claim, a release, a destroyed window and a killed owner count as one change each")
        func each() async throws {
            try await Conformance.withOwner(Self.text) { sandbox, peer in
                var count = try await sandbox.count()
                // The server sends the event before the peer's answer, so the bridge has received it by the next
                // command.
                func expectStep(_ command: String, _ answer: String) async throws {
                    try await peer.send(command)
                    _ = try await peer.await(answer)
                    count += 1
                    #expect(try await sandbox.count() == count, "\(command)")
                }
                func expectDeath(_ kill: () async throws -> Void) async throws {
                    try await kill()
                    let after = try await sandbox.require("wait", "--since", "\(count)", "--timeout", "60")
                    count += 1
                    #expect(after.number == count)
                    #expect(try await sandbox.xpb("get").status == 1)
                }
                for _ in 0..<3 { try await expectStep("own", "owned") }
                try await expectStep("disown", "disowned")
                #expect(try await sandbox.xpb("get").status == 1)
                try await expectStep("own", "owned")
                try await expectDeath {
                    try await peer.send("destroy")
                    _ = try await peer.await("destroyed")
                }
                try await expectStep("own", "owned")
                #expect(try await sandbox.require("get").text == "text")
                try await expectDeath { try await peer.process.kill() }
                #expect(try await sandbox.count() == count)
            }
        }

        /// The peer is as fast as it can be, with several claims in each millisecond of the server.
        @Test("A thousand claims in a row, many with equal server times, are a thousand changes")
        func sameTime() async throws {
            try await Conformance.withOwner(Self.text) { sandbox, peer in
                let before = try await sandbox.count()
                try await peer.send("churn 1000 1000000")
                _ = try await peer.await("churned")
                // A busy server may report the last claims later than a single call waits for them.
                try await sandbox.require("wait", "--since", "\(before + 999)", "--timeout", "60")
                #expect(try await sandbox.count() == before + 1_000)
                #expect(try await sandbox.require("get").text == "text")
            }
        }

        @Test("A program that claims the selection with the bridge's own time is the owner")
        func equalTime() async throws {
            try await Conformance.withOwner(Self.text, ["--not-yet"]) { sandbox, peer in
                try await sandbox.require("set", "ours")
                let count = try await sandbox.count()
                let acquired = try await sandbox.ask("--target", "TIMESTAMP")
                try await peer.send("own-with \(try #require(acquired.values?.first))")
                _ = try await peer.await("owned")
                #expect(try await sandbox.count() == count + 1)
                #expect(try await sandbox.require("get").text == "text")
                try await sandbox.require("set", "ours")
                #expect(try await sandbox.xclipPastes().text == "ours")
            }
        }

        @Test("An owner whose window is destroyed counts as dead, and the captured contents replace its contents")
        func destroyed() async throws {
            try await Conformance.withOwner(Self.text, captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                _ = try await sandbox.awaitStatus("captured", count: count)
                try await sandbox.awaitingTakeover {
                    try await peer.send("destroy")
                    _ = try await peer.await("destroyed")
                }
                #expect(try await sandbox.xclipPastes().text == "text")
                #expect(try await sandbox.count() == count)
            }
        }
    }
}
