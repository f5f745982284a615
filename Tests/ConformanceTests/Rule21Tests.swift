import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// RequestorTests tests a list of type TARGETS, and TextTests tests an owner that offers only STRING.
    @Suite("Rule 21: owners with a faulty TARGETS", .requiresXvfb)
    struct Rule21 {
        private static let offers: [Offered] = [("image/png", [1, 2, 3]), ("UTF8_STRING", Array("text".utf8))]

        /// Runs `body`, and expects exactly the given number of requests for TARGETS.
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

        @Test("An owner without a list is asked for text, and for the list once per command", arguments: noLists)
        func nothing(options: [String]) async throws {
            try await Self.withOwner(options, lists: 2) { sandbox, _ in
                let pasted = try await sandbox.require("get")
                #expect(pasted.text == "text")
                #expect(try await sandbox.xpb("get", "-t", "image/png").status == 1)
            }
        }

        @Test("A list of format 8 is ignored")
        func bytes() async throws {
            let offers = Self.offers + [("TARGETS", Array("UTF8_STRING image/png".utf8))]
            try await Conformance.withOwner(offers) { sandbox, peer in
                let pasted = try await sandbox.require("get")
                #expect(pasted.text == "text")
                #expect(try await peer.requestsUntilNow().filter { $0 == "TARGETS" } == ["TARGETS"])
            }
        }

        @Test("A list sent by INCR is accepted", arguments: [4, 8, 4_000])
        func incremental(chunk: Int) async throws {
            try await Self.withOwner(["--incr-list", "--incr", "\(chunk)", "--more", "20"], lists: 2) { sandbox, _ in
                #expect(try await sandbox.require("get", "-t", "image/png").output == [1, 2, 3])
                let listed = try await sandbox.require("types", "--targets").lines
                #expect(listed.suffix(2) == ["image/png", "UTF8_STRING"] && listed.count == 22, "\(listed)")
            }
        }

        @Test("Invalid atoms in a list do not affect other names, now or later")
        func noAtoms() async throws {
            try await Self.withOwner(["--no-atoms", "3"], lists: 2) { sandbox, _ in
                #expect(try await sandbox.require("types", "--targets").lines == ["image/png", "UTF8_STRING"])
                #expect(try await sandbox.require("get", "-t", "image/png").output == [1, 2, 3])
                // A cache that was corrupted would return another atom for the name.
                try await sandbox.require("set", "-t", "image/png", "--text", "ours")
                #expect(try await sandbox.xclipPastes("image/png").text == "ours")
                try await sandbox.require("set", "-t", "application/x-xpb-later", "--text", "later")
                #expect(try await sandbox.xclipPastes("application/x-xpb-later").text == "later")
            }
        }

        @Test("A target listed a hundred times is one type")
        func duplicates() async throws {
            try await Self.withOwner(["--repeat", "100"], lists: 1) { sandbox, _ in
                let listed = try await sandbox.require("types", "--targets").lines
                #expect(listed == ["image/png", "UTF8_STRING"])
            }
        }

        @Test("At most 1,024 of five thousand names are looked up, and common names after the limit are still found")
        func endless() async throws {
            try await Self.withOwner(["--more", "5000"], lists: 2) { sandbox, _ in
                let listed = try await sandbox.require("types", "--targets").lines
                #expect(listed.count == 1_024 + 2)
                #expect(Set(listed.suffix(2)) == ["image/png", "UTF8_STRING"])
                #expect(try await sandbox.require("get").text == "text")
            }
        }

        @Test("A list of more than a megabyte is ignored, and text is still found")
        func huge() async throws {
            let options = ["--repeat", "70000", "--incr-list", "--incr", "200000", "--quiet"]
            try await Self.withOwner(options, lists: 1) { sandbox, _ in
                let pasted = try await sandbox.require("get")
                #expect(pasted.text == "text")
            }
        }

        @Test("A list that never arrives times out, and is not requested again")
        func silent() async throws {
            try await Self.withOwner(["--silent-for", "TARGETS"], lists: 1) { sandbox, _ in
                let pasted = try await sandbox.xpb("get", "--timeout", "1")
                #expect(pasted.status == 3, "\(pasted)")
            }
        }
    }
}
