import CX11
import SelectionProtocol
import Synchronization
import TestSupport
import Testing

@testable import X11Display

/// The process's own handler of errors beside ours. Xlib's is one for all tests: none else sets it.
@Suite(.requiresXvfb, .serialized) struct ErrorHandlersTests {
    /// The displays whose errors the process's handler heard of.
    private static let heard = Mutex<[UInt]>([])

    /// A display of the program's own.
    @safe private final class OtherDisplay {
        private let handle: OpaquePointer?

        init() throws {
            let name = try #require(Xvfb.display)
            unsafe handle = unsafe XOpenDisplay(name)
            try #require(address != 0)
        }

        deinit { unsafe XCloseDisplay(handle) }

        var address: UInt { unsafe UInt(bitPattern: handle) }

        func fail() {
            unsafe XMapWindow(handle, 0x7FF_FFFF)
            unsafe XSync(handle, 0)
        }
    }

    private func setHandler() {
        Self.heard.withLock { $0 = [] }
        _ = unsafe XSetErrorHandler { display, _ in
            ErrorHandlersTests.heard.withLock { $0.append(UInt(bitPattern: display)) }
            return 0
        }
    }

    /// Has a request of each display fail, and expects the handler to hear of the one that is not ours.
    private func expectOneHeard(_ ours: XDisplay, _ other: OtherDisplay) {
        let gone = WindowID(0x7FF_FFFF as UInt32)
        ours.watch(gone)
        ours.synchronize()
        other.fail()
        #expect(Self.heard.withLock { $0 } == [other.address])
        #expect(ours.takeFailedWindows() == [gone])
    }

    @Test("A handler that was set before our display was opened hears of the other displays only")
    func before() throws {
        let other = try OtherDisplay()
        setHandler()
        expectOneHeard(try openDisplay(), other)
    }

    @Test("A handler that is set afterwards does so too")
    func after() throws {
        let ours = try openDisplay()
        let other = try OtherDisplay()
        setHandler()
        expectOneHeard(ours, other)
    }

    @Test("A display that may lie where a closed one of ours lay is not ours")
    func reused() throws {
        for _ in 1...8 { _ = try openDisplay().serverTime() }
        setHandler()
        let other = try OtherDisplay()
        expectOneHeard(try openDisplay(), other)
    }
}
