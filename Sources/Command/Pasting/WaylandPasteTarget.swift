import CommandCore
import LinuxSystem
import SystemPackage
import WaylandWire

/// A window of a Wayland session into which a command pastes.
///
/// The keys go to the window that has the focus when the compositor performs the requests. The window is checked just
/// before them; a compositor has nothing like a grab of the server.
final class WaylandPasteTarget: PasteTarget {
    private let compositor: CompositorConnection
    /// The windows that were open when this target was found. No later window gets keys.
    private let windows: Set<ObjectID>
    /// The window that has to close first; nil if none has to.
    private let closing: ObjectID?
    /// The window; nil until it is known.
    private var window: ObjectID?

    /// The time for another window to close, and for the window to get the focus.
    private static let timeout = Duration.seconds(5)

    private init(on compositor: CompositorConnection, closing: ObjectID?) {
        self.compositor = compositor
        windows = Set(compositor.toplevels.toplevels.keys)
        self.closing = closing
    }

    /// Finds the window that is active now, or the one that becomes active once that window is closed.
    static func find(
        on compositor: CompositorConnection, isFromOwnWindow: Bool, for session: Session
    ) throws(Failure) -> WaylandPasteTarget {
        if isFromOwnWindow {
            session.console.detail("pastes into the window that becomes active once the active window is closed")
            return try afterActive(on: compositor)
        }
        // A shell would carry out the lines of the text, since it is not editing its command line now.
        guard !TerminalDevice.exists else {
            throw .pasteNotPossible("the active window may be the terminal that runs this command")
        }
        let target = WaylandPasteTarget(on: compositor, closing: nil)
        target.window = compositor.toplevels.active
        // While a picker has the focus, no window is active.
        let window =
            target.window == nil ? "window that is active next" : "active window, of the program '\(target.appID)'"
        session.console.detail("pastes into the \(window)")
        return target
    }

    /// Returns the window that becomes active once the window that is active now is closed.
    static func afterActive(on compositor: CompositorConnection) throws(Failure) -> WaylandPasteTarget {
        guard let active = compositor.toplevels.active else { throw .pasteNotPossible("no window is active") }
        return WaylandPasteTarget(on: compositor, closing: active)
    }

    private var appID: String { window.flatMap { compositor.toplevels.toplevels[$0] }?.appID ?? "" }

    var keys: PasteKeys { PasteKeys(ofClass: appID) }

    func handleEvents(untilReadable input: FileDescriptor) throws(Failure) {
        try compositor.receive(untilReadable: input)
    }

    func awaitWindow() throws(Failure) {
        guard window == nil else { return }
        try wait { () throws(Failure) in
            if let closing, compositor.toplevels.has(closing) {
                try checkFocus(of: closing)
                return "the active window stays open"
            }
            window = compositor.toplevels.active
            return window == nil ? "no window is active" : nil
        }
        guard let window, windows.contains(window) else { throw .pasteNotPossible("another window was opened") }
    }

    /// Throws if another window has become active while a window is still open: the user went there.
    private func checkFocus(of closing: ObjectID) throws(Failure) {
        guard compositor.toplevels.active.map({ $0 != closing }) ?? false else { return }
        // The window may close at this moment, and the report may be on its way.
        try compositor.synchronize()
        if compositor.toplevels.has(closing) { throw .pasteNotPossible("another window has become active") }
    }

    func paste() throws(Failure) {
        try wait { () throws(Failure) in
            guard let window, compositor.toplevels.has(window) else {
                throw .pasteNotPossible("the window is closed")
            }
            return compositor.toplevels.active == window ? nil : "the window has lost the focus"
        }
        try compositor.type(keys)
    }

    /// Waits until nothing is in the way, by the latest events.
    ///
    /// - Parameter obstacle: Returns the reason why the paste cannot go on.
    private func wait(_ obstacle: () throws(Failure) -> String?) throws(Failure) {
        let deadline = ContinuousClock.now + Self.timeout
        try compositor.synchronize()
        while let reason = try obstacle() {
            guard try compositor.receive(until: deadline) else { throw .pasteNotPossible(reason) }
        }
    }
}
