import CopyingSupport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Displays that are forwarded from another machine, as by ssh.
    @Suite("Forwarded displays")
    struct ForwardedTests {
        /// Runs `body` in a sandbox whose DISPLAY is forwarded, with the program that forwards the display.
        private static func with(_ body: (Sandbox, Running) async throws -> Void) async throws {
            let display = try #require(Xvfb.display)
            try await Sandbox.with { sandbox in
                _ = try await sandbox.running([Binaries.fixture("forward.py"), display]) { forwarder in
                    let forwarded = sandbox.changing(["DISPLAY": try await forwarder.line()])
                    try await body(forwarded, forwarder)
                }
            }
        }

        @Test("The bridge runs as long as it offers contents, and exits when another program copies", .requiresXvfb)
        func takenOver() async throws {
            let display = try #require(Xvfb.display)
            try await Self.with { sandbox, _ in
                try await sandbox.require("set", "here")
                let bridge = try sandbox.bridge()
                #expect(try await sandbox.xclipPastes().text == "here")
                #expect(try await sandbox.require("get").text == "here")
                #expect(try sandbox.bridge() == bridge)
                let near = sandbox.changing(["DISPLAY": display])
                let copied = try await near.shell("printf there | xclip -i -selection clipboard >/dev/null 2>&1")
                #expect(copied.status == 0)
                await ProcessTable.awaitEnd(of: bridge)
                #expect(try await near.run(["xclip", "-o", "-selection", "clipboard"]).text == "there")
                // The next bridge reads the new owner.
                #expect(try await sandbox.require("get").text == "there")
            }
        }

        @Test(
            "The bridge is a guest of the display's own bridge, whichever starts first, even on a slow network",
            .requiresXvfb)
        func guest() async throws {
            for (isGuestFirst, delay) in [(true, "0"), (false, "0"), (true, "0.02")] {
                try await Xvfb.running { display in
                    try await Sandbox.with(display: display) { near in
                        _ = try await near.running([Binaries.fixture("forward.py"), display, delay]) { forwarder in
                            try await Self.copyOnBoth(near, to: try await forwarder.line(), isGuestFirst: isGuestFirst)
                        }
                    }
                }
            }
        }

        /// Copies on a display and on the machine that it is forwarded to, which is played by a sandbox with its own
        /// folders.
        private static func copyOnBoth(_ near: Sandbox, to display: String, isGuestFirst: Bool) async throws {
            try await Sandbox.with(display: display) { far in
                if isGuestFirst { try await far.require("set", "first") }
                try await near.require("set", "near")
                #expect(try await far.require("get").text == "near")
                // The server would name a process of its own machine.
                let owner = try await far.require("owner", "--json").text
                #expect(!owner.contains("process"), "\(owner)")
                try await far.require("set", "far")
                #expect(try await near.require("get").text == "far")
                for sandbox in [near, far] {
                    let report = try await sandbox.xpb("doctor", "--timeout", "60")
                    #expect(report.status == 0 && !report.text.contains("another machine, or"), "\(report.text)")
                }
            }
        }

        @Test(
            "On another user's display, root's bridge is a guest: it captures and stores nothing, and makes no folder",
            .requiresXvfb, .enabled(if: geteuid() == 0, "only root can be another user"))
        func ofAnotherUser() async throws {
            let server = [
                "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "Xvfb",
                Xvfb.nameToKeep(), "-displayfd", "1", "-nolisten", "tcp", "-noreset",
            ]
            try await Sandbox.with(display: nil) { sandbox in
                _ = try await sandbox.running(server) { server in
                    let root = sandbox.changing(["DISPLAY": ":\(try await server.line())"])
                    try await root.require("set", "of root")
                    #expect(try await root.xclipPastes().text == "of root")
                    let role = ["--target", "TIMESTAMP", "--selection", "CLIPBOARD_MANAGER"]
                    #expect(try await root.ask(role).event == "refused")
                    try root.write("of a program".utf8, to: "in")
                    try await root.xclipCopies("in")
                    #expect(try await root.require("get").text == "of a program")
                    let status = try await root.require("status").text
                    #expect(status.contains("another user"), "\(status)")
                    #expect(!FileManager.default.fileExists(atPath: root.path(".local")), "\(status)")
                    let report = try await root.xpb("doctor", "--timeout", "60")
                    #expect(report.text.contains("the display of another user"), "\(report.text)")
                    #expect(!report.text.contains("clipboard manager"), "\(report.text)")
                }
            }
        }

        @Test(
            "In another user's Wayland session, root is told the user and the command that works",
            .enabled(if: geteuid() == 0, "only root can be another user"))
        func waylandOfAnotherUser() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let bind = "import socket; socket.socket(socket.AF_UNIX).bind('run/wayland-9')"
                _ = try await sandbox.shell("python3 -c \"\(bind)\" && chown 65534 run/wayland-9")
                let root = sandbox.changing(["WAYLAND_DISPLAY": "wayland-9"])
                let advice = "sudo -u '#65534' XDG_RUNTIME_DIR=\(sandbox.runtimeFolder) xpb"
                for line in [["get"], ["set", "text"], ["watch"], ["bridge", "start"]] {
                    let outcome = try await root.run(["\(Binaries.folder)/xpb"] + line)
                    #expect(outcome.status == 4 && outcome.error.contains(advice), "\(outcome)")
                }
                let daemon = try await root.run(["xpbd"])
                #expect(daemon.status == 4 && daemon.error.contains(advice), "\(daemon)")
                #expect(!FileManager.default.fileExists(atPath: sandbox.path(".local")))
            }
        }

        @Test("Contents that are set on a forwarded display are written to no file", .requiresXvfb)
        func notStored() async throws {
            let letters = Array("abcdefghijklmnopqrstuvwxyz")
            let text = String((0..<40).map { _ in letters.randomElement() ?? "a" })
            try await Self.with { sandbox, _ in
                try await sandbox.require("set", "--text", text)
                #expect(try await sandbox.require("get").text == text)
                #expect(try Search(for: text).files(in: sandbox.folder) == [])
            }
        }

        @Test("The bridge exits when its contents are cleared or expire", .requiresXvfb)
        func cleared() async throws {
            try await Self.with { sandbox, _ in
                try await sandbox.require("set", "here")
                let first = try sandbox.bridge()
                try await sandbox.require("clear")
                await ProcessTable.awaitEnd(of: first)
                try await sandbox.require("set", "--expires", "1s", "here")
                for bridge in sandbox.bridges() { await ProcessTable.awaitEnd(of: bridge) }
                #expect(sandbox.bridges() == [])
            }
        }

        @Test("The bridge exits when it is unused, but not while a client is connected", .requiresXvfb)
        func unused() async throws {
            try await Self.with { sandbox, _ in
                let bridge = try await sandbox.running(["\(Binaries.folder)/xpb", "watch", "--initial"]) { watch in
                    _ = try await watch.line()
                    let bridge = try sandbox.bridge()
                    try await sandbox.require("set", "here")
                    _ = try await watch.line()
                    try await sandbox.require("clear")
                    _ = try await watch.line()
                    #expect(try sandbox.bridge() == bridge)
                    return bridge
                }.result
                await ProcessTable.awaitEnd(of: bridge)
            }
        }

        @Test("The bridge exits when its display ends, even if it has contents", .requiresXvfb)
        func displayEnds() async throws {
            try await Self.with { sandbox, forwarder in
                try await sandbox.require("set", "here")
                let bridge = try sandbox.bridge()
                try await forwarder.kill()
                await ProcessTable.awaitEnd(of: bridge)
                #expect(sandbox.bridges() == [])
            }
        }

        @Test("A bridge started without a display outlives a display that it attached to", .requiresXvfb)
        func attachedLater() async throws {
            let display = try #require(Xvfb.display)
            try await Self.with { sandbox, forwarder in
                let without = sandbox.removing("DISPLAY")
                let daemon = ["/bin/sh", "-c", "exec \"$0\" 2>&1", "\(Binaries.folder)/xpbd"]
                _ = try await without.running(daemon) { bridge in
                    try await bridge.line(with: "serving without a display")
                    try await without.require("set", "early")
                    #expect(try await sandbox.require("get").text == "early")
                    #expect(try await sandbox.xclipPastes().text == "early")
                    try await forwarder.kill()
                    try await bridge.line(with: "lost display")
                    #expect(try await without.require("get").text == "early")
                    // The next session forwards its display under another name.
                    _ = try await sandbox.running([Binaries.fixture("forward.py"), display]) { forwarder in
                        let next = sandbox.changing(["DISPLAY": try await forwarder.line()])
                        #expect(try await next.require("get").text == "early")
                        #expect(try await next.xclipPastes().text == "early")
                    }
                    #expect(sandbox.bridges() == [bridge.processID])
                }
            }
        }
    }
}
