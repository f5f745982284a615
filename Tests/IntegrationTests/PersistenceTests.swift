import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Contents, counts and pasteboards that outlive the bridge.
    @Suite("Contents outlive the bridge", .requiresXvfb)
    struct PersistenceTests {
        @Test(
            "Contents outlive a killed or stopped bridge, even for X programs, and the count continues",
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
                // The count is the same after an orderly end, and may be higher after a crash.
                #expect(isKilled ? after >= count : after == count)
            }
        }

        @Test(
            "A bridge that started on a full disk stores contents as soon as there is room",
            .enabled(if: Sandbox.canMount, "a small file system cannot be mounted here"))
        func roomLater() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let script = """
                    mkdir state && mount -t tmpfs -o size=1m xpb state || exit 9
                    export XDG_STATE_HOME=$PWD/state
                    head -c 8000000 /dev/zero >state/filler 2>/dev/null
                    xpb bridge start
                    xpb set early; echo $?
                    rm state/filler
                    xpb set late; echo $?
                    xpb bridge restart
                    xpb get
                    xpb bridge stop
                    """
                let outcome = try await sandbox.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script])
                #expect(outcome.lines == ["6", "0", "late"], "\(outcome)")
            }
        }

        @Test("All items, targets and a large representation survive a crash byte for byte")
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

        @Test("status reports the size of the history after a start and after a deletion", arguments: [true, false])
        func usage(isCleared: Bool) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "one")
                try await sandbox.endBridge(killing: true)
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.require("history").lines.count == 1)
                #expect(try await sandbox.require("status").text.contains(", 1 entry of the history, "))
                try await sandbox.require(isCleared ? ["history", "clear"] : ["history", "delete", "1"])
                // The store answers in order, so the status after this command includes the deletion.
                #expect(try await sandbox.xpb("history").status == 1)
                #expect(try await sandbox.require("status").text.contains(", 0 entries of the history, "))
            }
        }

        @Test("A cleared pasteboard stays empty")
        func cleared() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "gone")
                try await sandbox.require("clear")
                try await sandbox.endBridge(killing: true)
                #expect(try await sandbox.xpb("get").status == 1)
            }
        }

        @Test("Contents that another program replaced are not restored")
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

        @Test("A persistent pasteboard of an app outlives the bridge, and other pasteboards of apps do not")
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

        @Test("Expiring contents survive a crash and expire on time")
        func expiring() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--expires", "1h", "for a while")
                try await sandbox.endBridge(killing: true)
                #expect(try await sandbox.require("get").text == "for a while")
                try await sandbox.require("set", "--expires", "2s", "for a moment")
                try await sandbox.endBridge(killing: true)
                let watching = try await sandbox.require("count").text
                // The contents have expired, or will within the rest of their time.
                if try await sandbox.xpb("get").status == 0 {
                    try await sandbox.require("wait", "--since", watching, "--timeout", "60")
                }
                #expect(try await sandbox.xpb("get").status == 1)
            }
        }

        @Test("With 'persist' switched off, new contents are in memory only, and old contents do not return")
        func turnedOff() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "on disk")
                let configuration = try sandbox.writeConfiguration(#"{ "persist": false }"#)
                #expect(try await sandbox.require("config", "persist").text == "false")
                try await sandbox.require("set", "in memory")
                #expect(try await sandbox.require("status", "--json").text.contains(#""state":"memory""#))
                #expect(try await sandbox.require("history").lines.count == 1)
                try await sandbox.require("undo")
                try await sandbox.require("redo")
                #expect(try await sandbox.require("get").text == "in memory")
                try FileManager.default.removeItem(atPath: configuration)
                // Nothing waits for the disk while 'persist' is off. Once the store has these contents, it has all
                // earlier changes, too.
                try await sandbox.require("set", "-p", "find", "on disk")
                try await sandbox.endBridge(killing: true)
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.xpb("get").status == 1)
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "on disk")
            }
        }

        @Test("A damaged database is kept next to the new one, and the log names the damaged one")
        func damaged() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "kept")
                try await sandbox.require("bridge", "stop")
                let truncated = try await sandbox.shell("truncate -s 99 .local/state/xpb/none/store.sqlite")
                try #require(truncated.status == 0, "\(truncated)")
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.require("get").text == "kept")
                let names = try await sandbox.shell("cd .local/state/xpb/none && ls -d store.sqlite.damaged-*")
                let name = try #require(names.lines.first, "\(names)")
                #expect(try await sandbox.shell("cat run/xpb/*.log").text.contains(name))
            }
        }

        @Test("With 'history' switched off, contents outlive the bridge but enter no history")
        func withoutHistory() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                func history() async throws -> [String] { try await sandbox.require("history", "--json").lines }
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "stored before")
                let before = try await history()
                #expect(before.count == 1)
                _ = try sandbox.writeConfiguration(#"{ "history": false }"#)
                try await sandbox.require("bridge", "restart")
                for text in ["one", "two"] { try await sandbox.require("set", text) }
                #expect(try await history() == before)
                try await sandbox.endBridge(killing: true)
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.require("get").text == "two")
                #expect(try await history() == before)
            }
        }

        @Test("Without a folder for its state, the bridge keeps contents in memory and reports this")
        func nowhere() async throws {
            try await Sandbox.with(changes: ["XDG_STATE_HOME": "/proc/xpb"]) { sandbox in
                try await sandbox.require("set", "in memory")
                #expect(try await sandbox.require("get").text == "in memory")
                #expect(try await sandbox.require("status", "--json").text.contains(#""state":"memory""#))
            }
        }
    }
}
