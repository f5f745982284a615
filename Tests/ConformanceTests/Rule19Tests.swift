import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// IdentifiersTests tests the distance of times at 2³¹ and 2³², and OwnerTests.timeIsEchoed tests the times of
    /// requests.
    @Suite("Rule 19: times of ownership (ICCCM 2.1)", .requiresXvfb)
    struct Rule19 {
        private static let text: [Offered] = [("UTF8_STRING", Array("theirs".utf8))]

        @Test("A claim with an earlier or future time is ignored", arguments: ["own-with", "own-at"])
        func refused(command: String) async throws {
            try await Conformance.withOwner(Self.text, ["--not-yet"]) { sandbox, peer in
                try await sandbox.require("set", "ours")
                let count = try await sandbox.count()
                let time = try #require(try await sandbox.ask("--target", "TIMESTAMP").values?.first)
                try await peer.send(command == "own-with" ? "own-with \(time - 1)" : "own-at 600000")
                _ = try await peer.await("not-owned")
                #expect(try await sandbox.count() == count)
                #expect(try await sandbox.xclipPastes().text == "ours")
            }
        }

        @Test(
            "An owner that claims with CurrentTime or a past time is recognized, and the bridge can claim after it",
            arguments: [true, false])
        func unusual(isCurrent: Bool) async throws {
            try await Conformance.withOwner(Self.text, ["--not-yet"]) { sandbox, peer in
                let count = try await sandbox.count()
                // The selection has had no owner since that time.
                try await peer.send(isCurrent ? "own-at current" : "own-at -20")
                _ = try await peer.await("owned")
                #expect(try await sandbox.count() == count + 1)
                #expect(try await sandbox.require("get").text == "theirs")
                try await sandbox.require("set", "ours")
                #expect(try await sandbox.xclipPastes().text == "ours")
            }
        }

        @Test("The bridge claims with increasing server times, never with CurrentTime")
        func ours() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                try await sandbox.withPeer(["watch"]) { watch in
                    _ = try await watch.await("watching")
                    var times: [Int] = []
                    for text in ["one", "two", "three"] {
                        try await sandbox.require("set", text)
                        let time = try #require(try await watch.await("owner").time)
                        times.append(time)
                        #expect(try await sandbox.ask("--target", "TIMESTAMP").values == [time])
                    }
                    #expect(times.allSatisfy { $0 > 0 })
                    #expect(times == times.sorted() && Set(times).count == times.count)
                }
            }
        }
    }
}
