package import SelectionProtocol
import X11Display

/// The windows that were active last, latest first, without those that are closed.
package struct RecentWindows: Equatable {
    private static let maxCount = 16

    package private(set) var all: [WindowID] = []

    package init() {}

    package mutating func activate(_ window: WindowID) {
        guard window != .none else { return }
        all.removeAll { $0 == window }
        all.insert(window, at: 0)
        if all.count > Self.maxCount { all.removeLast() }
    }

    /// Removes the closed windows. The server may give the number of a closed window to another window.
    package mutating func removeAll(except open: Set<WindowID>) { all.removeAll { !open.contains($0) } }
}

/// The record of the windows that were active last, for commands that paste into the window before their own.
///
/// The window manager has the active window and all windows in properties of the root window ("Extended Window Manager
/// Hints", Root Window Properties). The bridge has the record in the property `_XPB_RECENT_WINDOWS` of the window that
/// owns its manager selection.
extension DisplaySession {
    func recordActiveWindow() {
        display.watch(display.root)
        rootPropertyWritten(display.intern(Self.activeWindow))
    }

    private static let activeWindow = "_NET_ACTIVE_WINDOW"
    /// The limit on the part of a property that is read, in bytes.
    private static let maxLength = 64 << 10

    /// Handles a change of a property of the root window.
    func rootPropertyWritten(_ property: Atom) {
        let isActiveWindow = property == display.intern(Self.activeWindow)
        // On a display of Xwayland, no program pastes into windows.
        if recognizesCompositor { return isActiveWindow ? report(.focusChanged) : () }
        guard isActiveWindow || property == display.intern("_NET_CLIENT_LIST") else { return }
        var windows = recentWindows
        let value = display.read(property, of: display.root, maximum: Self.maxLength, deleting: false)
        let numbers = value.words.map { WindowID($0) }
        if isActiveWindow {
            windows.activate(numbers.first ?? .none)
        } else {
            windows.removeAll(except: Set(numbers))
        }
        guard windows != recentWindows else { return }
        recentWindows = windows
        display.write(
            windows.all.map(\.id), to: display.intern("_XPB_RECENT_WINDOWS"), of: manager.window,
            type: display.intern("WINDOW"))
    }
}
