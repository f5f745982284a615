#if !canImport(Darwin)

/// The groups of an undo manager and its clean mark, as a value that calls no handlers and no observers.
///
/// The release of an object that a handler holds may call the undo manager, so nothing is released in the middle of a
/// change: removed groups stay in ``discarded`` until the undo manager releases them.
///
/// The groups of both stacks form a line of changes. Between the groups are states of the document, numbered from 0:
/// state 0 is before the oldest undo group, and the number of the present state is the number of undo groups. Ended
/// groups are on the stacks; open groups belong between the two stacks.
struct UndoHistory {
    /// The result of an undo or redo.
    struct Outcome {
        /// The group that reverts the undo or redo.
        var inverse: UndoGroup
        /// The actions that were not performed because a handler failed.
        var remaining: UndoGroup
        /// True if at least one handler returned.
        var hasPerformed: Bool
        /// True if actions were skipped because their target was gone or they were removed during the undo or redo.
        var isIncomplete: Bool
    }

    enum Activity { case idle, undoing, redoing }

    private(set) var activity = Activity.idle
    private(set) var undo = GroupStack()
    private(set) var redo = GroupStack()
    private(set) var open = OpenGroups()
    /// The open groups around those of an undo or redo in progress.
    private var enclosing: OpenGroups?
    /// The number of the clean state; nil if the document cannot return to it.
    private(set) var cleanState: Int? = 0
    /// True while the next group may be merged with the last one.
    private var canMerge = false
    /// True if merging ends with the open group, which may still be merged itself.
    private var endsMerging = false

    /// The limit on the groups of each stack; 0 or less means no limit.
    var levels = 0
    /// The limit on the sum of all costs; 0 or less means no limit.
    var budget = 0
    /// The limit on the actions of one group.
    var maxActions = 1_000_000
    /// True after open groups alone exceeded a limit, until the undo manager has reported it.
    var hasOverflowed = false
    /// Removed groups.
    private(set) var discarded: [UndoGroup] = []

    /// True if the document is in the clean state, and not in the middle of an undo or redo.
    var isClean: Bool { activity == .idle && cleanState == undo.count && open.count == 0 }
    /// The state from which redo continues. During an undo or redo it is the state beyond the group in progress.
    private var redoStart: Int { undo.count + (activity == .idle ? 0 : 1) }
    /// The sum of all costs.
    private var total: Int {
        undo.cost.addingCapped(redo.cost).addingCapped(open.cost).addingCapped(enclosing?.cost ?? 0)
    }

    // MARK: Recording

    mutating func openGroup(isEvent: Bool) { open.open(UndoGroup(isEvent: isEvent)) }

    /// Records an action in the innermost open group. A change other than an undo or redo empties the redo stack.
    mutating func register(_ action: UndoAction) {
        if activity == .idle {
            discardRedo()
            loseCleanStates(after: undo.count)
        }
        open.register(action)
        trim()
    }

    /// Ends the innermost group. The outermost group goes onto the undo stack, unless it is empty or is merged.
    mutating func closeGroup() {
        guard let group = open.close() else { return }
        defer {
            if endsMerging { canMerge = false }
            endsMerging = false
        }
        guard !group.actions.isEmpty else { return discarded.append(group) }
        removeDead()
        if isMergeable(group) {
            undo.updateLast { $0.merge(group) }
            discarded.append(group)
        } else {
            undo.push(group)
        }
        canMerge = true
        trim()
    }

    private func isMergeable(_ group: UndoGroup) -> Bool {
        guard canMerge, case .all = group.merging, let last = undo.last, last.merging == group.merging else {
            return false
        }
        // The boundary of the clean state must remain, and a merged group must not exceed the limit of one group.
        return cleanState != undo.count && last.actions.count + group.actions.count <= maxActions
            && (budget <= 0 || last.cost.addingCapped(group.cost) <= budget)
    }

    /// Keeps the next group separate. An open group that already has actions may still be merged with the group before
    /// it.
    mutating func endMerging() {
        if activity == .idle, open.count > 0 {
            endsMerging = true
        } else {
            canMerge = false
        }
    }

    mutating func updateOpen(_ body: (inout OpenGroups) -> Void) { body(&open) }
    mutating func updateLastUndo(_ body: (inout UndoGroup) -> Void) { undo.updateLast(body) }

    // MARK: Undo and redo

    mutating func takeUndo() -> UndoGroup? { undo.popLast() }
    mutating func takeRedo() -> UndoGroup? { redo.popLast() }
    mutating func takeNested() -> UndoGroup? { open.takeLastNested() }

    /// Opens the group that records the inverse actions, instead of the open groups.
    mutating func beginPerforming(_ group: UndoGroup, _ activity: Activity) {
        self.activity = activity
        canMerge = false
        enclosing = open
        open = OpenGroups()
        open.open(UndoGroup(label: group.label))
    }

    /// Ends the group that records the inverse actions.
    ///
    /// - Returns: The group, and the number of groups that the handlers left open.
    mutating func endPerforming() -> (inverse: UndoGroup, unended: Int) {
        let unended = open.level - 1
        var inverse = UndoGroup()
        while open.level > 0 {
            if let group = open.close() { inverse = group }
        }
        open = enclosing ?? OpenGroups()
        enclosing = nil
        activity = .idle
        return (inverse, unended)
    }

