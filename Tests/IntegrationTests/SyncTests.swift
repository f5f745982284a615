import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The setting `sync`.
    @Suite("Sync", .requiresXvfb)
    struct SyncTests {
        @Test("A program keeps PRIMARY while its text is copied to CLIPBOARD, and loses it to a later copy")
        func both() async throws {
            try await Sandbox.with(changes: ["XPB_SYNC": "both"]) { sandbox in
                let before = try await sandbox.count("find")
                let file = try sandbox.write(Array("selected".utf8), to: "in")
                try await sandbox.withPeer(["own", "--selection", "PRIMARY", "--offer", "UTF8_STRING", file]) { peer in
                    _ = try await peer.await("owned")
                    try await sandbox.require("wait", "--since", "0", "--timeout", "60")
                    #expect(try await sandbox.require("get").text == "selected")
                    try await sandbox.require("set", "later")
                    _ = try await peer.await("lost")
                    try await sandbox.require("wait", "-p", "find", "--since", "\(before + 1)", "--timeout", "60")
                    #expect(try await sandbox.require("get", "-p", "find").text == "later")
                }
                #expect(try await sandbox.count("find") == before + 2)
                #expect(try await sandbox.count() == 2)
            }
        }

        @Test("A password that is removed from CLIPBOARD does not stay on PRIMARY or in its undo")
        func password() async throws {
            try await Sandbox.with(changes: ["XPB_SYNC": "general-to-find"]) { sandbox in
                for text in ["password", ""] {
                    let before = try await sandbox.count("find")
                    let file = try sandbox.write(Array(text.utf8), to: "in")
                    try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { peer in
                        _ = try await peer.await("owned")
                        try await sandbox.require("wait", "-p", "find", "--since", "\(before)", "--timeout", "60")
                    }
                }
                #expect(try await sandbox.xpb("get", "-p", "find").status == 1)
                #expect(try await sandbox.xpb("undo", "-p", "find").status != 0)
                #expect(try await sandbox.xpb("history").error.contains("empty"))
            }
        }
    }
}
