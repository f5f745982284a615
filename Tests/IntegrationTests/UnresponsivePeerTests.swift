import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Peers and servers that do not answer, which must not delay anybody else.
    @Suite("Unresponsive peers", .requiresXvfb)
    struct UnresponsivePeerTests {
        @Test("A stopped owner leads to status 3, and the other selection is still served")
        func stoppedOwner() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array("text".utf8), to: "in")
                let before = try await sandbox.count()
                let copying = ["xclip", "-quiet", "-i", "-selection", "clipboard", sandbox.path("in")]
                _ = try await sandbox.running(copying) { owner in
                    try await sandbox.require("wait", "--since", "\(before)", "--timeout", "60")
                    #expect(try await sandbox.require("get").text == "text")
                    try owner.suspend()

                    _ = try await sandbox.running(["xpb", "get", "--timeout", "600"]) { _ in
                        try await sandbox.require("set", "-p", "find", "needle")
                        #expect(try await sandbox.xclipPastes(from: "primary").text == "needle")
                        #expect(try await sandbox.require("get", "-p", "find").text == "needle")
                    }
                    let silent = try await sandbox.xpb("get", "--timeout", "1")
                    #expect(silent.status == 3, "\(silent)")
                    #expect(silent.output.isEmpty)
                    #expect(!silent.error.isEmpty)
                    #expect(try await sandbox.xpb("types", "--timeout", "1").status == 3)

                    try owner.resume()
                    #expect(try await sandbox.require("get").text == "text")
                }
            }
        }

        @Test("The next copy works after an owner that never answers")
        func silentOwner() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let file = try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file, "--silent"]) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.xpb("get", "--timeout", "1").status == 3)
                    try await sandbox.require("set", "mine")
                    #expect(try await sandbox.xclipPastes().text == "mine")
                    _ = try await peer.await("lost")
                }
            }
        }

        @Test("While a stopped client grabs the X server, get works and set ends with status 4")
        func grabbedServer() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "held")
                try await sandbox.withPeer(["grab"]) { peer in
                    _ = try await peer.await("grabbed")
                    try peer.process.suspend()
                    #expect(try await sandbox.require("get").text == "held")
                    #expect(try await sandbox.require("types").status == 0)
                    let refused = try await sandbox.xpb("set", "--timeout", "1", "new")
                    #expect(refused.status == 4, "\(refused)")
                    #expect(!refused.error.isEmpty)
                    #expect(try await sandbox.require("get").text == "held")
                    // A change that was reported as cancelled must not happen later, when the server answers.
                    let unchanged = try await sandbox.xpb("clear", "--timeout", "1")
                    #expect(unchanged.status == 4 && unchanged.error.contains("nothing was changed"), "\(unchanged)")
                    try await peer.process.kill()
                }
                #expect(try await sandbox.xclipPastes().text == "held")
                #expect(try await sandbox.require("get").text == "held")
                try await sandbox.require("set", "again")
                #expect(try await sandbox.xclipPastes().text == "again")
            }
        }

        @Test("Contents that expire during a grab are removed at once, in one step")
        func expiry() async throws {
            try await Sandbox.with { sandbox in
                // The contents may expire before another command could read their count.
                let count = try await sandbox.count() + 1
                try await sandbox.require("set", "--expires", "1s", "secret")
                try await sandbox.withPeer(["grab"]) { peer in
                    _ = try await peer.await("grabbed")
                    try peer.process.suspend()
                    let gone = try await sandbox.require("wait", "--since", "\(count)", "--timeout", "60").number
                    #expect(gone == count + 1)
                    #expect(try await sandbox.xpb("get").status == 1)
                    try await peer.process.kill()
                }
                #expect(try await sandbox.xclipPastes().status != 0)
                #expect(try await sandbox.count() == count + 1)
            }
        }
    }
}
