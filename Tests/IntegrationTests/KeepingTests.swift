import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// What outlives the bridge.
    @Suite("Contents outlive the bridge", .requiresXvfb)
    struct KeepingTests {
        @Test(
            "What was set is there after the bridge was killed, for X programs too, and the count goes on",
            arguments: [true, false])
        func killed(isKilled: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require(
                    "set", "-t", "text/html", "--text", "<b>kept</b>", "-t", "text", "--text", "kept")
                let count = try await sandbox.count()
                try await sandbox.endBridge(killing: isKilled)
                #expect(try await sandbox.require("get").text == "kept")
                #expect(try await sandbox.require("get", "-t", "html").text == "<b>kept</b>")
                #expect(try await sandbox.xclipPastes().text == "kept")
                let after = try await sandbox.count()
                // After an orderly end it is the same; after a crash nobody knows which ones were told.
                #expect(isKilled ? after >= count : after == count)
            }
        }

        @Test("All items, targets and a large representation are there byte for byte after a crash")
        func whole() async throws {
            try await Sandbox.with { sandbox in
                let large = Payload.random(3_000_000)
                try sandbox.write(large, to: "large.png")
                try await sandbox.require(
                    "set", "-t", "image/png", "-f", "large.png", "--next", "-t", "application/x-Custom;v=1", "--text",
                    "custom", "--next", "-t", "text", "--text", "third")
                let items = try await sandbox.require("items").text
                try await sandbox.endBridge(killing: true)
                #expect(try await sandbox.require("items").text == items)
                #expect(try await sandbox.require("get", "-t", "image/png").output == large)
                #expect(try await sandbox.require("get", "-t", "application/x-Custom;v=1").text == "custom")
            }
        }

        @Test("What is kept is told from the start, and when some of it was deleted", arguments: [true, false])
        func told(isCleared: Bool) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "one")
                try await sandbox.endBridge(killing: true)
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.require("history").lines.count == 1)
                #expect(try await sandbox.require("status").text.contains(", 1 entry of the history, "))
                try await sandbox.require(isCleared ? ["history", "clear"] : ["history", "delete", "1"])
                // Behind what was asked of the store before it.
                #expect(try await sandbox.xpb("history").status == 1)
                #expect(try await sandbox.require("status").text.contains(", 0 entries of the history, "))
            }
        }

        @Test("What was cleared stays so")
        func cleared() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "gone")
                try await sandbox.require("clear")
                try await sandbox.endBridge(killing: true)
                #expect(try await sandbox.xpb("get").status == 1)
            }
        }

        @Test("What another program owned since is not there again")
        func replaced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "old")
                try sandbox.write("new".utf8, to: "new")
                try await sandbox.xclipCopies("new")
                let count = try await sandbox.count()
                try await sandbox.endBridge(killing: true)
                #expect(try await sandbox.require("get").text == "new")
                #expect(try await sandbox.count() >= count)
            }
        }

        @Test("A persistent pasteboard of one's own outlives the bridge, one of the session does not")
        func own() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("create", "--persistent", "com.example.kept")
                try await sandbox.require("set", "-p", "com.example.kept", "kept")
                try await sandbox.require("set", "-p", "com.example.session", "session")
                try await sandbox.require("set", "-p", "com.example.later", "later")
                try await sandbox.require("create", "--persistent", "com.example.later")
                try await sandbox.require("create", "--persistent", "com.example.removed")
                try await sandbox.require("remove", "com.example.removed")
                try await sandbox.endBridge(killing: true)
                #expect(try await sandbox.require("get", "-p", "com.example.kept").text == "kept")
                #expect(try await sandbox.require("get", "-p", "com.example.later").text == "later")
                #expect(try await sandbox.xpb("get", "-p", "com.example.session").status == 1)
                #expect(try await !sandbox.require("list").text.contains("com.example.removed"))
            }
        }

        @Test("Contents that expire are there after a crash, and go at their time")
        func expiring() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--expires", "1h", "for a while")
                try await sandbox.endBridge(killing: true)
                #expect(try await sandbox.require("get").text == "for a while")
                try await sandbox.require("set", "--expires", "2s", "for a moment")
                try await sandbox.endBridge(killing: true)
                let watching = try await sandbox.require("count").text
                // Gone by now, or within what is left of its time.
                if try await sandbox.xpb("get").status == 0 {
                    try await sandbox.require("wait", "--since", watching, "--timeout", "60")
                }
                #expect(try await sandbox.xpb("get").status == 1)
            }
        }

        @Test("What is copied once 'persist' is turned off is in memory only, and what it replaced does not return")
        func turnedOff() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let folder = sandbox.path(".config/xpb")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "on disk")
                try sandbox.write(#"{ "persist": false }"#.utf8, to: ".config/xpb/config.json")
                #expect(try await sandbox.require("config", "persist").text == "false")
                try await sandbox.require("set", "in memory")
                #expect(try await sandbox.require("status", "--json").text.contains(#""state":"memory""#))
                #expect(try await sandbox.require("history").lines.count == 1)
                try await sandbox.require("undo")
                try await sandbox.require("redo")
                #expect(try await sandbox.require("get").text == "in memory")
                try FileManager.default.removeItem(atPath: sandbox.path(".config/xpb/config.json"))
                try await sandbox.endBridge(killing: true)
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.xpb("get").status == 1)
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "on disk")
            }
        }

        @Test("Without a folder for its state the bridge keeps contents in memory, and says so")
        func nowhere() async throws {
            try await Sandbox.with(changes: ["XDG_STATE_HOME": "/proc/xpb"]) { sandbox in
                try await sandbox.require("set", "in memory")
                #expect(try await sandbox.require("get").text == "in memory")
                #expect(try await sandbox.require("status", "--json").text.contains(#""state":"memory""#))
            }
        }
    }
}

extension Sandbox {
    /// Ends the bridge and returns when it has ended.
    func endBridge(killing: Bool) async throws {
        let bridges = bridges()
        #expect(!bridges.isEmpty)
        for bridge in bridges {
            if killing { kill(bridge, SIGKILL) } else { try await require("bridge", "stop") }
            await ProcessTable.awaitEnd(of: bridge)
        }
    }
}
