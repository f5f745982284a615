import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 5: sending by INCR (ICCCM 2.7.2)", .requiresXvfb)
    struct Rule05 {
        private static let type = "image/png"
        private static let chunk = 262_144

        /// Copies contents of the given size, and checks every chunk that a peer receives.
        private static func expectWhole(
            _ size: Int, chunk: Int, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(size), to: "in")
                try await sandbox.require("set", "-t", type, "-f", "in")
                let arguments = ["ask", "--target", type, "--out", sandbox.path("out")]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("notify")
                    var event = try await peer.next()
                    if size > chunk {
                        #expect(event.event == "incr", sourceLocation: sourceLocation)
                        #expect(event.values == [size], "the length was wrong", sourceLocation: sourceLocation)
                        event = try await peer.next()
                        while event.event == "chunk" {
                            #expect(event.type == type && event.format == 8, sourceLocation: sourceLocation)
                            #expect((1...chunk).contains(event.length ?? 0), sourceLocation: sourceLocation)
                            event = try await peer.next()
                        }
                    }
                    // The peer would report an empty chunk whose type or format differs from the other chunks.
                    #expect(event.event == "reply", sourceLocation: sourceLocation)
                    #expect(event.type == type && event.length == size, sourceLocation: sourceLocation)
                }
                try await sandbox.expectSame("out", "in", sourceLocation: sourceLocation)
            }
        }

        @Test(
            "Contents over 262,144 bytes are sent after their exact length, in chunks of at most 262,144 bytes",
            arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1, 64 << 20])
        func sizes(size: Int) async throws {
            try await Self.expectWhole(size, chunk: Self.chunk)
        }

        @Test(
            "A server without BIG-REQUESTS gets shorter chunks",
            arguments: [262_039, 262_040, 262_041, chunk, 3_000_000])
        func smallRequests(size: Int) async throws {
            let display = Xvfb.nameToKeep()
            let other = try #require(Xvfb.display)
            let server = [Binaries.fixture("small_requests.py"), display, other]
            _ = try await running(server, environment: Binaries.baseEnvironment) { server in
                #expect(try await server.line() == "ready")
                try await Xvfb.$display.withValue(display) {
                    try await Self.expectWhole(size, chunk: 262_040)
                }
                try await server.finish()
            }
        }

        /// Runs `body` while the bridge owns 2,000,000 bytes, which are also in the file `in`.
        private static func withContents(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(2_000_000), to: "in")
                try await sandbox.require("set", "-t", type, "-f", "in")
                try await body(sandbox)
            }
        }

        @Test(
            "A requestor that deletes the property before the notify, is slow, or restarts midway receives everything",
            arguments: [["--delete", "early"], ["--delay", "0.2"], ["--again-after", "3"]])
        func whole(faults: [String]) async throws {
            try await Self.withContents { sandbox in
                let reply = try await sandbox.ask(["--target", Self.type, "--out", sandbox.path("out")] + faults)
                #expect(reply.event == "reply")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("A requestor that deletes each chunk twice loses chunks, but finishes and disturbs no other requestor")
        func twice() async throws {
            try await Self.withContents { sandbox in
                let reply = try await sandbox.ask("--target", Self.type, "--delete", "twice")
                #expect(reply.event == "reply")
                #expect(try #require(reply.length) < 2_000_000)
                let next = try await sandbox.ask("--target", Self.type, "--out", sandbox.path("out"))
                #expect(next.event == "reply")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("Three simultaneous transfers to one window complete, with a short answer between them")
        func oneWindow() async throws {
            try await Self.withContents { sandbox in
                let arguments =
                    ["ask", "--target", Self.type]
                    + ["image/png", "TIMESTAMP", "image/png"].flatMap {
                        ["--beside", $0]
                    }
                try await sandbox.withPeer(arguments) { peer in
                    var lengths: [Int] = []
                    while lengths.count < 4 {
                        let reply = try await peer.await("reply")
                        lengths.append(try #require(reply.length))
                    }
                    #expect(lengths.sorted() == [4, 2_000_000, 2_000_000, 2_000_000])
                }
            }
        }
    }
}
