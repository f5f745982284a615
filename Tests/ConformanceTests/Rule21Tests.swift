import TestSupport
import Testing

extension Conformance {
    /// TARGETS typed TARGETS: RequestorTests. An owner of STRING alone: TextTests.
    @Suite("Rule 21: Weak TARGETS", .requiresXvfb)
    struct Rule21 {
        private static let offers: [Offered] = [("image/png", [1, 2, 3]), ("UTF8_STRING", Array("text".utf8))]

        /// Runs `body`, and expects TARGETS to be asked for so often and no oftener.
        private static func withOwner(
            _ options: [String], lists: Int, _ body: (Sandbox, Peer) async throws -> Void
        ) async throws {
            try await Conformance.withOwner(offers, options) { sandbox, peer in
                try await body(sandbox, peer)
                let asked = try await peer.requestsUntilNow().filter { $0 == "TARGETS" }.count
                #expect(asked == lists)
            }
        }

        static let noLists = [
            ["--refuse", "TARGETS"], ["--no-property", "TARGETS"], ["--empty-list"],
            ["--empty-list", "--incr-list", "--incr", "40"],
        ]

        @Test("An owner that lists nothing is asked for a text, and for its list only once", arguments: noLists)
        func nothing(options: [String]) async throws {
            try await Self.withOwner(options, lists: 2) { sandbox, _ in
                let pasted = try await sandbox.require("get")
                #expect(pasted.text == "text")
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 1)
            }
        }

        @Test("A list of bytes is none")
        func bytes() async throws {
            let offers = Self.offers + [("TARGETS", Array("UTF8_STRING image/png".utf8))]
            try await Conformance.withOwner(offers) { sandbox, peer in
                let pasted = try await sandbox.require("get")
                #expect(pasted.text == "text")
                #expect(try await peer.requestsUntilNow().filter { $0 == "TARGETS" } == ["TARGETS"])
            }
        }

        @Test("A list that comes in chunks is a list", arguments: [4, 8, 4_000])
        func incremental(chunk: Int) async throws {
            try await Self.withOwner(["--incr-list", "--incr", "\(chunk)", "--more", "20"], lists: 2) { sandbox, _ in
                #expect(try await sandbox.require("get", "-t", "image/png").output == [1, 2, 3])
                let listed = try await sandbox.require("types", "--targets").lines
                #expect(listed.suffix(2) == ["image/png", "UTF8_STRING"] && listed.count == 22, "\(listed)")
            }
        }

        @Test("Numbers that are no atoms shift no name, now or later")
        func noAtoms() async throws {
            try await Self.withOwner(["--no-atoms", "3"], lists: 2) { sandbox, _ in
                #expect(try await sandbox.require("types", "--targets").lines == ["image/png", "UTF8_STRING"])
                #expect(try await sandbox.require("get", "-t", "image/png").output == [1, 2, 3])
                // A cache that was led astray would give another atom for the name.
                try await sandbox.require("set", "-t", "image/png", "--text", "ours")
                #expect(try await sandbox.xclipPastes("image/png").text == "ours")
                try await sandbox.require("set", "-t", "application/x-xpb-later", "--text", "later")
                #expect(try await sandbox.xclipPastes("application/x-xpb-later").text == "later")
            }
        }

        @Test("What is listed a hundred times is one type")
        func duplicates() async throws {
            try await Self.withOwner(["--repeat", "100"], lists: 1) { sandbox, _ in
                let listed = try await sandbox.require("types", "--targets").lines
                #expect(listed == ["image/png", "UTF8_STRING"])
            }
        }

        @Test("Of five thousand names no more than 1,024 are looked up, and the usual ones are found behind them")
        func endless() async throws {
            try await Self.withOwner(["--more", "5000"], lists: 2) { sandbox, _ in
                let listed = try await sandbox.require("types", "--targets").lines
                #expect(listed.count == 1_024 + 2)
                #expect(Set(listed.suffix(2)) == ["image/png", "UTF8_STRING"])
                #expect(try await sandbox.require("get").text == "text")
            }
        }

        @Test("A list of more than a megabyte is none, and there is a text all the same")
        func huge() async throws {
            let options = ["--repeat", "70000", "--incr-list", "--incr", "200000", "--quiet"]
            try await Self.withOwner(options, lists: 1) { sandbox, _ in
                let pasted = try await sandbox.require("get")
                #expect(pasted.text == "text")
            }
        }

        @Test("A list that never comes is waited for in its time, and not asked for again")
        func silent() async throws {
            try await Self.withOwner(["--silent-for", "TARGETS"], lists: 1) { sandbox, _ in
                let pasted = try await sandbox.xpb("get", "--timeout", "1")
                #expect(pasted.status == 3, "\(pasted)")
            }
        }
    }
}
