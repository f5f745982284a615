import CopyingSupport
import TestRandom
import TestSupport
import Testing

extension Integration {
    /// The bridge between the X11 and the Wayland programs of one session of sway with Xwayland.
    @Suite("In a session with both displays")
    struct WaylandSessionTests {
        /// Runs `body` in a session without a window, and in one in which an X11 window has the focus.
        private func withSession(isFocused: Bool, _ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await Sway.running(in: sandbox.path("wayland"), hasXwayland: true) { variables in
                    let session = sandbox.changing(variables)
                    if isFocused {
                        _ = try await session.running(["xev", "-event", "mouse"]) { _ in
                            try await session.awaitFocus()
                            try await body(session)
                        }
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
                #expect(try await session.awaitXPaste("täxt"))
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
                #expect(try await session.awaitWaylandPaste("täxt"))
                #expect(try await session.awaitXPaste("täxt"))
                #expect(try await session.count() == before + 1)
            }
        }

        @Test("Programs of both kinds paste what was set, as one change", arguments: [false, true])
        func own(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                try await session.require("set", "täxt")
                let count = try await session.count()
                #expect(try await session.wlPastes() == "täxt")
                #expect(try await session.awaitXPaste("täxt"))
                #expect(try await session.require("owner").text.hasPrefix("owner: client"))
                #expect(try await session.count() == count)
            }
        }

        @Test("Both sides keep the contents of a program that is killed, at the same count", arguments: [false, true])
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
                        try await session.require("wait", "--since", "\(count)", "--timeout", "30")
                        while try await session.require("get").text != text {}
                        try await session.awaitCapture()
                    }
                    #expect(try await session.require("get").text == text)
                    #expect(try await session.awaitWaylandPaste(text))
                    #expect(try await session.awaitXPaste(text))
                }
                #expect(try await session.count() == before + 2)
            }
        }

        @Test("Contents that the compositor gave to X11 programs can be pasted after these have lost the focus")
        func focusLoss() async throws {
            try await withSession(isFocused: false) { session in
                try await session.require("bridge", "start")
                _ = try await session.running(["xev", "-event", "mouse"]) { _ in
                    try await session.awaitFocus()
                    try await session.wlCopies("täxt")
                    #expect(try await session.awaitXPaste("täxt"))
                    try await session.awaitCapture()
                }
                #expect(try await session.awaitXPaste("täxt"))
                #expect(try await session.wlPastes() == "täxt")
            }
        }

        @Test("Programs of both kinds know concealed contents by their mark", arguments: [false, true])
        func concealed(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                let mark = "x-kde-passwordManagerHint"
                let before = try await session.count()
                try session.write("sécret".utf8, to: "in")
                try await session.require("set", "--concealed", "-f", session.path("in"))
                #expect(try await session.wlTypes().contains(mark))
                #expect(try await session.wlPastes() == "sécret")
                #expect(try await session.awaitXPaste("sécret"))
                #expect(try await session.xclipPastes("TARGETS").text.contains(mark))
                #expect(try await session.require("get").text == "sécret")
                #expect(try await session.count() == before + 1)
                try await session.require("set", "täxt")
                #expect(try await session.awaitXPaste("täxt"))
                #expect(try await !session.wlTypes().contains(mark))
            }
        }

        @Test("clear empties both sides, whoever has copied", arguments: [false, true])
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

        @Test("An X server that is not the session's Xwayland has a bridge of its own", .requiresXvfb)
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
            "The bridge of a Wayland display takes the X display that its next client names, if that is Xwayland",
            .requiresXvfb)
        func attachment() async throws {
            try await withSession(isFocused: false) { session in
                try await session.removing("DISPLAY").require("set", "täxt")
                let other = try session.changing(["DISPLAY": #require(Xvfb.display)])
                try await other.require("set", "of the other server")
                try await other.require("bridge", "stop")
                #expect(try await session.require("get").text == "täxt")
                #expect(try await session.awaitXPaste("täxt"))
                #expect(session.bridges().count == 1)
            }
        }

        @Test("After copies of three sides at the same moment, all paste the same", arguments: [false, true])
        func together(isFocused: Bool) async throws {
            try await withSession(isFocused: isFocused) { session in
                try await session.require("bridge", "start")
                for number in 0..<20 {
                    try session.write("x\(number)".utf8, to: "in")
                    async let wayland: Void = session.wlCopies("w\(number)")
                    async let x11: Outcome = session.shell("exec xclip -i -selection clipboard in >/dev/null 2>&1")
                    async let own: Outcome = session.run(["xpb", "set", "p\(number)"])
                    _ = try await (wayland, x11, own)
                    #expect(try await session.awaitAgreement(), "\(number)")
                }
            }
        }

        @Test("Random copies of three sides match in contents and count", arguments: [false, true])
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
                    #expect(try await session.awaitWaylandPaste(text))
                    #expect(try await session.awaitXPaste(text))
                    #expect(try await session.count() == count, "\(text)")
                }
            }
        }
    }
}

extension Sandbox {
    /// Waits until an X11 window has the focus.
    fileprivate func awaitFocus() async throws {
        while try await run(["xdotool", "getwindowfocus", "getwindowname"]).text.isEmpty {}
    }

    /// Pastes with xclip until it has the text. The contents cross to the other side after the change.
    fileprivate func awaitXPaste(_ text: String) async throws -> Bool {
        for _ in 0..<200 {
            if try await xclipPastes().text == text { return true }
        }
        return false
    }

    /// Pastes on all sides until all paste the same.
    fileprivate func awaitAgreement() async throws -> Bool {
        for _ in 0..<500 {
            let outcome = try await xpb("get")
            let pasted = try await (wlPastes("text/plain;charset=utf-8"), xclipPastes().text)
            if outcome.status == 0, pasted == (outcome.text, outcome.text) { return true }
        }
        return false
    }

    /// Waits until the contents of the program that owns the general pasteboard are captured, or owned in its place.
    fileprivate func awaitCapture() async throws {
        let captured = "captured: general \(try await count()):"
        while try await !require("status").text.contains(captured), try await !require("owner").text.contains("bridge")
        {}
    }

    fileprivate func awaitWaylandPaste(_ text: String) async throws -> Bool {
        for _ in 0..<200 {
            if try await wlPastes("text/plain;charset=utf-8") == text { return true }
        }
        return false
    }
}
