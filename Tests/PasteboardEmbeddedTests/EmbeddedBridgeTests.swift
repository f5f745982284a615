import TestSupport
import Testing

/// Tests that run one after another, since they start programs. Tests/EmbeddedHost is the program with the bridge
/// inside.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum Embedded {
    @Suite("The bridge inside a program", .requiresXvfb)
    struct EmbeddedBridgeTests {
        @Test("The program copies to X11 programs and xpb, and pastes from them, and no daemon is started")
        func bothWays() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    #expect(Int(try await host.ask("set from inside")) != nil)
                    #expect(try await host.ask("get") == "from inside")
                    #expect(try await sandbox.xclipPastes() == "from inside")
                    #expect(try await sandbox.require("get").text == "from inside")
                    #expect(try await sandbox.require("status").text.contains("\(host.process.processID)"))

                    try await sandbox.xclipCopies("from xclip")
                    #expect(try await host.ask("get") == "from xclip")
                    #expect(try await sandbox.require("get").text == "from xclip")

                    try await sandbox.require("set", "from xpb")
                    #expect(try await host.ask("get") == "from xpb")
                    #expect(try await sandbox.xclipPastes() == "from xpb")
                }
                #expect(sandbox.bridges().isEmpty)
            }
        }

        @Test("The program's promises are fulfilled once for all readers, and other programs know its declared types")
        func promisesAndTypes() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    _ = try await host.ask("promise kept")
                    #expect(try await sandbox.xclipPastes() == "kept 1")
                    #expect(try await sandbox.require("get").text == "kept 1")
                    #expect(try await host.ask("get") == "kept 1")

                    for _ in 1...2 { #expect(try await host.ask("declare com.example.note") == "ok") }
                    try await sandbox.require("set", "-t", "com.example.note", "--text", "note")
                    #expect(try await sandbox.require("get", "-t", "public.plain-text").text == "note")
                }
            }
        }

        @Test("A second start does nothing, and a start for another display is refused")
        func twice() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    try await host.require("set kept")
                    try await host.start()
                    #expect(try await host.ask("get") == "kept")
                    #expect(try await host.ask("start :65000").hasPrefix("error runsElsewhere 0 "))
                    #expect(try await host.ask("start none").hasPrefix("error runsElsewhere 0 "))
                    #expect(try await host.ask("get") == "kept")
                }
            }
        }

        @Test("A display that does not open is an error, and a later start succeeds")
        func noDisplay() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    #expect(try await host.ask("start :65000").hasPrefix("error unavailable 0 "))
                    #expect(try await host.ask("start no name").hasPrefix("error unavailable 0 "))
                    #expect(try await host.ask("running") == "false")
                    try await host.start()
                    #expect(try await host.ask("running") == "true")
                }
            }
        }

        @Test("After a stop the program's contents are lost, and the program uses the daemon's pasteboards")
        func stop() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    try await host.require("set from inside")
                    #expect(try await host.ask("stop") == "ok")
                    #expect(try await host.ask("running") == "false")
                    let left = try await sandbox.shell("find run -type s")
                    #expect(left.output.isEmpty, "\(left)")
                    #expect(try await sandbox.xclipPastes() == "")

                    try await sandbox.require("set", "from outside")
                    #expect(try await sandbox.awaitBridges(1).count == 1)
                    #expect(try await host.ask("get") == "from outside")
                }
            }
        }

        @Test("Repeated starts and stops leave no threads or descriptors behind")
        func again() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    let before = try await host.used()
                    #expect(try await host.ask("cycle 30") == "ok")
                    try await host.awaitUse(before)
                    try await host.start()
                    try await host.require("set text")
                    #expect(try await sandbox.xclipPastes() == "text")
                }
            }
        }

        @Test("Connected clients are disconnected by a stop, and their resources are released")
        func clientsAtTheEnd() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    let before = try await host.used()
                    try await host.start()
                    let watching = ["\(Binaries.folder)/xpb", "watch", "--initial"]
                    _ = try await sandbox.running(watching) { watcher in
                        _ = try await watcher.line()
                        #expect(try await host.ask("stop") == "ok")
                        try await watcher.finish()
                    }
                    try await host.awaitUse(before)
                }
            }
        }

        @Test("After the program was killed, the next bridge starts")
        func killed() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    try await host.require("set from inside")
                    try await host.process.kill()
                    try await sandbox.require("set", "after")
                    #expect(try await sandbox.xclipPastes() == "after")
                    #expect(try await sandbox.awaitBridges(1).count == 1)
                }
            }
        }

        @Test("After the program ended without a stop, the next bridge starts")
        func ended() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    try await host.require("set from inside")
                    try await host.process.finish()
                    await ProcessTable.awaitEnd(of: host.process.processID)
                    try await sandbox.require("set", "after")
                    #expect(try await sandbox.xclipPastes() == "after")
                }
            }
        }
    }
}
