import CX11
import LinuxSystem
package import SelectionProtocol
import SystemPackage

extension XDisplay {
    /// What is reported about a window of ours.
    package enum WindowPurpose: Sendable {
        /// Owns a selection: its events come unasked.
        case owner
        /// Receives a conversion: property changes are reported.
        case requestor
    }

    /// Makes an unmapped window that a window manager never sees.
    package func createWindow(for purpose: WindowPurpose) -> WindowID {
        guard !isBroken else { return .none }
        let mask = purpose == .requestor ? PropertyChangeMask : NoEventMask
        return WindowID(UInt32(truncatingIfNeeded: unsafe Self.makeWindow(on: handle, parent: root, selecting: mask)))
    }

    package func destroyWindow(_ window: WindowID) {
        guard !isBroken else { return }
        unsafe XDestroyWindow(handle, window.xlib)
    }

    /// Whether this connection made that window, or could have.
    package func isOwn(_ window: WindowID) -> Bool {
        window.id & ~windowBits == WindowID(clockWindow).id & ~windowBits
    }

    /// Has property changes and the end of a foreign window reported.
    ///
    /// The mask is this client's own, so no other client's selection is touched. On a window of ours it would take the
    /// place of what was selected when that was made.
    package func watch(_ window: WindowID) {
        guard !isBroken, !isOwn(window), watched.insert(window).inserted else { return }
        expectError(on: window)
        unsafe XSelectInput(handle, window.xlib, PropertyChangeMask | StructureNotifyMask)
    }

    /// Ends ``watch(_:)``.
    package func unwatch(_ window: WindowID) {
        guard watched.remove(window) != nil, !isBroken else { return }
        expectError(on: window)
        unsafe XSelectInput(handle, window.xlib, NoEventMask)
    }

    /// A foreign window is gone: nothing is selected on it any more.
    package func forget(_ window: WindowID) {
        watched.remove(window)
    }

    /// Waits until a window that is watched is gone, as it is when its client's connection has ended. Other events that come
    /// meanwhile are there afterwards.
    ///
    /// - Returns: Whether it is, at the deadline.
    package func awaitEnd(of window: WindowID, until deadline: ContinuousClock.Instant) -> Bool {
        let connection = FileDescriptor(rawValue: fileDescriptor)
        while !isBroken {
            synchronize()
            takeEvents()
            if takenEvents.contains(.windowDestroyed(window)) || takeFailedWindows().contains(window) {
                forget(window)
                return true
            }
            guard let isReadable = try? waitReadable(connection, until: deadline), isReadable else { break }
        }
        return false
    }

    static func makeWindow(on handle: OpaquePointer, parent: Window, selecting mask: Int) -> Window {
        var attributes = XSetWindowAttributes()
        attributes.event_mask = mask
        attributes.override_redirect = 1
        // CopyFromParent is a macro of type long, which fits none of its places.
        return unsafe XCreateWindow(
            handle, parent, -10, -10, 1, 1, 0, 0, UInt32(InputOnly), nil,
            UInt(CWEventMask | CWOverrideRedirect), &attributes)
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
