import CX11
import LinuxSystem
package import SelectionProtocol
import SystemPackage

extension XDisplay {
    /// The events reported for one of this display's own windows.
    package enum WindowPurpose: Sendable {
        /// The window owns a selection. Its events are sent without being selected.
        case owner
        /// The window receives the result of a conversion. Its property changes are reported.
        case requestor
    }

    /// Creates an unmapped window, which window managers ignore.
    package func createWindow(for purpose: WindowPurpose) -> WindowID {
        guard !isBroken else { return .none }
        let mask = purpose == .requestor ? PropertyChangeMask : NoEventMask
        return unsafe Self.makeWindow(on: handle, parent: root, selecting: mask)
    }

    package func destroyWindow(_ window: WindowID) {
        guard !isBroken else { return }
        unsafe XDestroyWindow(handle, window.xlib)
    }

    /// Returns true if the window number belongs to this connection.
    package func isOwn(_ window: WindowID) -> Bool {
        isSameClient(window, clock)
    }

    /// Returns true if two windows belong to the same connection.
    package func isSameClient(_ one: WindowID, _ other: WindowID) -> Bool {
        one.id & ~windowBits == other.id & ~windowBits
    }

    /// True if the server belongs to a Wayland compositor. Xwayland has had its own extension since version 23.1. With
    /// older versions, the compositor has made the atom of a message that joins X11 windows with Wayland surfaces.
    package var isXwayland: Bool {
        guard !isBroken else { return false }
        var (opcode, event, error): (Int32, Int32, Int32) = (0, 0, 0)
        roundTrips += 1
        if unsafe XQueryExtension(handle, "XWAYLAND", &opcode, &event, &error) != 0 { return true }
        if DisplayServer.isAlone(FileDescriptor(rawValue: fileDescriptor)) { return false }
        return ["WL_SURFACE_ID", "WL_SURFACE_SERIAL"].contains { name in
            roundTrips += 1
            return unsafe XInternAtom(handle, name, 1) != 0
        }
    }

    /// The window that has the keyboard focus; none if the root window or no window has it.
    package var focusedWindow: WindowID {
        guard !isBroken else { return .none }
        var window: Window = 0
        var revert: Int32 = 0
        roundTrips += 1
        unsafe XGetInputFocus(handle, &window, &revert)
        // PointerRoot is 1.
        return window <= 1 || WindowID(window) == root ? .none : WindowID(window)
    }

    /// Starts reporting property changes and the destruction of a foreign window.
    ///
    /// An event mask belongs to one client, so the masks of other clients are not affected. On one of this display's
    /// own windows, the call would replace the mask set at its creation.
    package func watch(_ window: WindowID) {
        guard !isBroken, !isOwn(window), watched.insert(window).inserted else { return }
        expectError(on: window)
        unsafe XSelectInput(handle, window.xlib, PropertyChangeMask | StructureNotifyMask)
    }

    /// Stops reporting events of a foreign window. The root window stays watched, even if a program has asked for
    /// contents on it.
    package func unwatch(_ window: WindowID) {
        guard window != root, watched.remove(window) != nil, !isBroken else { return }
        expectError(on: window)
        unsafe XSelectInput(handle, window.xlib, NoEventMask)
    }

    /// Records that a foreign window is gone, so that no events are selected on it.
    package func forget(_ window: WindowID) {
        watched.remove(window)
    }

    /// Waits until a watched window is destroyed, as happens when its client's connection ends. Other events stay
    /// queued.
    ///
    /// - Returns: true if the window is gone, false if the deadline has passed.
    package func awaitEnd(of window: WindowID, until deadline: ContinuousClock.Instant) -> Bool {
        let connection = FileDescriptor(rawValue: fileDescriptor)
        while !isBroken {
            synchronize()
            takeEvents()
            if takenEvents.contains(.windowDestroyed(window)) || removeFailedWindows().contains(window) {
                forget(window)
                return true
            }
            guard let isReadable = try? waitReadable(connection, until: deadline), isReadable else { break }
        }
        return false
    }

    static func makeWindow(on handle: OpaquePointer, parent: WindowID, selecting mask: Int) -> WindowID {
        var attributes = XSetWindowAttributes()
        attributes.event_mask = mask
        attributes.override_redirect = 1
        // CopyFromParent is imported as an Int, which fits neither parameter; its value is 0.
        let window = unsafe XCreateWindow(
            handle, parent.xlib, -10, -10, 1, 1, 0, 0, UInt32(InputOnly), nil,
            UInt(CWEventMask | CWOverrideRedirect), &attributes)
        return WindowID(window)
    }
}

extension WindowID {
    var xlib: Window { Window(id) }
}

extension SelectionProtocol.Atom {
    var xlib: CX11.Atom { CX11.Atom(id) }

    init(_ atom: CX11.Atom) {
        self.init(UInt32(truncatingIfNeeded: atom))
    }
}
