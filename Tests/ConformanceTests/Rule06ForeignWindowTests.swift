import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 6: windows of other clients vanish at any time", .requiresXvfb)
    struct Rule06 {
        private static let type = "image/png"

        /// Runs `body` while the bridge owns text and a picture that is sent in chunks. Then expects that the same
        /// bridge still sends the text and the picture completely, because transfers to destroyed windows must leave no
        /// trace.
        private static func withContents(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(1_000_000), to: "in")
                try await sandbox.require("set", "-t", type, "-f", "in", "-t", "text", "--text", "text")
                let bridge = try sandbox.bridge()
                try await body(sandbox)
                let reply = try await sandbox.ask("--target", type, "--out", sandbox.path("out"))
                #expect(reply.event == "reply")
                try await sandbox.expectSame("out", "in")
                #expect(try await sandbox.xclipPastes().text == "text")
                #expect(try sandbox.bridge() == bridge)
            }
        }

        @Test("Ten thousand windows that are destroyed right after their requests leave no trace")
        func atOnce() async throws {
            try await Self.withContents { sandbox in
                let targets = [Self.type, "UTF8_STRING", "TARGETS", "XPB_NEVER_SEEN", "MULTIPLE"]
                let asked = targets.flatMap { ["--ask", "CLIPBOARD", $0, "XPB_PEER"] }
                try await sandbox.withPeer(["crowd", "--destroy", "--times", "2000"] + asked) { crowd in
                    let destroyed = try await crowd.await("destroyed")
                    #expect(destroyed.number == 10_000)
                }
            }
        }

        /// The test exceeds the limit on transfers, so transfers left over would leave no room for the last windows.
        @Test("Six hundred windows that are destroyed after their transfers have begun leave no trace")
        func begun() async throws {
            try await Self.withContents { sandbox in
                let crowd = ["crowd", "--destroy-answered", "--one-by-one", "--times", "600"]
                try await sandbox.withPeer(crowd + ["--ask", "CLIPBOARD", Self.type, "XPB_PEER"]) { crowd in
                    let answers = try await crowd.await("answered")
                    #expect(answers.names == [String?](repeating: "XPB_PEER", count: 600))
                }
            }
        }

        @Test(
            "A window that is destroyed at the notify, midway, or before the empty chunk leaves no trace",
            arguments: [["--destroy-at", "notify"], ["--pause-after", "2"], ["--destroy-at", "last"]])
        func midway(fault: [String]) async throws {
            try await Self.withContents { sandbox in
                try await sandbox.withPeer(["ask", "--target", Self.type] + fault) { peer in
                    if fault[0] == "--pause-after" {
                        _ = try await peer.await("paused")
                        try await peer.send("destroy")
                    }
                    _ = try await peer.await("destroyed")
                }
            }
        }

        @Test("A requestor that is killed midway leaves no trace")
        func killed() async throws {
            try await Self.withContents { sandbox in
                try await sandbox.withPeer(["ask", "--target", Self.type, "--pause-after", "2"]) { peer in
                    _ = try await peer.await("paused")
                    try await peer.process.kill()
                }
            }
        }

        @Test("If a requestor that waits for a promise is destroyed, the promise is kept for other requestors")
        func waiting() async throws {
            try await Sandbox.with { sandbox in
                try #require(try await sandbox.run(["mkfifo", sandbox.path("tap")]).status == 0)
                try await sandbox.require("set", "-t", "text", "-c", "cat tap")
                let bridge = try sandbox.bridge()
                try await sandbox.withPeer(["ask", "--target", "UTF8_STRING", "--destroy"]) { peer in
                    _ = try await peer.await("destroyed")
                }
                try #require(try await sandbox.shell("printf late >tap").status == 0)
                #expect(try await sandbox.require("get").text == "late")
                #expect(try await sandbox.ask("--target", "UTF8_STRING").text == "late")
                #expect(try sandbox.bridge() == bridge)
            }
        }
    }
}
