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

