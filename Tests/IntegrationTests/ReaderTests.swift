import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Readers of the bridge that come at the same time, die or stall.
    @Suite("Readers", .requiresXvfb)
    struct ReaderTests {
        static let type = "image/png"
        static let size = 8_000_000

        private static func withContents(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(size), to: "in")
                try await sandbox.require("set", "-t", type, "-f", "in")
                try await body(sandbox)
            }
        }

        private static func expectXclipPastesAll(_ sandbox: Sandbox, into name: String = "out") async throws {
            let pasted = try await sandbox.shell("xclip -o -selection clipboard -t \"$1\" >\"$2\"", type, name)
            #expect(pasted.status == 0, "\(pasted)")
            try await sandbox.expectSame(name, "in")
        }

        @Test("Readers that die while an owner sends to them leave no socket open in the bridge")
        func killedWhileReceiving() async throws {
            // Capture is off, because it would read from the same owner and stall first.
            try await Sandbox.with(changes: ["XPB_CAPTURE": "false"]) { sandbox in
                let text = try sandbox.write(Payload.random(400_000), to: "in")
                let owning = ["own", "--offer", "UTF8_STRING", text, "--incr", "100000", "--stall-after", "1"]
                try await sandbox.withPeer(owning) { owner in
                    _ = try await owner.await("owned")
                    let bridge = try await sandbox.runningBridge()
                    let before = sandbox.sockets(of: bridge)
                    for _ in 0..<4 {
                        _ = try await sandbox.running(["xpb", "get", "-t", "text", "--timeout", "100"]) { reader in
                            _ = try await owner.await("stalled")
                            try await reader.kill()
                        }
                    }
                    // The bridge notices the end of a client a moment later.
                    try await sandbox.awaitStatus { _ in sandbox.sockets(of: bridge) <= before }
                }
            }
        }

        @Test("Two readers at once both get everything")
        func twoAtOnce() async throws {
            try await Self.withContents { sandbox in
                async let first: Void = Self.expectXclipPastesAll(sandbox, into: "first")
                async let second: Void = Self.expectXclipPastesAll(sandbox, into: "second")
                _ = try await (first, second)
            }
        }

        @Test("A reader killed midway does not affect other readers")
        func killedMidway() async throws {
            try await Self.withContents { sandbox in
                try await sandbox.withPeer(["ask", "--target", Self.type, "--pause-after", "2"]) { peer in
                    _ = try await peer.await("paused")
                    try await peer.process.kill()
                }
                try await Self.expectXclipPastesAll(sandbox)
            }
        }

        @Test("A reader whose window is destroyed midway does not affect other readers")
        func windowGoneMidway() async throws {
            try await Self.withContents { sandbox in
                try await sandbox.withPeer(["ask", "--target", Self.type, "--pause-after", "2"]) { peer in
                    _ = try await peer.await("paused")
                    try await peer.send("destroy")
                    _ = try await peer.await("destroyed")
                }
                try await Self.expectXclipPastesAll(sandbox)
            }
        }

        @Test("A window destroyed right after its request does not affect other readers")
        func windowGoneAtOnce() async throws {
            try await Self.withContents { sandbox in
                for _ in 0..<5 {
                    try await sandbox.withPeer(["ask", "--target", Self.type, "--destroy"]) { peer in
                        _ = try await peer.await("destroyed")
                    }
                }
                try await Self.expectXclipPastesAll(sandbox)
            }
        }

        @Test("A reader that never takes its first chunk does not delay other readers")
        func neverDeletes() async throws {
            try await Self.withContents { sandbox in
                try await sandbox.withPeer(["ask", "--target", Self.type, "--never-delete"]) { peer in
                    #expect(try await peer.await("paused").type == "INCR")
                    try await Self.expectXclipPastesAll(sandbox)
                    #expect(try await sandbox.require("get", "-t", Self.type).output.count == Self.size)
                }
            }
        }

        @Test("A transfer completes with its own version of the contents, whatever is copied during the transfer")
        func oneVersion() async throws {
            try await Self.withContents { sandbox in
                let arguments = ["ask", "--target", Self.type, "--pause-after", "2", "--out", sandbox.path("out")]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("paused")
                    try await sandbox.require("set", "second")
                    try sandbox.write(Array("third".utf8), to: "third")
                    try await sandbox.xclipCopies("third")
                    try await peer.send("go")
                    #expect(try await peer.await("reply").length == Self.size)
                }
                try await sandbox.expectSame("out", "in")
                #expect(try await sandbox.require("get").text == "third")
            }
        }
    }
}

extension Sandbox {
    /// Starts the bridge if necessary, and returns its process id.
    fileprivate func runningBridge() async throws -> Int32 {
        try await require("count")
        return try bridge()
    }

    /// Returns the number of open sockets of a process.
    fileprivate func sockets(of process: Int32) -> Int {
        ProcessTable.descriptors(of: process).values.count { $0.hasPrefix("socket:") }
    }
}
