#if !canImport(Darwin)

extension UndoManager {
    /// An event in the life of an undo manager.
    ///
    /// Each notice means the same as the notification of Apple's `UndoManager` with the same name, unless the case says
    /// otherwise. During an undo or redo, only the notices before and after it, and errors, are sent.
    public enum Notice {
        /// A group is about to be opened within another or to be closed, ``UndoManager/canRedo`` was read, or an undo,
        /// a redo or a clean mark begins. An observer that has not yet registered pending changes, such as typed
        /// letters, should do so now. While observers receive this notice, no further checkpoint is sent.
        case checkpoint
        /// A group was opened, by a call or for an event.
        case didOpenGroup
        /// A group is about to be closed. Actions can still be registered in it, but it cannot be ended again.
        case willCloseGroup
        /// A group was closed. The value is true if all its actions are discardable, or if it has none.
        case didCloseGroup(isDiscardable: Bool)
        /// An undo begins; ``UndoManager/isUndoing`` is already true.
        case willUndo
        /// An undo has ended, successfully or not.
        case didUndo
        /// A redo begins; ``UndoManager/isRedoing`` is already true.
        case willRedo
        /// A redo has ended, successfully or not.
        case didRedo
        /// The values of ``UndoManager/canUndo``, ``UndoManager/canRedo``, ``UndoManager/undoActionName``,
        /// ``UndoManager/redoActionName`` or ``UndoManager/isClean`` have changed, so menus and titles need an update.
        /// The release of a target alone does not send this notice. Apple's `UndoManager` has no such notification.
        case didChange
        /// A call was refused, or an action failed. Apple's `UndoManager` raises an exception instead.
        case failed(UndoError)
    }

    /// An observation of an undo manager. Its closure receives notices until ``cancel()`` is called or the observation
    /// is released.
    public final class Observation {
        private weak var manager: UndoManager?
        private let number: Int

        init(of manager: UndoManager, number: Int) {
            self.manager = manager
            self.number = number
        }

        deinit { cancel() }

        /// Ends the observation. A notice that is being sent no longer reaches this observer.
        public func cancel() {
            guard let manager else { return }
            // The closure is released after the change, since releasing its captures may cancel other observations.
            let former = manager.observers
            manager.observers = former.filter { $0.number != number }
            withExtendedLifetime(former) {}
        }
    }

    /// An observer, with the number by which its observation refers to it.
    struct Observer {
        let number: Int
        let receive: (Notice) -> Void
    }

    /// The values whose changes ``Notice/didChange`` reports.
    struct MenuState: Equatable {
        var canUndo: Bool
        var canRedo: Bool
        var undoActionName: String
        var redoActionName: String
        var isClean: Bool
    }

    /// Calls a closure with each notice, on the thread of the call that caused the notice. Closures are called in the
    /// order of their registration.
    ///
    /// - Parameter receive: The closure. It may call the undo manager.
    /// - Returns: The observation; keep it for as long as you want notices.
    public func observe(_ receive: @escaping (Notice) -> Void) -> Observation {
        if observers.isEmpty { reportedState = menuState }
        observerCount += 1
        observers.append(Observer(number: observerCount, receive: receive))
        return Observation(of: self, number: observerCount)
    }

    private var menuState: MenuState {
        MenuState(
            canUndo: canUndo, canRedo: hasRedo, undoActionName: undoActionName, redoActionName: redoActionName,
            isClean: isClean)
    }

    func post(_ notice: Notice) {
        for observer in observers where observers.contains(where: { $0.number == observer.number }) {
            observer.receive(notice)
        }
    }

    func report(_ code: UndoError.Code, _ message: String, underlying: (any Error)? = nil) {
        post(.failed(UndoError(code, message, underlying: underlying)))
    }

    /// Sends a checkpoint, unless a checkpoint is being sent or an undo or redo is in progress.
    func checkpoint() {
        guard history.activity == .idle, !isSendingCheckpoint else { return }
        isSendingCheckpoint = true
        post(.checkpoint)
        isSendingCheckpoint = false
    }

    /// Removes groups whose targets no longer exist.
    func removeDead() {
        history.removeDead()
        releaseDiscarded()
    }

    private func releaseDiscarded() {
        guard !history.discarded.isEmpty else { return }
        let discarded = history.takeDiscarded()
        withExtendedLifetime(discarded) {}
    }

    /// Ends a call that may have changed something: reports an exceeded limit and sends ``Notice/didChange``.
    func settle() {
        releaseDiscarded()
        if history.hasOverflowed {
            history.hasOverflowed = false
            report(.groupTooLarge, "a group of undo exceeds the limits, and cannot be undone")
        }
        guard history.activity == .idle, !observers.isEmpty else { return }
        let state = menuState
        guard state != reportedState else { return }
        reportedState = state
        post(.didChange)
    }
}

#endif
