import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 2: a requestor may never delete the INCR property", .requiresXvfb)
    struct Rule02 {
        private static let type = "image/png"
        private static let size = 8_000_000

        /// How many files of contents a bridge holds, in memory and of its store. One that is told of has its tasks done until then.
        private static func files(of sandbox: Sandbox) async throws -> Int {
            for _ in 0..<3 { _ = try await sandbox.count() }
            let bridge = try sandbox.bridge()
            return ProcessTable.descriptors(of: bridge).values.count {
                $0.hasPrefix("/memfd:") || $0.contains("/blobs/")
            }
        }

        @Test("One that never takes 8 MB is dropped, three readers beside it have all, and the memory comes back")
        func reaped() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(Self.size), to: "in")
                try await sandbox.require("set", "before")
                let before = try await Self.files(of: sandbox)
                // What expires is not kept to be gone back to.
                try await sandbox.require("set", "--expires", "1d", "-t", Self.type, "-f", "in")
                let stuck = ["ask", "--target", Self.type, "--never-delete", "--watch-owner"]
                try await sandbox.withPeer(stuck) { stuck in
                    #expect(try await stuck.await("paused").type == "INCR")
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<3 {
                            group.addTask {
                                let output = sandbox.path("out\(number)")
                                let reply = try await sandbox.ask("--target", Self.type, "--out", output)
                                #expect(reply.length == Self.size)
                                try await sandbox.expectSame("out\(number)", "in")
                            }
                        }
                        try await group.waitForAll()
                    }
                    try await sandbox.require("set", "--expires", "1d", "after")
                    #expect(try await Self.files(of: sandbox) > before, "the transfer has its bytes")
                    _ = try await stuck.await("owner-gone")
                }
                #expect(try await Self.files(of: sandbox) <= before + 1, "what is there now, and no more")
            }
        }

        @Test("One that is stopped midway holds nobody up, and has the rest when it goes on")
        func stopped() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(Self.size), to: "in")
                try await sandbox.require("set", "-t", Self.type, "-f", "in")
                let arguments = ["ask", "--target", Self.type, "--out", sandbox.path("out"), "--pause-after", "2"]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("paused")
                    try peer.process.suspend()
                    #expect(try await sandbox.ask("--target", Self.type).length == Self.size)
                    try peer.process.resume()
                    try await peer.send("go")
                    #expect(try await peer.await("reply").length == Self.size)
                }
                try await sandbox.expectSame("out", "in")
            }
        }

        @Test(
            "One that asks two thousand times and reads nothing holds nobody up, and has an answer to each in the end")
        func deaf() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let crowd = ["crowd", "--times", "1000", "--deaf"]
                let asked = ["--ask", "CLIPBOARD", "TARGETS", "XPB_PEER", "--ask", "CLIPBOARD", "XPB_NONE", "none"]
                try await sandbox.withPeer(crowd + asked) { crowd in
                    _ = try await crowd.await("asked")
                    for _ in 0..<5 { #expect(try await sandbox.xclipPastes().text == "text") }
                    try await crowd.send("go")
                    let answers = try await crowd.await("answered")
                    #expect(answers.values == [Int](repeating: 1, count: 2_000))
                }
            }
        }
    }
}
