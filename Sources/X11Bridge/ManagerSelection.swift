package import SelectionProtocol
import X11Display

/// The manager selection `_XPB_S<screen>` (ICCCM 2.8): whoever owns it is the display's bridge.
///
/// The lock in the runtime folder tells bridges of one user on one machine apart; this one tells those that see the
/// same display from elsewhere.
package final class ManagerSelection {
    package let selection: Atom
    package let window: WindowID
    /// When it was acquired.
    package let time: ServerTime

    /// The time for another bridge to leave: it hands its contents on, and completes its transfers.
    package static let successionTimeout = Duration.seconds(15)

    /// Takes the selection. Where another bridge has it: with `replacing` that one is to see it and leave, which is waited
    /// for (ICCCM 2.8), else this throws, naming its process.
    init(on display: XDisplay, replacing: Bool) throws(AttachFailure) {
        selection = display.intern("_XPB_S\(display.screen)")
        let present = display.owner(of: selection)
        if present != .none, !replacing {
            throw .served(process: display.process(of: present))
        }
        // Before it can know: its end is not to be missed.
        if present != .none { display.watch(present) }
        window = display.createWindow(for: .owner)
        time = display.serverTime()
        display.setOwner(of: selection, to: window, time: time)
        guard display.owner(of: selection) == window else {
            throw .served(process: display.process(of: display.owner(of: selection)))
        }
        display.announceManager(of: selection, window: window, since: time)
        // Until then it owns what this one is to own. One that is stopped does for longer, and is another owner then.
        if present != .none, !display.awaitEnd(of: present, until: .now + Self.successionTimeout) {
            display.unwatch(present)
        }
    }

    /// Whether that event tells that another bridge took over.
    func isLost(window: WindowID, selection: Atom) -> Bool {
        window == self.window && selection == self.selection
    }
}
