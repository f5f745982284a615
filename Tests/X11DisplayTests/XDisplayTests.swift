import SelectionProtocol
import TestSupport
import Testing
import X11Display

/// Opens the display of this suite's Xvfb.
func openDisplay() throws -> XDisplay {
    try XDisplay(opening: try #require(Xvfb.display))
}

extension Atom {
    /// The predefined atom STRING.
    static let string = Atom(31)
}

@Suite(.requiresXvfb, .serialized) struct XDisplayTests {
    @Test("Opening a display without a server throws an error")
    func nobodyThere() {
        #expect(throws: DisplayFailure.cannotOpen(":65000")) { try XDisplay(opening: ":65000") }
    }

    @Test("A server without a compositor is not Xwayland, even if KWin has made the atoms of Xwayland there")
    func notXwayland() throws {
        let display = try openDisplay()
        for name in ["WL_SURFACE_ID", "WL_SURFACE_SERIAL"] { _ = display.intern(name) }
        #expect(!display.isXwayland)
    }

    @Test("A failed request about a destroyed window is reported once, and the display still works")
    func goneWindow() throws {
        let display = try openDisplay()
        let other = try openDisplay()
        let window = other.createWindow(for: .requestor)
        other.destroyWindow(window)
        other.synchronize()

        display.write([1, 2, 3], to: display.intern("TEST"), of: window, type: .integer)
        display.synchronize()
        #expect(display.removeFailedWindows() == [window])
        #expect(display.removeFailedWindows() == [])
        #expect(!display.isBroken)
    }

    @Test("A request about an existing window is not reported as failed")
    func livingWindow() throws {
        let display = try openDisplay()
        let other = try openDisplay()
        let living = other.createWindow(for: .requestor)
        other.synchronize()
        display.write([1], to: display.intern("TEST"), of: living, type: .integer)
        display.synchronize()
        #expect(display.removeFailedWindows() == [])
    }

    @Test("The errors of two displays in one process are kept apart")
    func twoDisplays() throws {
        let (first, second) = (try openDisplay(), try openDisplay())
        let gone = WindowID(0x7FF_FFFF)
        first.watch(gone)
        first.synchronize()
        second.synchronize()
        #expect(second.removeFailedWindows() == [])
        #expect(first.removeFailedWindows() == [gone])
    }

    @Test("An error that is not about the window does not count as the window's end")
    func otherError() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        let window = other.createWindow(for: .requestor)
        other.synchronize()
        display.write([1], to: Atom(0x7FF_FFFF), of: window, type: .integer)
        display.synchronize()
        #expect(display.removeFailedWindows() == [])
    }

    @Test("An error that is pending when a display is closed does no harm")
    func errorAtTheEnd() throws {
        do {
            let display = try openDisplay()
            display.write([1], to: display.intern("TEST"), of: WindowID(0x7FF_FFFF), type: .integer)
        }
        _ = try openDisplay().serverTime()
    }

    @Test("The server's time increases, and is never CurrentTime")
    func time() throws {
        let display = try openDisplay()
        let (first, second) = (display.serverTime(), display.serverTime())
        #expect(first != .current)
        #expect(second.isWithin(UInt32.max / 2, after: first))
    }

    @Test("Each selection keeps its first owner when two clients claim selections without owners at the same time")
    func twoClaims() async throws {
        let displays = (PassedDisplay(display: try openDisplay()), PassedDisplay(display: try openDisplay()))
        async let first = Self.claims(displays.0)
        async let second = Self.claims(displays.1)
        let claims = try await (first, second)
        #expect(zip(claims.0, claims.1).allSatisfy { $0 != $1 })
    }

    /// Claims many selections, and returns for each whether the client then owned it.
    @concurrent private static func claims(_ passed: PassedDisplay) async throws -> [Bool] {
        let display = passed.display
        let window = display.createWindow(for: .owner)
        return (0..<5_000).map { number in
            let selection = display.intern("_XPB_CLAIMED_\(number)")
            display.setOwnerIfUnowned(of: selection, to: window, time: display.serverTime())
            return display.owner(of: selection) == window
        }
    }
}

@Suite struct LostDisplayTests {
    /// The requests exceed Xlib's buffer: on a dead connection, a request that does not fit would crash the process.
    @Test("On a lost connection, every call does nothing")
    func callsOnALostDisplay() async throws {
        try await Sandbox.with(display: nil) { sandbox in
            let display = try await sandbox.running(["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp"]) {
                server in
                let display = try XDisplay(opening: ":" + (try await server.line()))
                try await server.kill()
                return PassedDisplay(display: display)
            }.result.display
            let window = WindowID(0x20_0001)
            for number in 0..<5_000 {
                _ = display.intern("NAME_\(number)")
                _ = display.serverTime()
                display.write([1, 2, 3, 4], to: .string, of: window, type: .integer)
                display.convert(.string, to: .string, into: .string, of: window, time: .current)
                display.setOwner(of: .string, to: window, time: .current)
                display.setOwnerIfUnowned(of: .string, to: window, time: .current)
                display.watch(window)
                display.unwatch(window)
                _ = display.read(.string, of: window, maximum: 4)
                display.flush()
            }
            #expect(display.isBroken)
            #expect(display.nextEvent() == nil)
        }
    }
}

/// A display that is passed from one task to another, never used by both.
private struct PassedDisplay: @unchecked Sendable {
    let display: XDisplay
}
