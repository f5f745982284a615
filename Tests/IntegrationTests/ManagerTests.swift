import Glibc
import TestSupport
import Testing

extension Integration {
    /// The bridge as the display's clipboard manager, and beside one (ICCCM 2.8; freedesktop.org's specification).
    @Suite("As manager", .requiresXvfb)
    struct ManagerTests {
        private static let role = ["--selection", "CLIPBOARD_MANAGER"]

        @Test("The bridge becomes the clipboard manager where there is none, and announces both its selections")
        func announced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withPeer(["listen"]) { peer in
                    _ = try await peer.await("listening")
                    try await sandbox.require("bridge", "start")
                    let bridge = try await peer.await("manager")
                    #expect(bridge.target == "_XPB_S0")
                    let manager = try await peer.await("manager")
                    #expect(manager.target == "CLIPBOARD_MANAGER")
                    #expect(try await sandbox.awaitManager("this bridge"))
                    let time = try await sandbox.ask(["--target", "TIMESTAMP"] + Self.role)
                    #expect(time.values == [try #require(manager.time)])
                    let targets = try await sandbox.ask(["--target", "TARGETS"] + Self.role)
                    #expect(
                        Set(["TARGETS", "TIMESTAMP", "MULTIPLE"]).isSubset(of: (targets.names ?? []).compactMap(\.self))
                    )
                }
            }
        }

        @Test("Beside another manager the bridge waits; it has the role when that one goes, gives it up, or dies")
        func rival() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withPeer(["watch"] + Self.role) { watch in
                    _ = try await watch.await("watching")
                    func bridgeTakesIt(from window: Int) async throws {
                        var owner = try await watch.await("owner")
                        while owner.window == 0 || owner.window == window { owner = try await watch.await("owner") }
                        #expect(try await sandbox.awaitManager("this bridge"))
                    }
                    try await sandbox.withPeer(["own"] + Self.role) { rival in
                        let owned = try await rival.await("owned")
                        try await sandbox.require("bridge", "start")
                        #expect(try await sandbox.awaitManager("peer.py (process \(rival.process.processID))"))
                        try await rival.send("disown")
                        try await bridgeTakesIt(from: try #require(owned.window))
                        // Taken from the bridge, it is left to who took it.
                        try await rival.send("own")
                        _ = try await rival.await("owned")
                        #expect(try await sandbox.awaitManager("peer.py (process \(rival.process.processID))"))
                        try await rival.process.kill()
                        try await bridgeTakesIt(from: try #require(owned.window))
                    }
                }
            }
        }

        @Test("A bridge that ends leaves the role to nobody, and its successor takes it")
        func released() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.awaitManager("this bridge"))
                try await sandbox.require("bridge", "stop")
                #expect(try await sandbox.ask(["--target", "TIMESTAMP"] + Self.role).event == "refused")
                try await sandbox.require("bridge", "start")
                #expect(try await sandbox.awaitManager("this bridge"))
            }
        }

        @Test("What is on the clipboard outlives the bridge where another program is the manager")
        func handedOver() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withManager { manager in
                    try await sandbox.require(
                        "set", "-t", "text/html", "--text", "<b>x</b>", "-t", "text", "--text", "x")
                    let bridge = try sandbox.bridge()
                    #expect(kill(bridge, SIGTERM) == 0)
                    let asked = try await manager.await("save")
                    #expect(asked.names?.contains("text/html") == true)
                    _ = try await manager.await("saved")
                    await ProcessTable.awaitEnd(of: bridge)
                    #expect(try await sandbox.xclipPastes().text == "x")
                    #expect(try await sandbox.xclipPastes("text/html").text == "<b>x</b>")
                }
            }
        }

        @Test("What was promised is kept before it is handed over")
        func promiseHandedOver() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withManager { manager in
                    try await sandbox.require("set", "-t", "text", "-c", "echo late")
                    try await sandbox.require("bridge", "stop")
                    _ = try await manager.await("saved")
                    #expect(try await sandbox.xclipPastes().text == "late")
                }
            }
        }

        @Test("Until the manager has the contents they are the bridge's to give")
        func servedMeanwhile() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withManager("--wait") { manager in
                    try await sandbox.require("set", "text")
                    let bridge = try sandbox.bridge()
                    #expect(kill(bridge, SIGTERM) == 0)
                    _ = try await manager.await("save")
                    let owner = try await sandbox.xclipPastes("TARGETS")
                    #expect(owner.lines.contains("UTF8_STRING"), "\(owner)")
                    try await manager.send("go")
                    _ = try await manager.await("saved")
                    await ProcessTable.awaitEnd(of: bridge)
                    #expect(try await sandbox.xclipPastes().text == "text")
                }
            }
        }

        @Test(
            "A manager that does not answer, or refuses, does not keep the bridge", arguments: ["--silent", "--refuse"])
        func badManager(option: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withManager(option) { manager in
                    try await sandbox.require("set", "text")
                    try await sandbox.require("bridge", "stop")
                    _ = try await manager.await("save")
                }
            }
        }
    }
}

extension Sandbox {
    /// Runs the manager of Tests/Fixtures/manager.py, once it has the role, while `body` runs.
    func withManager<Result: Sendable>(
        _ options: String..., body: (Peer) async throws -> Result
    ) async throws -> Result {
        try await withPeer(named: "manager.py", options) { manager in
            _ = try await manager.await("owned")
            return try await body(manager)
        }
    }

    /// Whether `xpb status` tells, before long, that this is the clipboard manager.
    func awaitManager(_ name: String) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        repeat {
            let status = try await require("status")
            if status.lines.contains("manager: \(name)") { return true }
        } while ContinuousClock.now < end
        return false
    }
}
