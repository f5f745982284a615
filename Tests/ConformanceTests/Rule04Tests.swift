import TestSupport
import Testing

extension Conformance {
    /// The number in the INCR property: RequestorTests.hint.
    @Suite("Rule 4: INCR receive", .requiresXvfb)
    struct Rule04 {
        private static let type = "image/png"
        private static let bytes = Payload.random(300_000)
        private static let chunks = ["--incr", "65536"]

        private static func read(
            _ options: [String], _ body: (Sandbox, Peer, Outcome) async throws -> Void
        ) async throws {
            try await Conformance.withOwner([(type, bytes)], chunks + options) { sandbox, peer in
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "5")
                try await body(sandbox, peer, pasted)
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test("The INCR property may be of any format", arguments: ["8", "16"])
        func formatOfTheAnnouncement(format: String) async throws {
            try await Self.read(["--hint", "1", "--hint-format", format]) { _, _, pasted in
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
            }
        }

        @Test(
            "A type or a format that changes midway is an error, and the rest is taken, so that the owner ends",
            arguments: ["type", "format"], [1, 3])
        func inconsistent(what: String, chunk: Int) async throws {
            try await Self.read(["--change-\(what)-after", "\(chunk)"]) { _, peer, pasted in
                #expect(pasted.status == 5 && pasted.output.isEmpty, "\(pasted)")
                let sent = try await peer.await("sent")
                #expect(sent.length == Self.bytes.count)
            }
        }

        @Test("The zero-length write ends it, whatever its type or format", arguments: ["type", "format"])
        func typeOfTheEnd(what: String) async throws {
            try await Self.read(["--change-\(what)-after", "5"]) { _, peer, pasted in
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
                _ = try await peer.await("sent")
            }
        }

        @Test("Nothing but the zero-length write ends it, not the announced length either")
        func withoutEnd() async throws {
            try await Self.read(["--no-final"]) { _, peer, pasted in
                #expect(pasted.status == 5 && pasted.output.isEmpty, "\(pasted)")
                #expect(pasted.error.contains("\(Self.bytes.count) bytes"))
                _ = try await peer.await("unfinished")
            }
        }

        /// What is written over what was not read is lost, and nobody can tell; the bridge is not to come out of step.
        @Test("Chunks that are written before the property was deleted leave all in order", arguments: [1, 2, 5, 6])
        func early(chunks: Int) async throws {
            try await Self.read(["--early", "\(chunks)"]) { sandbox, _, pasted in
                #expect([0, 5].contains(pasted.status), "\(pasted)")
                // No more than was sent.
                #expect(pasted.output.count <= Self.bytes.count)
            }
        }

        @Test(
            "Formats of 16 and 32 bits come whole, in one piece and in many", arguments: ["16", "32"], [100, 65_536])
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

/// Apart from the others, which have less time.
@Suite("Rule 4, at length", .requiresXvfb, .timeLimit(.minutes(20)))
struct Rule04AtLength {
    @Test("A hundred thousand chunks of one byte come whole")
    func oneByteChunks() async throws {
        let bytes = Payload.random(100_000)
        try await Conformance.withOwner([("image/png", bytes)], ["--incr", "1", "--quiet"]) { sandbox, _ in
            let pasted = try await sandbox.require("get", "-t", "image/png", "--timeout", "60")
            #expect(Payload.difference(pasted.output, bytes) == nil)
        }
    }
}
