import CommandCore
import LinuxSystem
import SystemPackage

/// The window into which a command pastes what it copies.
///
/// The window is found before the user chooses, and no other gets keys.
protocol PasteTarget {
    /// Handles what the display reports until a descriptor is readable: the user may take long to choose.
    func handleEvents(untilReadable input: FileDescriptor) throws(Failure)

    /// Waits until the window is known, if another window has to close first.
    func awaitWindow() throws(Failure)

    /// The keys by which the window's program pastes. The window must be known.
    var keys: PasteKeys { get }

    /// Waits until the window has the focus, and types the keys.
    func paste() throws(Failure)
}

/// The choice of the window into which a command pastes.
enum PasteTargets {
    /// Finds the window that is active now, or the previous one if a program runs this command from its own window.
    /// The program should close or hide that window now.
    ///
    /// - Parameter isFromOwnWindow: True if a program runs this command from its own window, which an X server reveals,
    ///   and a compositor does not.
    static func findActive(for session: Session, isFromOwnWindow: Bool) throws(Failure) -> any PasteTarget {
        guard let compositor = try CompositorConnection(for: session) else {
            return try XPasteTarget.findActive(for: session)
        }
        return try WaylandPasteTarget.find(on: compositor, isFromOwnWindow: isFromOwnWindow, for: session)
    }

    /// Returns the helper's description of the window that was active before the terminal of this command, which has
    /// the focus now, and that window if it is known.
    static func findPrevious(
        for session: Session
    ) throws(Failure) -> (helper: PasteHelper.Window, target: (any PasteTarget)?) {
        guard !TerminalDevice.isOfInteractiveShell else {
            throw .pasteNotPossible("the terminal stays open; use a key of the desktop for 'xterm -e xpb pick --paste'")
        }
        guard try CompositorConnection(for: session) == nil else { return (.next, nil) }
        let target = try XPasteTarget.findPrevious(for: session)
        return (.numbered(target.window), target)
    }
}

extension Failure {
    static func pasteNotPossible(_ reason: String) -> Failure { Failure(.broken, reason) }
}
