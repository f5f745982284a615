#if !canImport(Darwin)

extension UndoManager {
    /// The key that merges successive groups into one, so that a single undo reverts a whole drag or a run of letters.
    ///
    /// A group is merged with the last one of the undo stack if all actions of both have the same key and policy, and
    /// there was no undo, redo, ``UndoManager/markClean()`` or ``UndoManager/endMerging()`` since the last group.
    /// Apple's `UndoManager` has no merging; Qt has it as `QUndoCommand::mergeWith`.
    public enum Merging: Hashable {
        /// Keeps only the first action of each target. This suits actions that restore a value, such as the motions of
        /// a drag, since the first action restores the oldest value.
        case keepFirst(AnyHashable)
        /// Keeps all actions. This suits actions that each revert one step, such as the letters of a word.
        case keepAll(AnyHashable)
    }

    /// Registers a handler that reverts a change.
    ///
    /// Outside of groups the action opens the event group; if ``groupsByEvent`` is false, the action becomes a group of
    /// its own, and the error is ``UndoError/Code/noGroupOpen``. During an undo the action goes to the redo stack, and
    /// during a redo to the undo stack; otherwise it empties the redo stack. The action is ignored while registration
    /// is disabled.
    ///
    /// - Parameters:
    ///   - target: The object that the handler changes. The undo manager holds it weakly, and skips the action once the
    ///     object no longer exists.
    ///   - handler: Reverts the change, and registers the inverse. It must not hold the target strongly. Apple's
    ///     `UndoManager` takes no handlers that throw.
    public func registerUndo<Target: AnyObject>(
        withTarget target: Target, handler: @escaping (Target) throws -> Void
    ) {
        register(UndoAction(target: target, cost: 0, merging: nil, handler: handler))
    }

    /// Registers a handler that reverts a change, with its cost and the key for merging. Apple's `UndoManager` has
    /// neither.
    ///
    /// - Parameters:
    ///   - target: The object that the handler changes.
    ///   - cost: The bytes that the handler keeps, for ``undoBudget``. A negative number counts as 0.
    ///   - merging: The key for merging the action's group with the group before it; nil for no merging.
    ///   - handler: Reverts the change, and registers the inverse.
    public func registerUndo<Target: AnyObject>(
        withTarget target: Target, cost: Int, merging: Merging? = nil, handler: @escaping (Target) throws -> Void
    ) {
        register(UndoAction(target: target, cost: cost, merging: merging, handler: handler))
    }

    /// Sets a property, and registers an action that sets it back and registers its own inverse. Apple's `UndoManager`
    /// has no such method.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - target: The object with the property.
    ///   - value: The new value.
    ///   - cost: The bytes of a value, for ``undoBudget``.
    ///   - merging: The key for merging the action's group with the group before it; nil for no merging.
    public func set<Target: AnyObject, Value>(
        _ keyPath: ReferenceWritableKeyPath<Target, Value>, of target: Target, to value: Value, cost: Int = 0,
        merging: Merging? = nil
    ) {
        let former = target[keyPath: keyPath]
        registerUndo(withTarget: target, cost: cost, merging: merging) { [weak self] target in
            self?.set(keyPath, of: target, to: former, cost: cost, merging: merging)
        }
        target[keyPath: keyPath] = value
    }

    /// Ends merging, so that the next group is separate; call it when the button of a drag is released, or the
    /// insertion point moves. `breakUndoCoalescing` of Apple's text views does the same.
    public func endMerging() { history.endMerging() }

    /// The limit on the sum of the costs of all actions, in bytes. Beyond the limit, groups are dropped: first the
    /// oldest undo groups, then the latest redo groups. 0, the default, means no limit. Apple's `UndoManager` has no
    /// such limit.
    ///
    /// If one group exceeds the limit, the error is ``UndoError/Code/groupTooLarge``.
    public var undoBudget: Int {
        get { history.budget }
        set {
            history.budget = newValue
            history.trim()
            settle()
        }
    }

    /// The limit on the actions of one group; by default a million. The limit stops a handler that registers actions
    /// endlessly, with the error ``UndoError/Code/groupTooLarge``. Apple's `UndoManager` has no such limit.
    public var maxActionsPerGroup: Int {
        get { history.maxActions }
        set {
            history.maxActions = max(newValue, 1)
            history.trim()
            settle()
        }
    }

    // MARK: The clean mark

    /// True if the document is as it was at ``markClean()``, or initially. Undo and redo can return to that state.
    ///
    /// The value is false during an undo or redo, and while a group with actions is open. Apple's documents count the
    /// changes instead; `QUndoStack::isClean` of Qt has the same meaning.
    public var isClean: Bool {
        removeDead()
        return history.isClean
    }

    /// True while undo or redo can return to the clean state. The clean mark is lost when a change empties the redo
    /// stack that leads to it, when the limits drop it, when an action on the way to it was removed, was skipped or
    /// registered no inverse, and by ``removeAllActions()`` unless the state is clean at that time.
    public var canReachClean: Bool {
        removeDead()
        return history.cleanState != nil
    }

    /// Closes the event group and marks the present state as clean; call it when the document has been saved.
    ///
    /// If other groups are open, the document was saved in the middle of a change: the mark is lost, with the error
    /// ``UndoError/Code/groupOpen``. During an undo or redo the error is ``UndoError/Code/busy``.
    public func markClean() {
        if prepare("a clean mark") { history.markClean() } else { history.loseCleanState() }
        settle()
    }

    /// Removes the clean mark; call it when the document has changed in a way that undo does not revert.
    public func removeCleanMark() {
        history.loseCleanState()
        settle()
    }
}

#endif
