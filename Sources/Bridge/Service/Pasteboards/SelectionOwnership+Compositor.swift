import EventLoop
import Logging
import PasteboardModel
import SelectionProtocol
import X11Bridge

/// The selections of a session whose compositor shows the copies of Wayland programs on X11 alone: see
/// ``CompositorTracker``. The compositor's window stands for a Wayland program then.
///
/// The compositor keeps the text of a secret without its mark, and its window owns that once the secret's program has
/// ended. So a single representation after a secret is taken for that secret.
extension SelectionOwnership {
    /// Lets the compositor's window stand for a Wayland program, where it was taken for a copy of the seat's selection
    /// until now.
    func seatIsAbsent() {
        for (name, owner) in owners {
            guard case .compositor(let window) = owner, let pasteboard = service?.registry[name] else { continue }
            found(compositor: window, on: pasteboard)
        }
    }

    /// Handles a selection that the compositor's window owned when the display was attached.
    func found(compositor window: WindowID, on pasteboard: PasteboardState) {
        // The compositor may have kept a secret of a bridge that was killed.
        pasteboard.followsSecret = true
        pasteboard.isBehindCompositor = true
        let holder = PasteboardState.Holder.foreign(.window(window.id))
        if pasteboard.isEmpty {
            service?.found(holder, on: pasteboard)
        } else {
            service?.change(pasteboard, to: holder)
        }
    }

    /// Handles a change of owner to the compositor's window.
    ///
    /// - Parameter afterNobody: True if nobody owned the selection before.
    func changed(
        toCompositor window: WindowID, _ change: OwnershipTracker.Change, on pasteboard: PasteboardState,
        afterNobody: Bool
    ) {
        guard let service else { return }
        let holder = PasteboardState.Holder.foreign(.window(window.id))
        // The bridge's own claim after a program's death is on its way, and will be refused: the compositor was faster.
        let isTakenOver = afterNobody && pasteboard.version?.writer.isForeign == true
        let meaning = compositors[pasteboard.name, default: CompositorTracker()].owned(
            at: change.acquired, followsDeath: change.followsDeath || isTakenOver)
        switch meaning {
        case .rescue where isTakenOver || service.captures.takeOver(pasteboard, after: .ended):
            guard let version = pasteboard.version else { return }
            executor.start { [self] in await reclaim(version, of: pasteboard) }
        case .rescue, .copy:
            pasteboard.isBehindCompositor = true
            service.change(pasteboard, to: holder)
        case .sameCopy:
            pasteboard.isBehindCompositor = true
            pasteboard.followsSecret = false
            service.found(holder, on: pasteboard)
        }
    }

    /// Returns true for a version that the compositor's clipboard manager must not keep.
    func isWithheldFromManager(_ version: PasteboardState.Version) -> Bool {
        service?.seat.isAbsent == true && (version.isSecret || version.options.once || !version.promises.isEmpty)
    }

    /// Records the secrecy of the contents that a pasteboard is about to lose.
    func noteSecrecy(of pasteboard: PasteboardState) {
        guard !pasteboard.isHeldByNobody else { return }
        pasteboard.followsSecret = service?.captures.mayBeSecret(pasteboard) == true
    }
}
