import BridgeState
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardStore
import PasteboardWire
import SelectionProtocol
import X11Bridge

/// The changes of the pasteboards. Each change has several effects, always in the same order: the store reserves the
/// count, the pasteboard changes, undo and the store record the change, the capture of the new owner's contents begins,
/// and the watchers are notified last.
final class PasteboardChanges {
    private let registry: PasteboardRegistry
    private let origins: OriginClock
    private let store: StoreProxy
    private let display: DisplayProxy
    private let persistence: PasteboardPersistence
    private let captures: CaptureController
    private let expiry: ExpiryScheduler
    private let notifier: ChangeNotifier
    private let logger: Logger
    /// Called after each step of a pasteboard.
    var onStep: (PasteboardState) -> Void = { _ in }

    init(
        registry: PasteboardRegistry, origins: OriginClock, display: DisplayProxy, persistence: PasteboardPersistence,
        captures: CaptureController, expiry: ExpiryScheduler, notifier: ChangeNotifier, logger: Logger
    ) {
        self.registry = registry
        self.origins = origins
        store = persistence.store
        self.display = display
        self.persistence = persistence
        self.captures = captures
        self.expiry = expiry
        self.notifier = notifier
        self.logger = logger
    }

    /// Makes one step: the contents or the owner of a pasteboard changed.
    ///
    /// - Parameter steps: More than 1 if only the last of several steps is known.
    func change(_ pasteboard: PasteboardState, to holder: PasteboardState.Holder, steps: Int = 1) {
        guard !pasteboard.isRemoved else {
            if case .client(let version) = holder { display.withdraw(version.id) }
            return
        }
        let former = pasteboard.version
        if let former {
            let isReplaced = if case .nobody = holder { false } else { true }
            captures.noteRemoval(of: former, isReplaced: isReplaced)
        }
        let loss = pasteboard.captured == nil ? captures.loss(of: pasteboard) : nil
        captures.noteReplacement(on: pasteboard)
        // The count is reserved before it is reported (invariant 1).
        store.reserve(pasteboard.count + steps)
        pasteboard.change(to: holder, at: UnixTime.now, steps: steps)
        pasteboard.origin = origin(of: pasteboard)
        persistence.noteChange(of: pasteboard, losing: loss)
        captures.ownerChanged(pasteboard)
        expiry.versionChanged(on: pasteboard)
        logger.debug("\(pasteboard.name) changed", metadata: ["count": "\(pasteboard.count)"])
        // The watchers are notified first: when a `Set` ends with its promises, its client makes its next call.
        notifier.changed(pasteboard)
        pasteboard.replacePromises(of: former)
        onStep(pasteboard)
    }

    /// Counts changes that came before the last change. The contents stay.
    func count(_ steps: Int, on pasteboard: PasteboardState) {
        store.reserve(pasteboard.count + steps)
        pasteboard.advance(by: steps)
        persistence.writeRecord(of: pasteboard)
        notifier.changed(pasteboard)
    }

    /// Gives an empty pasteboard the foreign owner that was found when a display or a seat was attached, without a
    /// step. The owner's contents are newer than other machines' contents that the pasteboard had before.
    func found(_ holder: PasteboardState.Holder, on pasteboard: PasteboardState) {
        pasteboard.setHolder(holder, at: UnixTime.now)
        pasteboard.origin = origin(of: pasteboard)
        captures.ownerChanged(pasteboard)
        notifier.sharedStateChanged(pasteboard)
    }

    /// Empties a pasteboard whose owner was never counted, without a step.
    func foundNobody(on pasteboard: PasteboardState) {
        pasteboard.setHolder(.nobody, at: UnixTime.now)
        captures.ownerChanged(pasteboard)
    }

    /// Removes a pasteboard that the model has removed.
    func remove(_ removal: PasteboardRegistry.Value.Removal) {
        guard let pasteboard = registry.remove(removal) else { return }
        store.reserve(removal.count)
        logger.debug("\(pasteboard.name) was removed")
        expiry.versionChanged(on: pasteboard)
        if removal.former.isPersistent { persistence.removeRecord(of: pasteboard) }
        captures.ownerChanged(pasteboard)
        notifier.removed(pasteboard)
        if case .client(let version) = removal.former.holder { display.withdraw(version.id) }
        if !removal.former.isHidden { display.unwatch(pasteboard.selection) }
        if case .client(let version) = removal.former.holder { pasteboard.replacePromises(of: version) }
    }

    /// Returns the origin of a pasteboard's latest change, which is later than the previous change's origin.
    private func origin(of pasteboard: PasteboardState) -> ContentsOrigin {
        let given = pasteboard.version?.writer.origin ?? (pasteboard.isHeldByNobody ? pasteboard.clearingOrigin : nil)
        // After a restart the clock has not seen the origins that were stored.
        origins.observe(given.map { max($0, pasteboard.origin) } ?? pasteboard.origin)
        if let given, given > pasteboard.origin { return given }
        return origins.next()
    }
}
