import CopyingSupport
import TestRandom
import TestSupport
import Testing

extension Integration {
    /// The bridge between the X11 and the Wayland programs of one session of sway with Xwayland.
    @Suite("In a session with both displays")
    struct WaylandSessionTests {
        /// Runs `body` in a session without a window, or in a session where an X11 window has the focus.
        private func withSession(isFocused: Bool, _ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await Sway.running(in: sandbox.path("wayland"), hasXwayland: true) { variables in
                    let session = sandbox.changing(variables)
                    if isFocused {
                        try await session.withFocus { try await body(session) }
                    } else {
                        try await body(session)
                    }
                    try await session.require("bridge", "stop")
                }
            }
        }

        @Test("X11 programs paste what a Wayland program copies, as one change", arguments: [false, true])
        func fromWayland(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                let before = try await session.count()
                try await session.wlCopies("täxt")
                #expect(try await session.require("get").text == "täxt")
                try await session.awaitXPaste("täxt")
                #expect(try await session.wlPastes() == "täxt")
                #expect(try await session.count() == before + 1)
            }
        }

        @Test("Wayland programs paste what an X11 program copies, as one change", arguments: [false, true])
        func fromX11(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                let before = try await session.count()
                try session.write("täxt".utf8, to: "in")
                try await session.xclipCopies("in")
                #expect(try await session.require("get").text == "täxt")
                try await session.awaitWaylandPaste("täxt")
                try await session.awaitXPaste("täxt")
                #expect(try await session.count() == before + 1)
            }
        }

        @Test("X11 and Wayland programs paste contents that xpb sets, as one change", arguments: [false, true])
        func own(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                try await session.require("set", "täxt")
                let count = try await session.count()
                #expect(try await session.wlPastes() == "täxt")
                try await session.awaitXPaste("täxt")
                #expect(try await session.require("owner").text.hasPrefix("owner: client"))
                #expect(try await session.count() == count)
            }
        }

        @Test(
            "Both displays keep the contents of a killed program, and the count stays the same",
            arguments: [false, true])
        func death(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                let before = try await session.count()
                let file = session.path("in")
                let xclip = "xclip -quiet -selection clipboard -t UTF8_STRING \(file)"
                for command in [xclip, "/usr/bin/wl-copy --foreground <\(file)"] {
                    let text = "of \(command)"
                    try session.write(text.utf8, to: "in")
                    let count = try await session.count()
                    _ = try await session.running(["sh", "-c", "exec \(command)"]) { _ in
                        try await session.require("wait", "--since", "\(count)")
                        while try await session.require("get").text != text { try Task.checkCancellation() }
                        try await session.awaitCapture()
                    }
                    #expect(try await session.require("get").text == text)
                    try await session.awaitWaylandPaste(text)
                    try await session.awaitXPaste(text)
                }
                #expect(try await session.count() == before + 2)
            }
        }

        @Test(
            "An orderly restart while a Wayland program owns the selection is not a change", arguments: [false, true])
        func restarted(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                try await session.require("bridge", "start")
                try await session.wlCopies("täxt")
                try await session.awaitCapture()
                let count = try await session.count()
                try await session.require("bridge", "restart")
                #expect(try await session.require("get").text == "täxt")
                try await session.awaitXPaste("täxt")
                #expect(try await session.wlPastes() == "täxt")
                #expect(try await session.count() == count)
                #expect(try await session.require("history", "list").lines.count == 1)
            }
        }

        // sway leaves out the mark of an X11 program's secret.
        @Test("With Xwayland but without DISPLAY, a bridge captures nothing, since secrets may lack their mark")
        func unserved() async throws {
            try await withSession(isFocused: true) { session in
                let unserved = session.removing("DISPLAY")
                try await unserved.require("bridge", "start")
                try session.write("sécret".utf8, to: "in")
                // xclipCopies(_:) would run xpb with DISPLAY, which would make the bridge serve the X display.
                try #require(
                    await session.shell("exec xclip -i -selection clipboard in >/dev/null 2>&1").status == 0)
                try await unserved.awaitWaylandPaste("sécret")
                #expect(try await unserved.require("get").text == "sécret")
                _ = try await unserved.awaitStatus { $0.text.contains("a bridge with DISPLAY sees the mark") }
                #expect(try await unserved.xpb("history", "list").output.isEmpty)
            }
        }

        @Test("Contents that the compositor gave to X11 programs can be pasted after those programs lose the focus")
        func focusLoss() async throws {
            try await withSession(isFocused: false) { session in
                try await session.require("bridge", "start")
                try await session.withFocus {
                    try await session.wlCopies("täxt")
                    try await session.awaitXPaste("täxt")
                    try await session.awaitCapture()
                }
                try await session.awaitXPaste("täxt")
                #expect(try await session.wlPastes() == "täxt")
            }
        }

        // The compositor's copy of an X11 selection would lose the mark.
        @Test(
            "Concealed contents have their mark, and X11 programs that have the focus get them",
            arguments: [false, true])
        func concealed(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                let mark = "x-kde-passwordManagerHint"
                let before = try await session.count()
                try session.write("sécret".utf8, to: "in")
                try await session.require("set", "--concealed", "-f", session.path("in"))
                #expect(try await session.wlTypes().contains(mark))
                #expect(try await session.wlPastes() == "sécret")
                if isFocused {
                    try await session.awaitXPaste("sécret")
                    #expect(try await session.xclipPastes("TARGETS").text.contains(mark))
                } else {
                    #expect(try await session.xclipPastes().status != 0)
                }
                #expect(try await session.require("get").text == "sécret")
                #expect(try await session.count() == before + 1)
                try await session.require("set", "täxt")
                try await session.awaitXPaste("täxt")
                #expect(try await !session.wlTypes().contains(mark))
            }
        }

        @Test("clear empties both displays, whichever program has copied", arguments: [false, true])
        func clear(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                try session.write("täxt".utf8, to: "in")
                for copy in [{ try await session.wlCopies("täxt") }, { try await session.xclipCopies("in") }] {
                    try await copy()
                    #expect(try await session.require("get").text == "täxt")
                    try await session.require("clear")
                    #expect(try await session.wlTypes() == [])
                    #expect(try await session.xclipPastes().status != 0)
                    #expect(try await session.run(["xpb", "owner"]).status == 1)
                }
            }
        }

        @Test("An X server that is not the session's Xwayland has its own bridge", .requiresXvfb)
        func otherServer() async throws {
            try await withSession(isFocused: false) { session in
                let other = try session.changing(["DISPLAY": #require(Xvfb.display)])
                try await session.require("set", "of the session")
                try await other.require("set", "of the other server")
                #expect(try await session.require("get").text == "of the session")
                #expect(try await session.wlPastes() == "of the session")
                #expect(try await other.xclipPastes().text == "of the other server")
                #expect(try await !other.require("status").text.contains("wayland:"))
                try await other.require("bridge", "stop")
            }
        }

        @Test(
            "The bridge of a Wayland display also serves its next client's X display, if that display is Xwayland",
            .requiresXvfb)
        func attachment() async throws {
            try await withSession(isFocused: false) { session in
                try await session.removing("DISPLAY").require("set", "täxt")
                let other = try session.changing(["DISPLAY": #require(Xvfb.display)])
                try await other.require("set", "of the other server")
                try await other.require("bridge", "stop")
                #expect(try await session.require("get").text == "täxt")
                try await session.awaitXPaste("täxt")
                #expect(try await session.awaitBridges(1).count == 1)
            }
        }

        @Test(
            "After simultaneous copies by Wayland, X11 and xpb, all three paste the same contents",
            arguments: [false, true])
        func together(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                try await session.require("bridge", "start")
                for number in 0..<20 {
                    let count = try await session.count()
                    try session.write("x\(number)".utf8, to: "in")
                    async let wayland: Void = session.wlCopies("w\(number)")
                    async let x11: Outcome = session.shell("exec xclip -i -selection clipboard in >/dev/null 2>&1")
                    async let own: Outcome = session.run(["xpb", "set", "p\(number)"])
                    _ = try await (wayland, x11, own)
                    try await session.awaitAgreement(after: count)
                }
            }
        }

        @Test(
            "After random copies by Wayland, X11 and xpb, contents and count match on all three sides",
            arguments: [false, true])
        func random(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                try await session.require("bridge", "start")
                var random = SeededGenerator(seed: 22)
                var count = try await session.count()
                for number in 0..<30 {
                    let text = "copy \(number)"
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: try await session.wlCopies(text)
                    case 1:
                        try session.write(text.utf8, to: "in")
                        try await session.xclipCopies("in")
                    default: try await session.require("set", text)
                    }
                    count += 1
                    #expect(try await session.require("get").text == text)
                    try await session.awaitWaylandPaste(text)
                    try await session.awaitXPaste(text)
                    #expect(try await session.count() == count, "\(text)")
                }
            }
        }
    }
}

