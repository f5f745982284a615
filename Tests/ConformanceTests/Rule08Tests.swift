import TestSupport
import Testing

extension Conformance {
    /// A window that is followed by another within ten milliseconds: CaptureTests.renewed. A selection that is given up
    /// though it was captured: CaptureTests.givenUp.
    @Suite("Rule 8: Owners are told apart by the order of events, a clear from a death", .requiresXvfb)
    struct Rule08 {
        private static let text: [Offered] = [("UTF8_STRING", Array("text".utf8))]

        @Test("Owned again, given up, without its window, killed: each is one change")
        func each() async throws {
            try await Conformance.withOwner(Self.text) { sandbox, peer in
                var count = try await sandbox.count()
                // The server has told of it by then, so it is known to who asks now.
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

        /// As fast as the peer can, several within each of the server's milliseconds.
        @Test("A thousand in a row, many of them with one time of the server's, are a thousand changes")
        func sameTime() async throws {
            try await Conformance.withOwner(Self.text) { sandbox, peer in
                let before = try await sandbox.count()
                try await peer.send("churn 1000 1000000")
                _ = try await peer.await("churned")
                #expect(try await sandbox.count() == before + 1_000)
                #expect(try await sandbox.require("get").text == "text")
            }
        }

        @Test("An owner that takes it with the very time that we had it with is the owner")
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

        @Test("An owner whose window is destroyed is dead: what was captured of it is the contents")
        func destroyed() async throws {
            try await Conformance.withOwner(Self.text, captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                _ = try await sandbox.awaitStatus("captured", count: count)
                try await sandbox.awaitingTakeOver {
                    try await peer.send("destroy")
                    _ = try await peer.await("destroyed")
                }
                #expect(try await sandbox.xclipPastes().text == "text")
                #expect(try await sandbox.count() == count)
            }
        }
    }
}
