import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// The number in the INCR property is tested in RequestorTests.hint.
    @Suite("Rule 4: receiving by INCR (ICCCM 2.7.2)", .requiresXvfb)
    struct Rule04 {
        private static let type = "image/png"
        private static let bytes = Payload.random(300_000)
        private static let chunks = ["--incr", "65536"]

        private static func read(
            _ options: [String], timeout: Int = 60, _ body: (Sandbox, Peer, Outcome) async throws -> Void
        ) async throws {
            try await Conformance.withOwner([(type, bytes)], chunks + options) { sandbox, peer in
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "\(timeout)")
                try await body(sandbox, peer, pasted)
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test("The INCR property may have any format", arguments: ["8", "16"])
        func formatOfTheAnnouncement(format: String) async throws {
            try await Self.read(["--hint", "1", "--hint-format", format]) { _, _, pasted in
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
            }
        }

        @Test(
            "If the type or format changes midway, reading fails after the earlier part, and the rest is drained",
            arguments: ["type", "format"], [1, 3])
        func inconsistent(what: String, chunk: Int) async throws {
            try await Self.read(["--change-\(what)-after", "\(chunk)"]) { _, peer, pasted in
                #expect(pasted.status == 5 && pasted.output == Array(Self.bytes.prefix(chunk * 65_536)), "\(pasted)")
                let sent = try await peer.await("sent")
                #expect(sent.length == Self.bytes.count)
            }
        }

        @Test("A zero-length chunk ends the transfer, whatever its type or format", arguments: ["type", "format"])
        func typeOfTheEnd(what: String) async throws {
            try await Self.read(["--change-\(what)-after", "5"]) { _, peer, pasted in
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
                _ = try await peer.await("sent")
            }
        }

        @Test("Only a zero-length chunk ends a transfer, even after the announced length")
        func withoutEnd() async throws {
            try await Self.read(["--no-final"], timeout: 10) { _, peer, pasted in
                #expect(pasted.status == 5 && pasted.output == Self.bytes, "\(pasted)")
                #expect(pasted.error.contains("\(Self.bytes.count) bytes"))
                _ = try await peer.await("unfinished")
            }
        }

        /// A value that is overwritten before it is read is lost, which cannot be detected; the bridge must not lose
        /// track of the transfer.
        @Test("Chunks written before the property was deleted do not disturb later transfers", arguments: [1, 2, 5, 6])
        func early(chunks: Int) async throws {
            try await Self.read(["--early", "\(chunks)"], timeout: 1) { sandbox, _, pasted in
                // The status is 3 if the owner had not begun by then.
                #expect([0, 3, 5].contains(pasted.status), "\(pasted)")
                // Not more bytes than were sent.
                #expect(pasted.output.count <= Self.bytes.count)
            }
        }

        @Test(
            "Values of format 16 and 32 arrive complete, in one piece and in chunks", arguments: ["16", "32"],
            [100, 65_536])
        func formats(format: String, length: Int) async throws {
            let bytes = Payload.random(length)
            let options = ["--format", Self.type, format, "--incr", "4000"]
            try await Conformance.withOwner([(Self.type, bytes)], options) { sandbox, _ in
                let pasted = try await sandbox.require("get", "-t", Self.type)
                #expect(Payload.difference(pasted.output, bytes) == nil)
            }
        }
    }
}

/// The tests of rule 4 that need a longer time limit.
@Suite("Rule 4, long transfers", .requiresXvfb, .timeLimit(.minutes(20)))
struct Rule04AtLength {
    @Test("A hundred thousand chunks of one byte arrive complete")
    func oneByteChunks() async throws {
        let bytes = Payload.random(100_000)
        try await Conformance.withOwner([("image/png", bytes)], ["--incr", "1", "--rapid"]) { sandbox, _ in
            let pasted = try await sandbox.require("get", "-t", "image/png", "--timeout", "60")
            #expect(Payload.difference(pasted.output, bytes) == nil)
        }
    }
}
