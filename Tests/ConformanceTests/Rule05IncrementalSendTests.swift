import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 5: sending by INCR", .requiresXvfb)
    struct Rule05 {
        private static let type = "image/png"
        private static let chunk = 262_144

        /// Sets that many bytes, has the peer ask for them, and looks at every piece.
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
                        #expect(event.values == [size], "the exact length", sourceLocation: sourceLocation)
                        event = try await peer.next()
                        while event.event == "chunk" {
                            #expect(event.type == type && event.format == 8, sourceLocation: sourceLocation)
                            #expect((1...chunk).contains(event.length ?? 0), sourceLocation: sourceLocation)
                            event = try await peer.next()
                        }
                    }
                    // It would say so if the empty piece were of another type or format than the others.
                    #expect(event.event == "reply", sourceLocation: sourceLocation)
                    #expect(event.type == type && event.length == size, sourceLocation: sourceLocation)
                }
                try await sandbox.expectSame("out", "in", sourceLocation: sourceLocation)
            }
        }

        @Test(
            "What is longer than 262,144 bytes goes in pieces that long at most, announced with its exact length",
            arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1, 64 << 20])
        func sizes(size: Int) async throws {
            try await Self.expectWhole(size, chunk: Self.chunk)
        }

        @Test(
            "A server without BIG-REQUESTS has shorter pieces",
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

        /// Runs `body` while the bridge has 2,000,000 bytes, which are in the file `in`.
        private static func withContents(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(2_000_000), to: "in")
                try await sandbox.require("set", "-t", type, "-f", "in")
                try await body(sandbox)
            }
        }

        @Test(
            "It comes whole to who deletes before the notify, takes each piece late, or begins anew midway",
            arguments: [["--delete", "early"], ["--drip", "0.2"], ["--again-after", "3"]])
        func whole(faults: [String]) async throws {
            try await Self.withContents { sandbox in
                let reply = try await sandbox.ask(["--target", Self.type, "--out", sandbox.path("out")] + faults)
                #expect(reply.event == "reply")
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test("Who deletes each piece twice loses every other one, has an end all the same, and disturbs nobody")
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

        @Test("Three transfers to one window at once are all whole, and a short answer comes between them")
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
