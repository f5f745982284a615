import CopyingSupport
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The bridge as the display's clipboard manager, and with another clipboard manager. See ICCCM, section 2.8, and
    /// freedesktop.org's clipboard manager specification.
    @Suite("As manager", .requiresXvfb)
    struct ManagerTests {
        private static let role = ["--selection", "CLIPBOARD_MANAGER"]

        @Test("If there is no clipboard manager, the bridge takes the role and announces both of its selections")
        func announced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withPeer(["listen"]) { peer in
                    _ = try await peer.await("listening")
                    try await sandbox.require("bridge", "start")
                    let bridge = try await peer.await("manager")
                    #expect(bridge.target == "_XPB_S0")
                    let manager = try await peer.await("manager")
                    #expect(manager.target == "CLIPBOARD_MANAGER")
                    try await sandbox.awaitManager("this bridge")
                    let time = try await sandbox.ask(["--target", "TIMESTAMP"] + Self.role)
                    #expect(time.values == [try #require(manager.time)])
                    let targets = try await sandbox.ask(["--target", "TARGETS"] + Self.role)
                    #expect(
                        Set(["TARGETS", "TIMESTAMP", "MULTIPLE"]).isSubset(of: (targets.names ?? []).compactMap(\.self))
                    )
                }
            }
        }

        @Test("If another manager releases the role or dies, the bridge takes the role")
        func rival() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withPeer(["watch"] + Self.role) { watch in
                    _ = try await watch.await("watching")
                    func bridgeTakesIt(from window: Int) async throws {
                        var owner = try await watch.await("owner")
                        while owner.window == 0 || owner.window == window { owner = try await watch.await("owner") }
                        try await sandbox.awaitManager("this bridge")
                    }
                    try await sandbox.withPeer(["own"] + Self.role) { rival in
                        let owned = try await rival.await("owned")
                        try await sandbox.require("bridge", "start")
                        try await sandbox.awaitManager("peer.py (process \(rival.process.processID))")
                        try await rival.send("disown")
                        try await bridgeTakesIt(from: try #require(owned.window))
                        // The bridge does not take the role back from a manager that took it.
                        try await rival.send("own")
                        _ = try await rival.await("owned")
                        try await sandbox.awaitManager("peer.py (process \(rival.process.processID))")
                        try await rival.process.kill()
                        try await bridgeTakesIt(from: try #require(owned.window))
                    }
                }
            }
        }

        @Test("A bridge that ends releases the role, and the next bridge takes it")
        func released() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.awaitManager("this bridge")
                try await sandbox.require("bridge", "stop")
                #expect(try await sandbox.ask(["--target", "TIMESTAMP"] + Self.role).event == "refused")
                try await sandbox.require("bridge", "start")
                try await sandbox.awaitManager("this bridge")
            }
        }

        /// The contents that the programs of the next tests copy, by target.
        private static let contents = [
            "UTF8_STRING": "text ü", "text/html": "<b>text</b>", "application/x-xpb-test": "custom",
            "text/uri-list": "file:///tmp/a\r\n", "application/x-xpb-other": "other",
        ]

        private static func write(to sandbox: Sandbox) throws -> [String] {
            try contents.enumerated().flatMap { index, one in
                [one.key, try sandbox.write(Array(one.value.utf8), to: "contents\(index)")]
            }
        }

        @Test("Everything that a GTK 3 program stored before it exited is available under its targets")
        func gtk() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.awaitManager("this bridge")
                let command = [Binaries.fixture("Toolkits/store_gtk3.py")] + (try Self.write(to: sandbox))
                _ = try await sandbox.running(command) { program in
                    #expect(try await program.line() == "owned")
                    try await program.send("store")
                    #expect(try await program.line() == "stored")
                    // The bridge owns the contents while the program is still running.
                    #expect(try await sandbox.require("owner").lines.contains("owner: bridge"))
                    try await program.finish()
                }
                for (target, text) in Self.contents {
                    #expect(try await sandbox.xclipPastes(target).output == Array(text.utf8), "\(target)")
                }
            }
        }

        @Test("Everything that a Qt 5 program copied is available after it exits")
        func qt() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.awaitManager("this bridge")
                let kinds = ["text": "text ü", "html": "<b>text</b>", "application/x-xpb-test": "custom"]
                var command = [Binaries.fixture("Toolkits/qt.py"), "own"]
                for (index, one) in kinds.enumerated() {
                    command += [one.key, try sandbox.write(Array(one.value.utf8), to: "contents\(index)")]
                }
                _ = try await sandbox.running(command) { program in
                    #expect(try await program.line() == "owned")
                    try await program.finish()
                }
                for (target, text) in [
                    "UTF8_STRING": "text ü", "text/html": "<b>text</b>", "application/x-xpb-test": "custom",
                ] {
                    #expect(try await sandbox.xclipPastes(target).output == Array(text.utf8), "\(target)")
                }
            }
        }

        @Test("SAVE_TARGETS with two of five targets saves those two, and does not change the count")
        func some() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.awaitManager("this bridge")
                let files = try Self.write(to: sandbox)
                let offers = stride(from: 0, to: files.count, by: 2).flatMap { ["--offer", files[$0], files[$0 + 1]] }
                let before = try await sandbox.count()
                try await sandbox.withPeer(["own"] + offers) { peer in
                    _ = try await peer.await("owned")
                    try await peer.send("save text/html application/x-xpb-other")
                    // The bridge owns the selection before it answers.
                    _ = try await peer.await("lost")
                    let answer = try await peer.await("saved")
                    #expect(answer.type == "NULL")
                    #expect(answer.length == 0)
                    try await peer.process.kill()
                }
                for target in ["text/html", "application/x-xpb-other"] {
                    #expect(try await sandbox.xclipPastes(target).text == Self.contents[target])
                }
                let targets = try await sandbox.xclipPastes("TARGETS").lines
                #expect(!targets.contains("application/x-xpb-test") && !targets.contains("text/uri-list"))
                #expect(try await sandbox.count() == before + 1)
            }
        }

        @Test("A secret is not saved")
        func secret() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.awaitManager("this bridge")
                let file = try sandbox.write(Array("secret".utf8), to: "secret")
                let offers = ["--offer", "UTF8_STRING", file, "--offer", "x-kde-passwordManagerHint", file]
                try await sandbox.withPeer(["own"] + offers) { peer in
                    _ = try await peer.await("owned")
                    try await peer.send("save")
                    _ = try await peer.await("not-saved")
                    try await peer.process.kill()
                }
                #expect(try await sandbox.xclipPastes().status != 0)
            }
        }

        @Test("A program that waits for a save is answered when the bridge exits")
        func endsMeanwhile() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.awaitManager("this bridge")
                let file = try sandbox.write(Array("text".utf8), to: "text")
                let arguments = ["own", "--offer", "text/html", file, "--silent-for", "text/html"]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("owned")
                    try await peer.send("save")
                    _ = try await peer.await("silent")
                    let bridge = try sandbox.bridge()
                    #expect(kill(bridge, SIGTERM) == 0)
                    _ = try await peer.await("not-saved")
                    await ProcessTable.awaitEnd(of: bridge)
                }
            }
        }

        @Test("With another manager, the clipboard outlives the bridge")
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

        @Test("A bridge that is restarted leaves stored contents to the next bridge, not to the manager")
        func restarted() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withManager { _ in
                    try await sandbox.require("set", "text")
                    let count = try await sandbox.require("count").text
                    try await sandbox.require("bridge", "restart")
                    try await Self.expectUnchanged(count, in: sandbox)
                }
            }
        }

        @Test("A bridge that is replaced leaves stored contents to the next bridge, not to the manager")
        func replaced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withManager { _ in
                    try await sandbox.require("set", "text")
                    let count = try await sandbox.require("count").text
                    let former = try sandbox.bridge()
                    let replacing = ["/bin/sh", "-c", "exec xpbd --replace --ready-fd 3 3>&1"]
                    _ = try await sandbox.running(replacing) { bridge in
                        await ProcessTable.awaitEnd(of: former)
                        #expect(try await bridge.line() == "ready")
                        try await Self.expectUnchanged(count, in: sandbox)
                    }
                }
            }
        }

        /// Expects that the contents were neither copied by another program nor recorded twice.
        private static func expectUnchanged(_ count: String, in sandbox: Sandbox) async throws {
            #expect(try await sandbox.require("get").text == "text")
            #expect(try await sandbox.require("count").text == count)
            #expect(try await sandbox.require("history", "list").lines.count == 1)
        }

        @Test("Contents that are not stored are handed over to the manager, even if another bridge follows")
        func restartedWithoutStore() async throws {
            try await Sandbox.with { sandbox in
                let forgetful = sandbox.changing(["XPB_PERSIST": "false"])
                try await forgetful.withManager { manager in
                    try await forgetful.require("set", "text")
                    try await forgetful.require("bridge", "restart")
                    _ = try await manager.await("saved")
                    #expect(try await forgetful.require("get").text == "text")
                }
            }
        }

        @Test("Promises are fulfilled before the contents are handed over")
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

        @Test("The bridge serves the contents until the manager has them")
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
            "A manager that does not answer, or refuses, does not keep the bridge from exiting",
            arguments: ["--silent", "--refuse"])
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
    /// Runs `body` while Tests/Fixtures/manager.py is the clipboard manager.
    func withManager<Result: Sendable>(
        _ options: String..., body: (Peer) async throws -> Result
    ) async throws -> Result {
        try await withPeer(named: "manager.py", options) { manager in
            _ = try await manager.await("owned")
            return try await body(manager)
        }
    }

    /// Waits until `xpb status` names this clipboard manager. The bridge asks the X server for the manager's process
    /// only after the role has got a new owner.
    func awaitManager(_ name: String) async throws {
        try await awaitStatus { $0.lines.contains("manager: \(name)") }
    }
}
