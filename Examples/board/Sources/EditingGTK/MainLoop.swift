import CGtk
public import Pasteboard

/// Work on GLib's main loop, which runs all closures of this library.
public enum MainLoop {
    /// Calls a closure once, as soon as the loop has nothing more urgent to do.
    public static func whenIdle(_ body: @escaping () -> Void) {
        let call: GSourceFunc = { data in
            unsafe ClosureBox<() -> Void>.body(data)?()
            return 0
        }
        unsafe g_idle_add_full(
            G_PRIORITY_HIGH_IDLE, call, ClosureBox<() -> Void>.retain(body),
            { data in unsafe ClosureBox<() -> Void>.release(data) })
    }

    /// Calls a closure once, after a delay. The timer does not repeat, so that a program at rest does not wake.
    public static func after(milliseconds: UInt32, _ body: @escaping () -> Void) {
        let call: GSourceFunc = { data in
            unsafe ClosureBox<() -> Void>.body(data)?()
            return 0
        }
        unsafe g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds, call, ClosureBox<() -> Void>.retain(body),
            { data in unsafe ClosureBox<() -> Void>.release(data) })
    }
}

/// A source of GLib's main loop that runs the closures of a `PasteboardEvents`.
public final class EventSource {
    /// The events whose closures run on the main loop.
    public let events: PasteboardEvents
    private let identifier: UInt32

    /// Adds the descriptor to the main loop, until this object is released.
    ///
    /// - Throws: `PasteboardError` with code `unavailable` if the system has no descriptor left.
    public init() throws {
        let events = try PasteboardEvents()
        self.events = events
        let call: GUnixFDSourceFunc = { _, _, data in
            unsafe ClosureBox<PasteboardEvents>.body(data)?.dispatch()
            return 1
        }
        identifier = unsafe g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, events.descriptor, G_IO_IN, call, ClosureBox<PasteboardEvents>.retain(events),
            { data in unsafe ClosureBox<PasteboardEvents>.release(data) })
    }

    deinit { g_source_remove(identifier) }
}
