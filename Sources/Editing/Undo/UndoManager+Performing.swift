#if !canImport(Darwin)

extension UndoManager {
    // MARK: The next groups

    /// True if the open groups have actions, so that an undo would begin with these groups.
    var hasOpenActions: Bool { history.activity == .idle && history.open.hasLiveActions }

    var hasRedo: Bool {
        removeDead()
        return !history.redo.isEmpty
    }

    /// The group with the name of the next undo.
    var nextUndo: UndoGroup? {
        if hasOpenActions { return history.open.groups.first }
        removeDead()
        return history.undo.last
    }

    var nextRedo: UndoGroup? {
        removeDead()
        return history.redo.last
    }

    /// Opens the event group if names and other information need a group. Returns false if such information is ignored.
    func prepareLabel() -> Bool {
        guard isUndoRegistrationEnabled else { return false }
        if history.open.level == 0, groupsByEvent { openEventGroup() }
        return true
    }

    func updateLabel(_ body: (inout UndoLabel) -> Void) {
        guard prepareLabel() else { return }
        if history.open.level > 0 {
            history.updateOpen { $0.updateLabels(body) }
        } else {
            history.updateLastUndo { body(&$0.label) }
        }
        settle()
    }

    // MARK: Groups

    func openEventGroup() {
        openGroup(isEvent: true)
        onEventGroupOpened?()
    }

    func openGroup(isEvent: Bool) {
        history.openGroup(isEvent: isEvent)
        if history.activity == .idle { post(.didOpenGroup) }
    }

    /// Closes the innermost group.
    func closeGroup() {
        guard history.activity == .idle else { return history.closeGroup() }
        let level = history.open.level
        let enclosingLevel = closingLevel
        closingLevel = level
        post(.willCloseGroup)
        closingLevel = enclosingLevel
        while history.open.level > level { history.closeGroup() }
        let isDiscardable = history.open.groups.last?.isDiscardable ?? true
        history.closeGroup()
        post(.didCloseGroup(isDiscardable: isDiscardable))
        if isEventOver, hasEventGroup {
            isEventOver = false
            onEventGroupOpened?()
        }
        settle()
    }

    /// True if the event group is the only open group.
    private var hasEventGroup: Bool { history.open.level == 1 && history.open.groups.first?.isEvent == true }

    /// Closes the event group, if there is one, at the end of an event. Does nothing while groups are open within it;
    /// such groups may end in a later event, like the group of a drag when the button is released.
    ///
    /// The host of the event loop calls this after each event, or when ``onEventGroupOpened`` has asked for it. Apple's
    /// `UndoManager` needs no such call.
    public func endEvent() {
        hasEventHost = true
        guard history.activity == .idle, closingLevel == nil else { return }
        isEventOver = history.open.level > 1 && history.open.groups.first?.isEvent == true
        guard hasEventGroup else { return }
        checkpoint()
        if hasEventGroup { closeGroup() }
    }

    func register(_ action: UndoAction) {
        guard isUndoRegistrationEnabled else { return }
        action.isDiscardable = inheritsDiscardable
        if history.open.level > 0 {
            history.register(action)
            return settle()
        }
        history.openGroup(isEvent: groupsByEvent)
        history.register(action)
        post(.didOpenGroup)
        if groupsByEvent {
            onEventGroupOpened?()
            return settle()
        }
        closeGroup()
        report(.noGroupOpen, "an action was registered outside of a group, and became a group of its own")
    }

    // MARK: Undo and redo

    /// Removes actions that the undo or redo in progress still has to perform.
    func removePending(where isGone: (UndoAction) -> Bool) {
        // The actions are released after the change.
        let former = pendingActions
        pendingActions = former.filter { !isGone($0) }
        if pendingActions.count < former.count { hasRemovedPending = true }
        withExtendedLifetime(former) {}
    }

    func isIdle(_ call: String) -> Bool {
        guard history.activity == .idle, closingLevel == nil else {
            report(.busy, "\(call) was refused in the middle of an undo, a redo or a group's end")
            return false
        }
        return true
    }

    /// Sends a checkpoint and closes the event group. If that is not possible, reports an error and returns false.
    func prepare(_ call: String) -> Bool {
        guard isIdle(call) else { return false }
        checkpoint()
        if hasEventGroup {
            warnWithoutEventHost()
            closeGroup()
        }
        guard history.open.level == 0 else {
            report(.groupOpen, "\(call) was refused because the program has not ended an open group")
            return false
        }
        return true
    }

    func performUndo() {
        removeDead()
        guard let group = history.takeUndo() else { return }
        let (outcome, error) = perform(group, .undoing)
        history.finishUndo(outcome)
        finish(error, .didUndo)
    }

    func performRedo() {
        removeDead()
        guard let group = history.takeRedo() else { return }
        let (outcome, error) = perform(group, .redoing)
        history.finishRedo(outcome)
        finish(error, .didRedo)
    }

    func performNestedUndo() {
        guard let group = history.takeNested() else {
            return report(.groupOpen, "no group was ended in the open one since its last action")
        }
        let (outcome, error) = perform(group, .undoing)
        history.finishNestedUndo(outcome)
        finish(error, .didUndo)
    }

    /// Performs the actions of a group, last action first, until an action fails.
    private func perform(
        _ group: UndoGroup, _ activity: UndoHistory.Activity
    ) -> (UndoHistory.Outcome, UndoError?) {
        history.beginPerforming(group, activity)
        pendingActions = group.actions
        hasRemovedPending = false
        var hasPerformed = false
        var hasSkipped = false
        var failure: (any Error)?
        post(activity == .undoing ? .willUndo : .willRedo)
        while failure == nil, let action = pendingActions.last {
            inheritsDiscardable = action.isDiscardable
            do {
                if try action.perform() { hasPerformed = true } else { hasSkipped = true }
                if pendingActions.last === action { pendingActions.removeLast() }
            } catch {
                failure = error
            }
        }
        inheritsDiscardable = false
        let (inverse, unended) = history.endPerforming()
        if unended > 0 { report(.groupNotEnded, "handlers of an undo or redo left \(unended) groups open") }
        let outcome = UndoHistory.Outcome(
            inverse: inverse, remaining: UndoGroup(label: group.label, actions: pendingActions),
            hasPerformed: hasPerformed, isIncomplete: hasSkipped || hasRemovedPending)
        removePending { _ in true }
        return (
            outcome, failure.map { UndoError(.handlerFailed, "an action of undo or redo has failed", underlying: $0) }
        )
    }

    private func finish(_ error: UndoError?, _ notice: Notice) {
        if let error { post(.failed(error)) }
        post(notice)
        settle()
    }
}

#endif
