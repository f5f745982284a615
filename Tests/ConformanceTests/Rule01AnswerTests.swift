import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 1: each request gets one prompt answer (ICCCM 2.2)", .requiresXvfb)
    struct Rule01 {
        @Test("Sixty-four mixed requests get one answer each while the owner of another selection is stopped")
        func mixed() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let file = try sandbox.write("primary".utf8, to: "primary")
                let owner = ["own", "--selection", "PRIMARY", "--offer", "UTF8_STRING", file, "--silent"]
                try await sandbox.withPeer(owner) { owner in
                    _ = try await owner.await("owned")
                    async let reading = sandbox.xpb("get", "-p", "find", "--timeout", "120")
                    _ = try await owner.await("silent")
                    try owner.process.suspend()
                    let asked = [
                        ["CLIPBOARD", "UTF8_STRING", "XPB_PEER"], ["CLIPBOARD", "XPB_NEVER_SEEN", "XPB_PEER"],
                        ["CLIPBOARD", "STRING", "none"], ["XPB_UNOWNED", "STRING", "XPB_PEER"],
                    ]
                    let crowd = ["crowd", "--times", "16"] + asked.flatMap { ["--ask"] + $0 }
                    try await sandbox.withPeer(crowd) { crowd in
                        let answers = try await crowd.await("answered")
                        #expect(answers.values == [Int](repeating: 1, count: 64))
                        let expected = (0..<16).flatMap { _ in ["XPB_PEER", nil, "STRING", nil] }
                        #expect(answers.names == expected)
                    }
                    try await owner.process.kill()
                    #expect(try await reading.status != 0)
                }
            }
        }

        @Test("A promise that takes too long is refused, runs only once, and is available to later requests")
        func latePromise() async throws {
            try await Sandbox.with { sandbox in
                try #require(try await sandbox.run(["mkfifo", sandbox.path("tap")]).status == 0)
                try await sandbox.require("set", "-t", "text", "-c", "echo run >>runs; cat tap")
                #expect(try await sandbox.ask("--target", "UTF8_STRING").event == "refused")
                // Opening the pipe for writing waits for the command to open it for reading.
                try #require(try await sandbox.shell("printf late >tap").status == 0)
                #expect(try await sandbox.require("get").text == "late")
                #expect(try await sandbox.ask("--target", "UTF8_STRING").text == "late")
                #expect(try sandbox.read("runs") == Array("run\n".utf8))
            }
        }

        @Test("A MULTIPLE waits as a whole, refuses parts that are still missing, and converts the other parts")
        func multiple() async throws {
            try await Sandbox.with { sandbox in
                try #require(try await sandbox.run(["mkfifo", sandbox.path("tap")]).status == 0)
                try await sandbox.require("set", "-t", "text", "-c", "cat tap", "-t", "text/html", "--text", "<b>x</b>")
                let arguments = ["ask", "--multiple", "text/html", "UTF8_STRING", "TIMESTAMP"]
                try await sandbox.withPeer(arguments) { peer in
                    let pairs = try await peer.await("pairs").names
                    #expect(pairs == ["text/html", "XPB_PEER_0", "UTF8_STRING", nil, "TIMESTAMP", "XPB_PEER_2"])
                    #expect(try await peer.await("reply").text == "<b>x</b>")
                }
            }
        }
    }
}
