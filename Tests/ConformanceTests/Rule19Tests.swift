import TestSupport
import Testing

extension Conformance {
    /// The comparison at 2³¹ and 2³²: IdentifiersTests. The times of requests: OwnerTests.timeIsEchoed.
    @Suite("Rule 19: Times of ownership", .requiresXvfb)
    struct Rule19 {
        private static let text: [Offered] = [("UTF8_STRING", Array("theirs".utf8))]

        @Test("A time before ours, or one to come, takes nothing from us", arguments: ["own-with", "own-at"])
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
            "An owner by CurrentTime, or by a time that is past, is one, and is followed by us",
            arguments: [true, false])
        func unusual(isCurrent: Bool) async throws {
            try await Conformance.withOwner(Self.text, ["--not-yet"]) { sandbox, peer in
                let count = try await sandbox.count()
                // Nobody has had it since then.
                try await peer.send(isCurrent ? "own-at current" : "own-at -20")
                _ = try await peer.await("owned")
                #expect(try await sandbox.count() == count + 1)
                #expect(try await sandbox.require("get").text == "theirs")
                try await sandbox.require("set", "ours")
                #expect(try await sandbox.xclipPastes().text == "ours")
            }
        }

        @Test("We own by the server's time, never by CurrentTime, and by a later one at each change")
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
