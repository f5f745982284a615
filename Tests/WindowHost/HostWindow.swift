import CX11

/// An Xlib window without a toolkit.
@safe
final class HostWindow {
    private let display: OpaquePointer
    private let window: Window
    /// Called at the next exposure.
    private var onDraw: (() -> Void)?

    /// Opens the display that DISPLAY names, and shows a window; fails if the display cannot be opened.
    init?() {
        guard let display = unsafe XOpenDisplay(nil) else { return nil }
        unsafe self.display = unsafe display
        let root = unsafe XDefaultRootWindow(display)
        window = unsafe XCreateSimpleWindow(display, root, 0, 0, 100, 100, 0, 0, 0)
        unsafe XSelectInput(display, window, ExposureMask)
        unsafe XMapWindow(display, window)
        unsafe XFlush(display)
    }

    /// The descriptor of the connection.
    var connection: Int32 { unsafe XConnectionNumber(display) }

    /// Handles the events that have arrived, and those that Xlib has read already.
    func handleEvents() {
        while unsafe XPending(display) > 0 {
            var event = unsafe XEvent()
            unsafe XNextEvent(display, &event)
            if unsafe event.type == Expose, let onDraw {
                self.onDraw = nil
                onDraw()
            }
        }
    }

    /// Clears the window, and calls `done` when the server asks for the window to be drawn again.
    func draw(_ done: @escaping () -> Void) {
        onDraw = done
        unsafe XClearArea(display, window, 0, 0, 0, 0, True)
        unsafe XFlush(display)
    }
}
