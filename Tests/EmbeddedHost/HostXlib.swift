import CX11
import Synchronization

/// The program's own use of Xlib: a display, and two handlers of each kind.
@safe
final class HostXlib {
    private typealias ErrorHandler = @convention(c) (OpaquePointer?, UnsafeMutablePointer<XErrorEvent>?) -> Int32
    private typealias LossHandler = @convention(c) (OpaquePointer?) -> Int32

    /// The calls of the handlers: the handler's name, the kind, and whether the display is the program's own.
    static let heard = Mutex<[String]>([])
    private static let own = Mutex<UInt?>(nil)
    /// The handlers that the passing handlers replaced.
    @safe private struct Replaced {
        @safe var error: ErrorHandler?
        @safe var loss: LossHandler?
    }
    private static let replaced = Mutex(Replaced())

    private var display: OpaquePointer?

    /// Opens the program's display. Returns false if that fails.
    func open(_ name: String) -> Bool {
        guard let display = unsafe XOpenDisplay(name) else { return false }
        unsafe self.display = unsafe display
        Self.own.withLock { $0 = UInt(bitPattern: display) }
        // Without this, Xlib would end the program after the handler for a lost connection returns.
        unsafe XSetIOErrorExitHandler(display, { _, _ in }, nil)
        return true
    }

    /// Sets handlers. If `passingOn` is true, they also call the handlers that they replaced.
    func setHandlers(passingOn: Bool) {
        if passingOn {
            let error = unsafe XSetErrorHandler { display, event in
                unsafe HostXlib.hear("passing", "error", display)
                let next = unsafe HostXlib.replaced.withLock { $0.error }
                return unsafe next?(display, event) ?? 0
            }
            let loss = unsafe XSetIOErrorHandler { display in
                unsafe HostXlib.hear("passing", "loss", display)
                let next = unsafe HostXlib.replaced.withLock { $0.loss }
                return unsafe next?(display) ?? 0
            }
            Self.replaced.withLock { replaced in
                unsafe replaced.error = error
                unsafe replaced.loss = loss
            }
        } else {
            _ = unsafe XSetErrorHandler { display, _ in unsafe HostXlib.hear("plain", "error", display) }
            _ = unsafe XSetIOErrorHandler { display in unsafe HostXlib.hear("plain", "loss", display) }
        }
    }

    /// Restores the handlers that ``setHandlers(passingOn:)`` replaced.
    func restoreHandlers() {
        Self.replaced.withLock { replaced in
            _ = unsafe XSetErrorHandler(replaced.error)
            _ = unsafe XSetIOErrorHandler(replaced.loss)
        }
    }

    /// Maps a window that does not exist, and waits for the error.
    func fail() {
        unsafe XMapWindow(display, 0x7FF_FFFF)
        unsafe XSync(display, 0)
    }

    /// Waits for the server, so that Xlib notices if the server has exited.
    func wait() { unsafe XSync(display, 0) }

    /// Returns the calls of the handlers since the last call of this function.
    func takeHeard() -> [String] {
        Self.heard.withLock { heard in
            defer { heard = [] }
            return heard
        }
    }

    @discardableResult
    private static func hear(_ handler: String, _ kind: String, _ display: OpaquePointer?) -> Int32 {
        let isOwn = own.withLock { $0 } == UInt(bitPattern: display)
        heard.withLock { $0.append("\(handler) \(kind) \(isOwn ? "own" : "foreign")") }
        return 0
    }
}
