import CX11
import SelectionProtocol
import Synchronization
import TestSupport
import Testing
import X11Display

/// Tests with an error handler of the program in addition to the bridge's handler. They run in separate processes,
/// because Xlib has a single handler for the whole process.
@Suite(.requiresXvfb, .serialized) struct ErrorHandlersTests {
    /// The displays whose errors were passed to the process's handler.
    private static let heard = Mutex<[UInt]>([])

    /// A display of the embedding program.
    @safe private final class OtherDisplay {
        private let handle: OpaquePointer?

        init(_ name: String) throws {
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

    private static func setHandler() {
        heard.withLock { $0 = [] }
        _ = unsafe XSetErrorHandler { display, _ in
            ErrorHandlersTests.heard.withLock { $0.append(UInt(bitPattern: display)) }
            return 0
        }
    }

    /// Makes a request of each display fail, and expects only the program's error to reach its handler.
    private static func expectOneHeard(_ ours: XDisplay, _ other: OtherDisplay) {
        let gone = WindowID(0x7FF_FFFF as UInt32)
        ours.watch(gone)
        ours.synchronize()
        other.fail()
        #expect(heard.withLock { $0 } == [other.address])
        #expect(ours.removeFailedWindows() == [gone])
    }

    @Test("A handler set before the bridge's display was opened gets the errors of other displays only")
    func before() async throws {
        let name = try #require(Xvfb.display)
        await #expect(processExitsWith: .success) { [name = name as String] in
            let other = try OtherDisplay(name)
            Self.setHandler()
            Self.expectOneHeard(try XDisplay(opening: name), other)
        }
    }

    @Test("A handler set after the bridge's display was opened gets the errors of other displays only")
    func after() async throws {
        let name = try #require(Xvfb.display)
        await #expect(processExitsWith: .success) { [name = name as String] in
            let ours = try XDisplay(opening: name)
            let other = try OtherDisplay(name)
            Self.setHandler()
            Self.expectOneHeard(ours, other)
        }
    }

    @Test("A display at the address of a closed display of the bridge counts as the program's display")
    func reused() async throws {
        let name = try #require(Xvfb.display)
        await #expect(processExitsWith: .success) { [name = name as String] in
            for _ in 1...8 { _ = try XDisplay(opening: name).serverTime() }
            Self.setHandler()
            let other = try OtherDisplay(name)
            Self.expectOneHeard(try XDisplay(opening: name), other)
        }
    }
}
