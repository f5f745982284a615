import TestSupport
import Testing

extension Embedded {
    @Suite("Only the first bridge serves a display", .requiresXvfb)
    struct RefusalTests {
        @Test("If a daemon is running, a start throws an error with its process, and the daemon's pasteboards are used")
        func daemon() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "from outside")
                let daemon = try #require(sandbox.bridges().first)
                try await sandbox.withHost { host in
                    let answer = try await host.ask("start")
                    #expect(answer.hasPrefix("error served \(daemon) ") && answer.contains("xpbd"), "\(answer)")
                    #expect(try await host.ask("running") == "false")
                    #expect(try await host.ask("get") == "from outside")
                    try await host.require("set from inside")
                    #expect(try await sandbox.require("get").text == "from inside")
                }
            }
        }

        @Test("If a bridge is found only through the display, a start throws an error with its process")
        func elsewhere() async throws {
            try await Sandbox.with { elsewhere in
                try await elsewhere.require("bridge", "start")
                let daemon = try #require(elsewhere.bridges().first)
                try await Sandbox.with { sandbox in
                    try await sandbox.withHost { host in
                        #expect(try await host.ask("start").hasPrefix("error served \(daemon) "))
                        // The refused start has released its place in the folder.
                        #expect(try await host.ask("start :65000").hasPrefix("error unavailable 0 "))
                        let left = try await sandbox.shell("find run -type s")
                        #expect(left.output.isEmpty, "\(left)")
                    }
                }
            }
        }

        @Test("If another program's bridge is running, a start throws an error with that program's process")
        func anotherProgram() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { first in
                    try await first.start()
                    try await sandbox.withHost { second in
                        let answer = try await second.ask("start")
                        #expect(answer.hasPrefix("error served \(first.process.processID) "), "\(answer)")
                        _ = try await second.ask("set from the second")
                        #expect(try await first.ask("get") == "from the second")
                    }
                }
            }
        }

        @Test("A daemon does not start while the program's bridge is running, and reports the program's process")
        func daemonAfterwards() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    let second = try await sandbox.run(["xpbd"])
                    #expect(second.status == 6 && second.error.contains("\(host.process.processID)"), "\(second)")
                    try await Sandbox.with { elsewhere in
                        let third = try await elsewhere.run(["xpbd"])
                        #expect(third.status == 6 && third.error.contains("\(host.process.processID)"), "\(third)")
                    }
                    try await host.require("set text")
                    #expect(try await sandbox.xclipPastes() == "text")
                }
            }
        }

        @Test("xpbd --replace takes over from the program, which then uses the daemon's pasteboards")
        func replaced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    try await host.require("set from inside")
                    let replacing = ["/bin/sh", "-c", "exec xpbd --replace --ready-fd 3 3>&1"]
                    _ = try await sandbox.running(replacing) { daemon in
                        #expect(try await daemon.line() == "ready")
                        try await sandbox.require("set", "from outside")
                        #expect(try await host.ask("get") == "from outside")
                        #expect(try await host.ask("running") == "false")
                        #expect(try await host.ask("start").hasPrefix("error served "))
                    }
                }
            }
        }
    }

    @Suite("The bridge inside a program without a display")
    struct WithoutDisplayTests {
        @Test("The bridge serves programs without a display, and leaves displays to other bridges")
        func displayless() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.withHost { host in
                    try await host.start()
                    try await host.require("set from inside")
                    #expect(try await host.ask("get") == "from inside")
                    #expect(try await sandbox.require("get").text == "from inside")
                    try await sandbox.require("set", "from xpb")
                    #expect(try await host.ask("get") == "from xpb")

                    let before = try await host.ask("state")
                    // The display has a unique name: the bridge would also serve a later server with the same name.
                    try await Xvfb.running { display in
                        let other = sandbox.changing(["DISPLAY": display, "XAUTHORITY": "\(sandbox.folder)/none"])
                        try await other.require("set", "on the display")
                        #expect(try await sandbox.awaitBridges(1).count == 1)
                        #expect(try await other.xclipPastes() == "on the display")
                    }
                    #expect(try await host.ask("get") == "from xpb")
                    #expect(try await host.ask("state") == before)
                }
            }
        }
    }
}
