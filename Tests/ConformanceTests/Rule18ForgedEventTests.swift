import TestSupport
import Testing

extension Conformance {
    /// The requestor's half of the rule is in a file of its own.
    @Suite("Rule 18: events that another client made up", .requiresXvfb)
    struct Rule18Forged {
        @Test("A forged SelectionRequest is not answered")
        func request() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                try await sandbox.withPeer(["forge", "--event", "request"]) { peer async throws in
                    #expect(try await peer.await("notify").target == "TIMESTAMP")
                }
            }
        }

        @Test("A forged SelectionClear takes nothing from the bridge", arguments: ["CLIPBOARD", "CLIPBOARD_MANAGER"])
        func clear(selection: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let count = try await sandbox.count()
                try await sandbox.withPeer(["forge", "--event", "clear", "--selection", selection]) {
                    peer async throws in
                    #expect(try await peer.await("notify").property != nil)
                }
                #expect(try await sandbox.xclipPastes().text == "text")
                #expect(try await sandbox.require("owner").lines.contains("owner: client"))
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("A forged SelectionClear of the bridge's own selection does not end it")
        func replaced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                try await sandbox.withPeer(["forge", "--event", "clear", "--selection", "_XPB_S0"]) { peer in
                    _ = try await peer.await("notify")
                }
                for _ in 0..<3 { #expect(try await sandbox.xclipPastes().text == "text") }
                #expect(try sandbox.bridge() == bridge)
            }
        }

        @Test("A forged DestroyNotify of the bridge's own window is nothing")
        func ownWindow() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                try await sandbox.withPeer(["forge", "--event", "destroy"]) { peer async throws in
                    #expect(try await peer.await("notify").property != nil)
                }
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test(
            "A transfer is neither hurried by a forged PropertyNotify nor ended by a forged DestroyNotify",
            arguments: ["delete", "destroy"])
        func transfer(event: String) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(2_000_000), to: "in")
                try await sandbox.require("set", "-t", "image/png", "-f", "in")
                let arguments = ["ask", "--target", "image/png", "--pause-after", "2", "--out", sandbox.path("out")]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("paused")
                    // The piece that is there now is not read yet: another in its place would be a gap.
                    for _ in 0..<3 {
                        try await peer.send("forge \(event)")
                        _ = try await peer.await("forged")
                    }
                    // The bridge has dealt with them when it has answered another.
                    #expect(try await sandbox.ask("--target", "TIMESTAMP").event == "reply")
                    try await peer.send("go")
                    #expect(try await peer.await("reply").length == 2_000_000)
                }
                try await sandbox.expectSame("out", "in")
            }
        }
    }
}
