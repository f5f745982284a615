import SelectionProtocol
import TestSupport
import Testing
import X11Display

/// Opens the suite's own display.
func openDisplay() throws -> XDisplay {
    try XDisplay(opening: try #require(Xvfb.display))
}

@Suite(.requiresXvfb, .serialized) struct XDisplayTests {
    @Test("A display that nobody serves cannot be opened, and says so")
    func nobodyThere() {
        #expect(throws: DisplayFailure.cannotOpen(":65000")) { try XDisplay(opening: ":65000") }
    }

    @Test("A failed request about a window that is gone is told, with the window, and harms nothing")
    func goneWindow() throws {
        let display = try openDisplay()
        let other = try openDisplay()
        let window = other.createWindow(for: .requestor)
        other.destroyWindow(window)
        other.synchronize()

        display.write([1, 2, 3], to: display.intern("TEST"), of: window, type: .integer)
        display.synchronize()
        #expect(display.takeFailedWindows() == [window])
        #expect(display.takeFailedWindows() == [])
        #expect(!display.isBroken)
    }

    @Test("A request about a living window is not told as failed")
    func livingWindow() throws {
        let display = try openDisplay()
        let window = try openDisplay().createWindow(for: .requestor)
        _ = window
        let other = try openDisplay()
        let living = other.createWindow(for: .requestor)
        other.synchronize()
        display.write([1], to: display.intern("TEST"), of: living, type: .integer)
        display.synchronize()
        #expect(display.takeFailedWindows() == [])
    }

    @Test("Two displays in one process keep their errors apart")
    func twoDisplays() throws {
        let (first, second) = (try openDisplay(), try openDisplay())
        let gone = WindowID(0x7FF_FFFF)
        first.watch(gone)
        first.synchronize()
        second.synchronize()
        #expect(second.takeFailedWindows() == [])
        #expect(first.takeFailedWindows() == [gone])
    }

    @Test("An error that is not about the window does not count as its end")
    func otherError() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        let window = other.createWindow(for: .requestor)
        other.synchronize()
        display.write([1], to: Atom(0x7FF_FFFF), of: window, type: .integer)
        display.synchronize()
        #expect(display.takeFailedWindows() == [])
    }

    @Test("An error that is outstanding when a display is closed harms nothing")
    func errorAtTheEnd() throws {
        do {
            let display = try openDisplay()
            display.write([1], to: display.intern("TEST"), of: WindowID(0x7FF_FFFF), type: .integer)
        }
        _ = try openDisplay().serverTime()
    }

    @Test("The server's time goes on, and is never CurrentTime")
    func time() throws {
        let display = try openDisplay()
        let (first, second) = (display.serverTime(), display.serverTime())
        #expect(first != .current)
        #expect(second == first || second.isLater(than: first))
    }
}

@Suite struct LostDisplayTests {
    /// More than fits into Xlib's buffer: on a dead connection the request that does not fit is fatal.
    @Test("On a connection that is lost, any number of calls does nothing")
    func callsOnALostDisplay() async throws {
        try await Sandbox.with(display: nil) { sandbox in
            let display = try await sandbox.running(["Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp"]) {
                server in
                let display = try XDisplay(opening: ":" + (try await server.line()))
                try await server.kill()
                return Lost(display: display)
            }.result.display
            let window = WindowID(0x20_0001)
            for number in 0..<5_000 {
                _ = display.intern("NAME_\(number)")
                _ = display.serverTime()
                display.write([1, 2, 3, 4], to: .string, of: window, type: .integer)
                display.convert(.string, to: .string, into: .string, of: window, time: .current)
                display.setOwner(of: .string, to: window, time: .current)
                display.watch(window)
                display.unwatch(window)
                _ = display.read(.string, of: window, maximum: 4)
                display.flush()
            }
            #expect(display.isBroken)
            #expect(display.nextEvent() == nil)
        }
    }

    /// The display is used by one task after the other.
    private struct Lost: @unchecked Sendable {
        let display: XDisplay
    }
}
