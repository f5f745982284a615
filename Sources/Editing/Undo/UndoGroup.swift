#if !canImport(Darwin)

/// Actions that one undo performs, last action first.
///
/// The actions of nested groups are in one flat list, so that deep nesting needs no deep recursion. Only the positions
/// of nested groups are kept, for ``UndoManager/undoNestedGroup()``.
struct UndoGroup {
    /// A group that was ended within this one.
    private struct Nested {
        var actions: Range<Int>
        var label: UndoLabel
    }

    /// The key that all actions of a group share.
    enum SharedMerging: Equatable {
        case empty
        case all(UndoManager.Merging)
        case none

        init(_ merging: UndoManager.Merging?) { self = merging.map { .all($0) } ?? .none }

        func combined(with other: SharedMerging) -> SharedMerging {
            if self == .empty || self == other { return other }
            return other == .empty ? self : .none
        }
    }

    var label = UndoLabel()
    /// True for the group that contains all actions of one event.
    let isEvent: Bool
    /// True after the group has exceeded a limit; it then records nothing more.
    var isOverflowed = false

    private(set) var actions: [UndoAction] = []
    private(set) var cost = 0
    private(set) var merging = SharedMerging.empty
    private var nested: [Nested] = []
    /// True if the next action is discardable; nil if the program has not set this before registering the action.
    private var nextIsDiscardable: Bool?
    /// The position of the first action of each target; nil until it is needed.
    private var firstPositions: [ObjectIdentifier: Int]?

    init(label: UndoLabel = UndoLabel(), isEvent: Bool = false, actions: [UndoAction] = []) {
        self.label = label
        self.isEvent = isEvent
        for action in actions { add(action) }
    }

    /// True while at least one target exists.
    var isLive: Bool { actions.contains { $0.target != nil } }
    var isDiscardable: Bool { actions.allSatisfy(\.isDiscardable) }

    // MARK: Adding actions

    /// Records an action, unless it is merged with an earlier one.
    ///
    /// - Returns: True if the action was recorded.
    mutating func register(_ action: UndoAction) -> Bool {
        if let nextIsDiscardable { action.isDiscardable = nextIsDiscardable }
        nextIsDiscardable = nil
        if nested.isEmpty, isRepeated(action) { return false }
        add(action)
        return true
    }

    /// Sets whether the latest action is discardable, or the next action if the group is empty.
    mutating func setDiscardable(_ isDiscardable: Bool) {
        if let last = actions.last { last.isDiscardable = isDiscardable } else { nextIsDiscardable = isDiscardable }
    }

    /// Adds the actions of a group that was ended within this one.
    mutating func append(nested group: UndoGroup) {
        guard !group.actions.isEmpty else { return }
        let start = actions.count
        for action in group.actions { add(action) }
        nested.append(Nested(actions: start..<actions.count, label: group.label))
    }

    /// Adds the actions of a later group with the same key.
    mutating func merge(_ newer: UndoGroup) {
        for action in newer.actions where !isRepeated(action) { add(action) }
        label.update(with: newer.label)
    }

    private mutating func add(_ action: UndoAction) {
        if let target = action.target, firstPositions?[ObjectIdentifier(target)] == nil {
            firstPositions?[ObjectIdentifier(target)] = actions.count
        }
        actions.append(action)
        cost = cost.addingCapped(action.cost)
        merging = merging.combined(with: SharedMerging(action.merging))
    }

    /// Returns true if the group has an earlier action that makes this one superfluous. The earlier action is then
    /// discardable only if both actions are.
    private mutating func isRepeated(_ action: UndoAction) -> Bool {
        guard case .keepFirst? = action.merging, merging == SharedMerging(action.merging), let target = action.target
        else { return false }
        let positions = firstPositions ?? positionsOfTargets()
        firstPositions = positions
        // A new object can have the address of a released target, whose action then has no target.
        guard let position = positions[ObjectIdentifier(target)] else { return false }
        if actions[position].target === target {
            if !action.isDiscardable { actions[position].isDiscardable = false }
            return true
        }
        firstPositions?[ObjectIdentifier(target)] = actions.count
        return false
    }

    private func positionsOfTargets() -> [ObjectIdentifier: Int] {
        var positions: [ObjectIdentifier: Int] = [:]
        for (position, action) in actions.enumerated() {
            guard let target = action.target, positions[ObjectIdentifier(target)] == nil else { continue }
            positions[ObjectIdentifier(target)] = position
        }
        return positions
    }

    // MARK: Removing actions

    /// Removes the last ended group from this group and returns it. Returns nil if an action was registered since.
    mutating func takeLastNested() -> UndoGroup? {
        guard let last = nested.last, last.actions.upperBound == actions.count else { return nil }
        let group = UndoGroup(label: last.label, actions: Array(actions[last.actions]))
        let places = nested.dropLast()
        replaceActions(Array(actions[..<last.actions.lowerBound]))
        nested = Array(places)
        return group
    }

    /// Removes the actions for which `isGone` returns true, and returns true if there were any.
    mutating func removeActions(where isGone: (UndoAction) -> Bool) -> Bool {
        var kept: [UndoAction] = []
        // The number of kept actions before each position.
        var positions = [0]
        for action in actions {
            if !isGone(action) { kept.append(action) }
            positions.append(kept.count)
        }
        guard kept.count < actions.count else { return false }
        let places = nested.compactMap { place -> Nested? in
            let range = positions[place.actions.lowerBound]..<positions[place.actions.upperBound]
            return range.isEmpty ? nil : Nested(actions: range, label: place.label)
        }
        replaceActions(kept)
        nested = places
        return true
    }

    /// Removes all actions; the group remains open.
    mutating func removeAllActions() { replaceActions([]) }

    private mutating func replaceActions(_ actions: [UndoAction]) {
        self.actions = []
        nested = []
        cost = 0
        merging = .empty
        firstPositions = nil
        for action in actions { add(action) }
    }
}

#endif
