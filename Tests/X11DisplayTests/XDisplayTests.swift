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

    @Test("The server's time goes on, and is never CurrentTime")
    func time() throws {
        let display = try openDisplay()
        let (first, second) = (display.serverTime(), display.serverTime())
        #expect(first != .current)
        #expect(second == first || second.isLater(than: first))
    }
}