extension Sandbox {
    /// Runs `body` while an X11 window has the focus.
    fileprivate func withFocus(_ body: () async throws -> Void) async throws {
        // xev(1) writes its lines at once only to a terminal.
        _ = try await running(["stdbuf", "--output=L", "xev", "-event", "focus"]) { window in
            try await window.line(with: "FocusIn")
            try await body()
        }
    }

    /// Pastes with xclip until it gets the text. The contents cross to the other display only after the change, and
    /// each paste is answered by the current owner.
    fileprivate func awaitXPaste(_ text: String) async throws {
        while try await xclipPastes().text != text { try Task.checkCancellation() }
    }

    /// Pastes with wl-paste until it gets the text, as ``awaitXPaste(_:)`` does.
    fileprivate func awaitWaylandPaste(_ text: String) async throws {
        while try await wlPastes("text/plain;charset=utf-8") != text { try Task.checkCancellation() }
    }

    /// Pastes on all sides until the results are the same. If the compositor has kept no copy that came after `count`,
    /// all sides paste nothing, and the bridge reports the loss.
    fileprivate func awaitAgreement(after count: Int) async throws {
        while true {
            let outcome = try await xpb("get", "--timeout", "60")
            let types = try await wlTypes()
            if outcome.status == 1, types == [], try await xclipPastes().text.isEmpty, try await hasLost(after: count) {
                return
            }
            if outcome.status == 0, !types.isEmpty {
                let pasted = try await (wlPastes("text/plain;charset=utf-8"), xclipPastes().text)
                if pasted == (outcome.text, outcome.text) { return }
            }
            try Task.checkCancellation()
        }
    }

    /// Returns true if the bridge reports that a copy that came after `count` is lost.
    private func hasLost(after count: Int) async throws -> Bool {
        let status = try await xpb("status", "--timeout", "60")
        let losses = status.lines.compactMap { line in
            line.wholeMatch(of: /lost contents: general (\d+), .*/).flatMap { Int($0.1) }
        }
        return losses.contains { $0 > count }
    }

    /// Waits until the contents of the program that owns the general pasteboard are captured, or the bridge owns them.
    fileprivate func awaitCapture() async throws {
        let captured = "captured: general \(try await count()):"
        try await awaitStatus { status in
            if status.text.contains(captured) { return true }
            return try await require("owner").text.contains("bridge")
        }
    }
}
