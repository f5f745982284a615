import LinuxSystem
import SelectionProtocol
import X11Display

/// The manager selection of the bridge on a display (ICCCM 2.8), `_XPB_S<screen>`.
///
/// The lock in the runtime directory allows one bridge of a user on one machine. This selection allows one bridge of
/// the display. Each bridge of another machine or user has its own selection, as a guest: see
/// `DisplayName.bridgeSelection(ofScreen:)`.
package final class ManagerSelection {
    let selection: Atom
    let window: WindowID
    /// The time at which the bridge acquired the selection.
    let time: ServerTime

    /// The timeout for another bridge to hand its contents over, complete its transfers and end.
    package static let successionTimeout = Duration.seconds(15)
    /// The timeout for the X server to close the connection of a process that has ended.
    private static let closingTimeout = Duration.seconds(1)

    /// Acquires the selection.
    ///
    /// - Parameter replacing: True to take the selection from another bridge, and to wait until that bridge has ended
    ///   (ICCCM 2.8).
    /// - Throws: ``AttachFailure/served(process:)`` if another bridge has the selection, unless it is replaced.
    init(on display: XDisplay, replacing: Bool) throws(AttachFailure) {
        selection = display.intern(display.bridgeSelection)
        let present = Self.owner(of: selection, on: display)
        if present != .none, !replacing {
            throw .served(process: display.process(of: present))
        }
        // The window is watched before the other bridge can notice anything, so that the bridge's end is not missed.
        if present != .none { display.watch(present) }
        window = display.createWindow(for: .owner)
        time = display.serverTime()
        if replacing {
            display.setOwner(of: selection, to: window, time: time)
        } else {
            // If two bridges start at once, the later one must not end the earlier one, which is already serving.
            display.setOwnerIfUnowned(of: selection, to: window, time: time)
        }
        guard display.owner(of: selection) == window else {
            throw .served(process: display.process(of: display.owner(of: selection)))
        }
        display.announceManager(of: selection, window: window, since: time)
        // Until it ends, the other bridge owns the selections that this bridge will own. A stopped bridge owns them
        // even longer, and is then treated like any other owner.
        if present != .none, !display.awaitEnd(of: present, until: .now + Self.successionTimeout) {
            display.unwatch(present)
        }
    }

    /// Returns the owner. If the owner's process has ended, waits for the end of its connection first: the X server
    /// closes the connection of a killed bridge a moment later, and until then that bridge seems to own its selections.
    private static func owner(of selection: Atom, on display: XDisplay) -> WindowID {
        let owner = display.owner(of: selection)
        guard owner != .none, let process = display.process(of: owner), ProcessState.hasEnded(process) else {
            return owner
        }
        display.watch(owner)
        if !display.awaitEnd(of: owner, until: .now + closingTimeout) { display.unwatch(owner) }
        return display.owner(of: selection)
    }

    /// Returns true if a SelectionClear event for this window and selection means that another bridge took over.
    func isLost(window: WindowID, selection: Atom) -> Bool {
        window == self.window && selection == self.selection
    }
}

/// The names of freedesktop.org's "Clipboard Manager Specification".
package enum ClipboardManagerProtocol {
    /// The selection of the display's clipboard manager.
    package static let selection = "CLIPBOARD_MANAGER"
    /// The target with which a program that is about to end asks to save its contents.
    package static let saveTargets = "SAVE_TARGETS"
}
