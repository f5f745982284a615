import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Displays that do not exist, lack something, or end.
    @Suite("Displays")
    struct DisplayTests {
        /// The name of a display without a server.
        static let stale = ":59999"

        @Test(
            "With a stale DISPLAY, the status is 4 and the message quotes it", arguments: ["get", "types", "count"])
        func staleDisplay(command: String) async throws {
            try await Sandbox.with(display: Self.stale) { sandbox in
                let outcome = try await sandbox.xpb(command)
                #expect(outcome.status == 4, "\(outcome)")
                #expect(outcome.error.contains(Self.stale), "\(outcome)")
            }
        }

        @Test("With an invalid DISPLAY, the status is 4", arguments: ["nonsense", ":", ":x", "::"])
        func impossibleDisplay(display: String) async throws {
            try await Sandbox.with(display: display) { sandbox in
                let outcome = try await sandbox.xpb("set", "text")
                #expect(outcome.status == 4, "\(outcome)")
                #expect(outcome.error.contains(display), "\(outcome)")
            }
        }

        @Test("Without DISPLAY and without a bridge, a command exits with status 4 and names the next step")
        func noDisplay() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let outcome = try await sandbox.xpb("get")
                #expect(outcome.status == 4, "\(outcome)")
                #expect(outcome.error.contains("DISPLAY"), "\(outcome)")
            }
        }

        @Test("A bridge without a display serves its clients")
        func bridgeWithoutDisplay() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "-t", "image/png", "-f", "-", input: Payload.random(500_000))
                #expect(Payload.difference(try await sandbox.require("get").output, Payload.random(500_000)) == nil)
            }
        }

        @Test("Without DISPLAY, a client uses the user's only bridge", .requiresXvfb)
        func onlyBridge() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let without = sandbox.removing("DISPLAY")
                #expect(try await without.require("get").text == "text")
                #expect(try await sandbox.awaitBridges(1).count == 1)
            }
        }

        @Test("A bridge without a display serves the first display that a client names", .requiresXvfb)
        func attachedLater() async throws {
            try await Sandbox.with { sandbox in
                let without = sandbox.removing("DISPLAY")
                try await without.require("bridge", "start")
                try await without.require("set", "early")
                let bridge = try sandbox.bridge()
                #expect(try await sandbox.require("get").text == "early")
                #expect(try await sandbox.xclipPastes().text == "early")
                #expect(try sandbox.bridge() == bridge)
            }
        }

        @Test("If the display requires authority, a command without it exits with status 4")
        func authority() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let file = try sandbox.write(Authority.file(cookie: Payload.random(16)), to: "authority")
                try await Xvfb.running(["-auth", file]) { display in
                    let refused = try await sandbox.changing(["DISPLAY": display]).xpb("set", "text")
                    #expect(refused.status == 4, "\(refused)")
                    #expect(refused.error.contains("XAUTHORITY"), "\(refused)")
                    // The failed bridge has released the store.
                    #expect(try await sandbox.shell("find .local -name open").output.isEmpty)
                    let allowed = sandbox.changing(["DISPLAY": display, "XAUTHORITY": file])
                    try await allowed.require("set", "text")
                    #expect(try await allowed.xclipPastes().text == "text")
                }
            }
        }

        @Test(
            "On a display without XFixes, the status is 4 and the message names XFixes",
            .requiresXvfb("-extension", "XFIXES"))
        func noXFixes() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.xpb("set", "text")
                #expect(outcome.status == 4, "\(outcome)")
                #expect(outcome.error.lowercased().contains("xfixes"), "\(outcome)")
            }
        }

        @Test(":0 and :0.0 are one display", .requiresXvfb)
        func oneDisplay() async throws {
            let display = try #require(Xvfb.display)
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                for other in ["\(display).0", "unix\(display)"] {
                    let same = sandbox.changing(["DISPLAY": other])
                    #expect(try await same.require("get").text == "text", "\(other)")
                }
                #expect(try await sandbox.awaitBridges(1).count == 1)
                #expect(try await sandbox.removing("DISPLAY").require("get", "--display", display).text == "text")
            }
        }

        @Test("Each of two displays has its own bridge")
        func twoDisplays() async throws {
            try await Xvfb.running { first in
                try await Xvfb.running { second in
                    try await Sandbox.with(display: first) { sandbox in
                        let other = sandbox.changing(["DISPLAY": second])
                        try await sandbox.require("set", "one")
                        try await other.require("set", "two")
                        #expect(try await sandbox.awaitBridges(2).count == 2)
                        #expect(try await sandbox.xclipPastes().text == "one")
                        #expect(try await other.xclipPastes().text == "two")
                        try await other.require("bridge", "stop")
                    }
                }
            }
        }

        @Test("A bridge outlives its X server, and still serves its contents")
        func outlivesItsServer() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                // The server has its own name, because the bridge would attach to the next server with the same name.
                let bridge = try await Xvfb.running { display in
                    let there = sandbox.changing(["DISPLAY": display])
                    try await there.require("set", "text")
                    return try sandbox.bridge()
                }
                #expect(try await sandbox.require("get").text == "text")
                #expect(sandbox.bridges() == [bridge])
            }
        }

        @Test("When its X server is back, the bridge offers its contents and sees other programs' copies")
        func serverIsBack() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let display = Xvfb.nameToKeep()
                _ = try await Xvfb.running([display]) { display in
                    try await sandbox.changing(["DISPLAY": display]).require("set", "kept")
                }
                _ = try await sandbox.running(Xvfb.command(display)) { server in
                    _ = try await server.line()
                    let there = sandbox.changing(["DISPLAY": display])
                    let bridge = try sandbox.bridge()
                    // The first call makes the bridge attach to the display; the second waits for that to complete.
                    for _ in 0..<2 { #expect(try await there.require("get").text == "kept") }
                    #expect(try await there.xclipPastes().text == "kept")
                    _ = try there.write(Array("copied".utf8), to: "in")
                    try await there.xclipCopies("in")
                    #expect(try await there.require("get").text == "copied")
                    #expect(try sandbox.bridge() == bridge)
                }
            }
        }
    }
}
