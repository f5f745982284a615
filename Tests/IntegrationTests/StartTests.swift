import Glibc
import TestSupport
import Testing

extension Integration {
    /// One bridge per user and display.
    @Suite("The bridge", .requiresXvfb)
    struct StartTests {
        @Test("It is started, told of and stopped by xpb bridge")
        func startAndStop() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let bridge = try sandbox.bridge()
                let status = try await sandbox.require("status")
                #expect(status.text.contains("\(bridge)"), "\(status)")
                #expect(status.lines.allSatisfy { $0.contains(": ") }, "\(status)")
                try await sandbox.require("bridge", "start")
                #expect(sandbox.bridges() == [bridge])

                try await sandbox.require("bridge", "stop")
                await ProcessTable.awaitEnd(of: bridge)
                #expect(sandbox.bridges().isEmpty)
            }
        }

        @Test("xpb bridge restart puts another in its place")
        func restart() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let first = try sandbox.bridge()
                try await sandbox.require("bridge", "restart")
                await ProcessTable.awaitEnd(of: first)
                #expect(try sandbox.bridge() != first)
                try await sandbox.require("set", "text")
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test("One that is stopped is told so of, and killed where that is wanted; what was stored is there again")
        func hanging() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let first = try sandbox.bridge()
                kill(first, SIGSTOP)
                for command in ["stop", "restart"] {
                    let outcome = try await sandbox.xpb("bridge", command, "--timeout", "0.5")
                    #expect(outcome.status == 3, "\(outcome)")
                    #expect(outcome.error.contains("process \(first), is stopped"), "\(outcome)")
                    #expect(outcome.error.contains("kill -CONT \(first)"), "\(outcome)")
                    #expect(outcome.error.contains("--force"), "\(outcome)")
                }
                #expect(sandbox.bridges() == [first])
                let forced = try await sandbox.require("bridge", "restart", "--force", "-v", "--timeout", "0.5")
                #expect(forced.error.contains("process \(first), was killed"), "\(forced)")
                let second = try sandbox.bridge()
                #expect(second != first)
                #expect(try await sandbox.require("get").text == "kept")
                // One that answers ends in order, --force or not.
                try await sandbox.require("bridge", "stop", "--force", "--timeout", "60")
                await ProcessTable.awaitEnd(of: second)
                #expect(try await sandbox.shell("find run -type s").output.isEmpty)
            }
        }

        @Test("What listens in the place of a bridge and is none is not killed")
        func noBridge() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let path = "\(sandbox.runtimeFolder)/xpb/\(try #require(Xvfb.display)).sock"
                try await sandbox.require("bridge", "stop")
                let script = """
                    import socket, sys
                    listener = socket.socket(socket.AF_UNIX)
                    listener.bind(sys.argv[1])
                    listener.listen()
                    print("ready", flush=True)
                    for line in sys.stdin:
                        print(line, end="", flush=True)
                    """
                _ = try await sandbox.running(["/usr/bin/python3", "-c", script, path]) { listener in
                    #expect(try await listener.line() == "ready")
                    let outcome = try await sandbox.xpb("bridge", "stop", "--force", "--timeout", "0.5")
                    #expect(outcome.status == 6, "\(outcome)")
                    #expect(outcome.error.contains("process \(listener.processID)"), "\(outcome)")
                    try await listener.send("alive")
                    #expect(try await listener.line() == "alive")
                }
            }
        }

        @Test("A second one says who is there, and leaves")
        func second() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                let second = try await sandbox.run(["xpbd"])
                #expect(second.status != 0)
                #expect(second.error.contains("\(bridge)"), "\(second)")
                #expect(sandbox.bridges() == [bridge])
                #expect(try await sandbox.require("get").text == "text")
            }
        }

        @Test("One from elsewhere finds the display taken, says who is there, and leaves")
        func secondFromElsewhere() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                try await Sandbox.with { elsewhere in
                    let second = try await elsewhere.run(["xpbd"])
                    #expect(second.status != 0)
                    #expect(second.error.contains("\(bridge)"), "\(second)")
                }
                #expect(sandbox.bridges() == [bridge])
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test("With --replace it takes over")
        func replace() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                let first = try sandbox.bridge()
                _ = try await sandbox.running(["xpbd", "--replace"]) { second in
                    await ProcessTable.awaitEnd(of: first)
                    try await sandbox.require("set", "text")
                    #expect(sandbox.bridges() == [second.processID])
                    #expect(try await sandbox.xclipPastes().text == "text")
                }
            }
        }

        @Test("With --replace it takes over from one elsewhere, with the store and all that is in it")
        func replaceFromElsewhere() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let count = try await sandbox.count()
                let first = try sandbox.bridge()
                _ = try await sandbox.shell("mkdir -m 700 elsewhere")
                let elsewhere = sandbox.changing(["XDG_RUNTIME_DIR": sandbox.path("elsewhere")])
                let replacing = ["/bin/sh", "-c", "exec xpbd --replace --ready-fd 3 3>&1"]
                _ = try await elsewhere.running(replacing) { second in
                    #expect(try await second.line() == "ready")
                    await ProcessTable.awaitEnd(of: first)
                    #expect(try await elsewhere.require("get").text == "kept")
                    #expect(try await elsewhere.count() == count)
                    #expect(try await elsewhere.xclipPastes().text == "kept")
                    let status = try await elsewhere.require("status")
                    #expect(
                        status.lines.contains { $0.hasPrefix("store: \(sandbox.path(".local/state/xpb"))") },
                        "\(status)")
                    let doctor = try await elsewhere.xpb("doctor", "--timeout", "60")
                    #expect(doctor.status == 0, "\(doctor)")
                    // What is set here is kept.
                    try await elsewhere.require("set", "later")
                    try await second.kill()
                    #expect(try await elsewhere.require("get").text == "later")
                }
            }
        }

        @Test("SIGTERM ends it in order, and leaves no socket behind")
        func terminated() async throws {
            try await Sandbox.with { sandbox in
                let status = try await sandbox.running(["xpbd"]) { bridge in
                    let before = try await sandbox.count()
                    try await sandbox.require("set", "text")
                    #expect(try await sandbox.count() == before + 1)
                    try bridge.terminate()
                    try await bridge.finish()
                    await ProcessTable.awaitEnd(of: bridge.processID)
                }.status
                #expect(status == 0)
                let left = try await sandbox.shell("find run -type s")
                #expect(left.output.isEmpty, "\(left)")
            }
        }

        @Test("A socket left behind by a bridge that was killed is no obstacle")
        func afterAKill() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                await ProcessTable.end(try sandbox.bridge())
                try await sandbox.require("set", "again")
                #expect(try await sandbox.xclipPastes().text == "again")
            }
        }

        @Test("Without XDG_RUNTIME_DIR it meets its clients in a folder of the user's own, mode 0700")
        func withoutRuntimeFolder() async throws {
            try await Sandbox.with(changes: ["XDG_RUNTIME_DIR": nil]) { sandbox in
                try await sandbox.require("set", "text")
                #expect(try await sandbox.require("get").text == "text")
                let folders = try await sandbox.shell("find . -type s -printf '%h\\n' | xargs -r stat -c '%a'")
                #expect(folders.text == "700", "\(folders)")
            }
        }
    }
}
