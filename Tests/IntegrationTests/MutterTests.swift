import CopyingSupport
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The bridge in a session of mutter, GNOME's compositor. The compositor shows the copies from Wayland programs on
    /// X11 or, without Xwayland, on the session bus.
    @Suite("In a session of mutter")
    struct MutterTests {
        private static let mark = "x-kde-passwordManagerHint"
        /// The type of the text that mutter gives to Wayland programs.
        private static let text = "text/plain;charset=utf-8"

        @Test(
            "Copies from Wayland programs are available at once with their types, and each is one change",
            arguments: [true, false])
        func fromWayland(hasXwayland: Bool) async throws {
            try await Sandbox.withMutter(hasXwayland: hasXwayland) { session, mutter in
                try await session.require("set", "old")
                var count = try await session.count()
                for text in ["täxt", "again", "again"] {
                    try await mutter.pressKey()
                    try await session.wlCopies(text)
                    count += 1
                    try await session.require("wait", "--since", "\(count - 1)")
                    #expect(try await session.require("get").text == text)
                    #expect(try await session.count() == count)
                }
                #expect(try await session.require("owner").text.hasPrefix("owner: wayland"))
                try await mutter.pressKey()
                try await session.wlCopies("<b>b</b>", type: "text/html")
                try await session.require("wait", "--since", "\(count)")
                #expect(try await session.require("get", "-t", "public.html").text == "<b>b</b>")
            }
        }

        @Test("Wayland programs paste contents of xpb and of X11 programs, and pasting does not change the count")
        func toWayland() async throws {
            try await Sandbox.withMutter { session, _ in
                try await session.require("set", "täxt")
                let count = try await session.count()
                #expect(try await session.wlPastes(Self.text) == "täxt")
                #expect(try await session.count() == count)
                try session.write("of X11".utf8, to: "in")
                try await session.xclipCopies("in")
                #expect(try await session.require("get").text == "of X11")
                #expect(try await session.wlPastes(Self.text) == "of X11")
                #expect(try await session.count() == count + 1)
            }
        }

        @Test("The contents of a killed X11 program remain with all types, and the count stays the same")
        func killed() async throws {
            try await Sandbox.withMutter { session, _ in
                try session.write("<b>b</b>".utf8, to: "html")
                try session.write("b".utf8, to: "text")
                let before = try await session.count()
                let offers = [
                    "--offer", "text/html", session.path("html"), "--offer", "UTF8_STRING", session.path("text"),
                ]
                try await session.withPeer(["own"] + offers) { peer in
                    _ = try await peer.await("owned")
                    try await session.require("wait", "--since", "\(before)")
                    _ = try await session.awaitStatus("captured", count: before + 1)
                    try await peer.process.kill()
                }
                try await session.awaitStatus { _ in
                    try await session.require("owner").text.hasPrefix("owner: bridge")
                }
                #expect(try await session.require("get", "-t", "public.html").text == "<b>b</b>")
                #expect(try await session.xclipPastes("text/html").text == "<b>b</b>")
                #expect(try await session.wlPastes("text/html") == "<b>b</b>")
                #expect(try await session.count() == before + 1)
            }
        }

        @Test(
            "One-time contents are available to a program, but not to mutter's clipboard manager",
            arguments: [true, false])
        func once(hasXwayland: Bool) async throws {
            try await Sandbox.withMutter(hasXwayland: hasXwayland) { session, _ in
                try await session.require("set", "--once", "täxt")
                let count = try await session.count()
                #expect(try await session.wlPastes(Self.text) == "täxt")
                try await session.require("wait", "--since", "\(count)")
                #expect(try await session.run(["xpb", "owner"]).status == 1)
            }
        }

        @Test("A promise is kept when a program pastes, but not before", arguments: [true, false])
        func promise(hasXwayland: Bool) async throws {
            try await Sandbox.withMutter(hasXwayland: hasXwayland) { session, _ in
                let command = "echo run >> \(session.path("runs")); echo täxt"
                try await session.require("set", "--command", command)
                // mutter's clipboard manager asks within milliseconds.
                #expect(throws: (any Error).self) { try session.read("runs") }
                #expect(try await session.wlPastes(Self.text) == "täxt")
                #expect(try session.read("runs") == Array("run\n".utf8))
            }
        }

        @Test("The text of a secret that mutter keeps goes to no history, whichever program copied the secret")
        func secret() async throws {
            try await Sandbox.withMutter { session, mutter in
                try session.write("s3cret".utf8, to: "text")
                try session.write("secret".utf8, to: "mark")
                let before = try await session.count()
                let offers = [
                    "--offer", "text/plain;charset=utf-8", session.path("text"), "--offer", Self.mark,
                    session.path("mark"),
                ]
                try await session.withPeer(["own"] + offers) { peer in
                    _ = try await peer.await("owned")
                    try await session.require("wait", "--since", "\(before)")
                    // Waits until mutter's clipboard manager has the text. The bridge's request for TARGETS is
                    // answered, too.
                    while try await peer.await("answered").target != Self.text {}
                    try await peer.process.kill()
                }
                try await session.require("wait", "--since", "\(before + 1)")
                #expect(try await session.xclipPastes().text == "s3cret")
                try await session.awaitStatus { $0.text.contains("it is a secret") }
                try await session.require("set", "--concealed", "-f", session.path("text"))
                try await session.killBridge()
                try await session.require("bridge", "start")
                try await mutter.pressKey()
                #expect(try await !session.run(["xpb", "history"]).text.contains("s3cret"))
                let found = try await session.run(["grep", "-rl", "s3cret", session.path(".local")])
                #expect(found.output.isEmpty, "\(found)")
            }
        }

        @Test(
            "After a bridge is killed, the next bridge has all types, and the text that mutter kept is not a copy",
            arguments: [true, false])
        func restarted(hasXwayland: Bool) async throws {
            try await Sandbox.withMutter(hasXwayland: hasXwayland) { session, _ in
                try session.write("<b>täxt</b>".utf8, to: "html")
                try await session.require("set", "täxt", "-t", "public.html", "-f", session.path("html"))
                // mutter keeps the text that its clipboard manager has read.
                #expect(try await session.wlPastes(Self.text) == "täxt")
                try await session.killBridge()
                try await session.require("bridge", "start")
                #expect(try await session.require("get", "-t", "public.html").text == "<b>täxt</b>")
                try await session.awaitOffer(of: "text/html")
                #expect(try await session.wlPastes("text/html") == "<b>täxt</b>")
                #expect(try await session.require("history").lines.count == 1)
            }
        }

        @Test("A selection that a Wayland program has cleared is empty, after one change", arguments: [true, false])
        func cleared(hasXwayland: Bool) async throws {
            try await Sandbox.withMutter(hasXwayland: hasXwayland) { session, mutter in
                try await session.wlCopies("täxt")
                try await session.require("wait", "--since", "0")
                let count = try await session.count()
                try await mutter.pressKey()
                try await session.wlClears()
                try await session.require("wait", "--since", "\(count)")
                try await session.awaitStatus { _ in try await session.run(["xpb", "owner"]).status == 1 }
                #expect(try await session.count() == count + 1)
            }
        }
    }
}

