import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 2: a requestor may never delete the INCR property (ICCCM 2.7.2)", .requiresXvfb)
    struct Rule02 {
        private static let type = "image/png"
        private static let size = 8_000_000

        /// Returns the number of files with contents that the bridge has open, in memory and in its store.
        private static func files(of sandbox: Sandbox) throws -> Int {
            let bridge = try sandbox.bridge()
            return ProcessTable.descriptors(of: bridge).values.count {
                $0.hasPrefix("/memfd:") || $0.contains("/blobs/")
            }
        }

        /// Reads the contents into the file `name`, and expects all bytes.
        private static func expectWhole(_ name: String, in sandbox: Sandbox) async throws {
            let reply = try await sandbox.ask("--target", type, "--out", sandbox.path(name))
            #expect(reply.length == size)
            try await sandbox.expectSame(name, "in")
        }

        @Test("A transfer of 8 MB that is never read is dropped and its memory released, and other transfers complete")
        func reaped() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(Self.size), to: "in")
                try await sandbox.require("set", "before")
                // The store may still be reading the contents it has stored. No event tells when it has finished.
                try await sandbox.awaitStatus { _ in try Self.files(of: sandbox) <= 1 }
                let before = 1
                // Contents with an expiry are not kept for undo.
                try await sandbox.require("set", "--expires", "1d", "-t", Self.type, "-f", "in")
                let stuck = ["ask", "--target", Self.type, "--never-delete", "--watch-owner"]
                try await sandbox.withPeer(stuck) { stuck in
                    #expect(try await stuck.await("paused").type == "INCR")
                    async let first: Void = Self.expectWhole("first", in: sandbox)
                    async let second: Void = Self.expectWhole("second", in: sandbox)
                    async let third: Void = Self.expectWhole("third", in: sandbox)
                    _ = try await (first, second, third)
                    try await sandbox.require("set", "--expires", "1d", "after")
                    #expect(try Self.files(of: sandbox) > before, "the transfer did not keep its bytes")
                    _ = try await stuck.await("owner-gone")
                }
                // Only the current contents are left.
                try await sandbox.awaitStatus { _ in try Self.files(of: sandbox) <= before + 1 }
            }
        }

        @Test("A transfer that is stopped midway delays no other transfer, and completes when it is resumed")
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
            "A client that sends two thousand requests without reading delays no other client, and gets every answer")
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