    mutating func finishUndo(_ outcome: Outcome) {
        let here = undo.count
        let isReversible = !outcome.inverse.actions.isEmpty
        if outcome.remaining.actions.isEmpty {
            if !isReversible { loseCleanStates(after: here) }
        } else {
            undo.push(outcome.remaining)
            if isReversible {
                moveCleanStates(after: here, by: 1)
            } else if outcome.hasPerformed {
                loseCleanStates(after: here)
            }
        }
        if outcome.isIncomplete { loseCleanStates(through: here) }
        if isReversible { redo.push(outcome.inverse) }
        trim()
    }

    mutating func finishRedo(_ outcome: Outcome) {
        let here = undo.count
        let isReversible = !outcome.inverse.actions.isEmpty
        if outcome.isIncomplete { loseCleanStates(after: here) }
        if outcome.remaining.actions.isEmpty {
            if !isReversible {
                loseCleanStates(through: here)
                moveCleanStates(after: here, by: -1)
            }
        } else {
            redo.push(outcome.remaining)
            if isReversible {
                moveCleanStates(after: here, by: 1)
            } else if outcome.hasPerformed {
                loseCleanStates(through: here)
            }
        }
        if isReversible { undo.push(outcome.inverse) }
        trim()
    }

    mutating func finishNestedUndo(_ outcome: Outcome) {
        open.putBack(nested: outcome.remaining)
        if outcome.isIncomplete { cleanState = nil }
        if !outcome.inverse.actions.isEmpty { redo.push(outcome.inverse) }
        trim()
    }

    // MARK: The clean state

    mutating func markClean() {
        cleanState = undo.count
        canMerge = false
    }

    mutating func loseCleanState() { cleanState = nil }

    /// Removes the mark from a state that undo and redo no longer reach.
    private mutating func loseCleanStates(after state: Int) {
        if let cleanState, cleanState > state { self.cleanState = nil }
    }

    private mutating func loseCleanStates(through state: Int) {
        if let cleanState, cleanState <= state { self.cleanState = nil }
    }

    /// Renumbers later states.
    private mutating func moveCleanStates(after state: Int, by distance: Int) {
        if let cleanState, cleanState > state { self.cleanState = cleanState + distance }
    }

    // MARK: Removing groups

    mutating func removeAll() {
        cleanState = isClean ? 0 : nil
        discarded += undo.removeAll()
        discardRedo()
        discarded += open.groups + (enclosing?.groups ?? [])
        open.removeAllActions(isOverflowed: false)
        enclosing?.removeAllActions(isOverflowed: false)
        canMerge = false
    }

    /// Removes the actions for which `isGone` returns true, and groups left without actions. Undo and redo past the
    /// place of a removed action do not restore the state beyond it.
    mutating func removeActions(where isGone: (UndoAction) -> Bool) {
        let former = open.groups + (enclosing?.groups ?? [])
        let hasOpen = open.removeActions(where: isGone)
        let hasEnclosing = enclosing?.removeActions(where: isGone) ?? false
        if hasOpen || hasEnclosing { discarded += former }
        if hasOpen, activity == .undoing { loseCleanStates(after: undo.count) }
        if hasOpen && activity != .undoing || hasEnclosing { loseCleanStates(through: undo.count) }
        for (position, former, isEmpty) in undo.removeActions(where: isGone).reversed() {
            discarded.append(former)
            loseCleanStates(through: position)
            if isEmpty { moveCleanStates(after: position, by: -1) }
        }
        // The last group of the redo stack leads from `redoStart` to the next state.
        let latest = redoStart + redo.count
        for (position, former, _) in redo.removeActions(where: isGone) {
            discarded.append(former)
            loseCleanStates(after: latest - position - 1)
        }
    }

    private mutating func discard(_ group: UndoGroup?) {
        if let group { discarded.append(group) }
    }

    private mutating func discardRedo() {
        if !redo.isEmpty { discarded += redo.removeAll() }
    }

    /// Returns the removed groups, which the caller releases.
    mutating func takeDiscarded() -> [UndoGroup] {
        defer { discarded = [] }
        return discarded
    }

    /// Removes the groups at the top of both stacks whose targets no longer exist.
    mutating func removeDead() {
        while let last = undo.last, !last.isLive {
            discard(undo.popLast())
            loseCleanStates(through: undo.count)
            moveCleanStates(after: undo.count, by: -1)
        }
        while let last = redo.last, !last.isLive {
            discard(redo.popLast())
            loseCleanStates(after: redoStart)
        }
    }

    // MARK: Limits

    /// Drops groups beyond the limits: first the oldest undo groups, then the latest redo groups. Open groups that
    /// exceed a limit by themselves are emptied, together with their stack.
    mutating func trim() {
        if open.count > maxActions || budget > 0 && open.cost > budget { overflow() }
        while levels > 0, undo.count > levels { dropOldestUndo() }
        while levels > 0, redo.count > levels { dropLatestRedo() }
        while budget > 0, total > budget, !undo.isEmpty { dropOldestUndo() }
        while budget > 0, total > budget, !redo.isEmpty { dropLatestRedo() }
    }

    private mutating func overflow() {
        hasOverflowed = true
        discarded += open.groups
        open.removeAllActions(isOverflowed: true)
        if activity != .undoing {
            while !undo.isEmpty { dropOldestUndo() }
        }
        if activity != .redoing {
            while !redo.isEmpty { dropLatestRedo() }
        }
        if activity == .idle { cleanState = nil }
    }

    private mutating func dropOldestUndo() {
        discard(undo.popFirst())
        loseCleanStates(through: 0)
        moveCleanStates(after: 0, by: -1)
    }

    private mutating func dropLatestRedo() {
        let end = redoStart + redo.count
        discard(redo.popFirst())
        loseCleanStates(after: end - 1)
    }
}

#endif