extension Sandbox {
    /// Runs `body` with a bridge in a session of mutter.
    static func withMutter(
        hasXwayland: Bool = true, _ body: (_ session: Sandbox, _ mutter: Mutter) async throws -> Void
    ) async throws {
        for _ in 1...3 where try await runWithMutter(hasXwayland, body) { return }
        Issue.record("mutter exited three times while the bridge started")
    }

    /// - Returns: false if mutter and Xwayland did not start.
    private static func runWithMutter(
        _ hasXwayland: Bool, _ body: (_ session: Sandbox, _ mutter: Mutter) async throws -> Void
    ) async throws -> Bool {
        try await Sandbox.with(display: nil, changes: Sandbox.logging) { sandbox in
            try await Mutter.running(in: sandbox.path("mutter"), hasXwayland: hasXwayland) { mutter in
                let session = sandbox.changing(mutter.variables)
                guard try await session.startBeside(mutter) else { return false }
                try await body(session, mutter)
                try await session.require("bridge", "stop")
                return true
            }
        }
    }

    /// Starts the bridge, whose connection makes mutter start Xwayland. A failure shows where the bridge, mutter and
    /// Xwayland were waiting.
    ///
    /// - Returns: false if mutter has exited by itself.
    private func startBeside(_ mutter: Mutter) async throws -> Bool {
        let start = try await run(["xpb", "bridge", "start", "--timeout", "150"])
        if start.status == 0 { return true }
        if !mutter.isRunning { return false }
        let states = try await shell(
            """
            cat mutter/log mutter/xpb/*.log
            ps -e -o pid,ppid,stat,wchan:24,args
            grep . /tmp/.X*-lock
            grep /tmp/.X11-unix /proc/net/unix
            """)
        try #require(start.status == 0, "\(start)\n\(states.text)")
        return true
    }
}
