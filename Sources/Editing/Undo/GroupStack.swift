#if !canImport(Darwin)

/// Ended groups, oldest first, with the sum of their costs.
struct GroupStack {
    private var storage: [UndoGroup] = []
    /// The number of dropped elements at the start of the storage. They are removed in batches, so that dropping the
    /// oldest group of a long stack does not move all others each time.
    private var dropped = 0
    private(set) var cost = 0

    var count: Int { storage.count - dropped }
    var isEmpty: Bool { count == 0 }
    var last: UndoGroup? { isEmpty ? nil : storage.last }
    /// The number of groups with an action whose target exists.
    var liveCount: Int { storage.dropFirst(dropped).count(where: \.isLive) }

    mutating func push(_ group: UndoGroup) {
        storage.append(group)
        cost = cost.addingCapped(group.cost)
    }

    mutating func popLast() -> UndoGroup? {
        guard !isEmpty, let group = storage.popLast() else { return nil }
        subtract(group.cost)
        return group
    }

    mutating func popFirst() -> UndoGroup? {
        guard !isEmpty else { return nil }
        let group = storage[dropped]
        storage[dropped] = UndoGroup()
        dropped += 1
        if dropped * 2 >= storage.count {
            storage.removeFirst(dropped)
            dropped = 0
        }
        subtract(group.cost)
        return group
    }

    /// Removes all groups, and returns them.
    mutating func removeAll() -> ArraySlice<UndoGroup> {
        defer { self = GroupStack() }
        return storage.dropFirst(dropped)
    }

    /// Changes the last group; does nothing if there is none.
    mutating func updateLast(_ body: (inout UndoGroup) -> Void) {
        guard !isEmpty else { return }
        let former = storage[storage.count - 1].cost
        body(&storage[storage.count - 1])
        subtract(former)
        cost = cost.addingCapped(storage[storage.count - 1].cost)
    }

    /// Removes the actions for which `isGone` returns true, and groups left without actions.
    ///
    /// - Returns: The groups that lost an action, as they were before, with their previous positions, in ascending
    ///   order.
    mutating func removeActions(
        where isGone: (UndoAction) -> Bool
    ) -> [(position: Int, former: UndoGroup, isEmpty: Bool)] {
        var changed: [(position: Int, former: UndoGroup, isEmpty: Bool)] = []
        var kept: [UndoGroup] = []
        for (position, group) in storage.dropFirst(dropped).enumerated() {
            let former = group
            var group = group
            if group.removeActions(where: isGone) { changed.append((position, former, group.actions.isEmpty)) }
            if !group.actions.isEmpty { kept.append(group) }
        }
        if !changed.isEmpty {
            self = GroupStack()
            for group in kept { push(group) }
        }
        return changed
    }

    /// Subtracts a part of the sum. A capped sum cannot be reduced, so it is computed again.
    private mutating func subtract(_ part: Int) {
        cost = cost < .max ? cost - part : storage.dropFirst(dropped).reduce(0) { $0.addingCapped($1.cost) }
    }
}

/// Open groups, innermost last, with the sums of their costs and actions.
struct OpenGroups {
    private(set) var groups: [UndoGroup] = []
    private(set) var cost = 0
    private(set) var count = 0

    /// The number of open groups.
    var level: Int { groups.count }
    /// True if the target of at least one action exists. Inner groups are checked first, since thousands of groups
    /// around them may still be empty.
    var hasLiveActions: Bool { count > 0 && groups.reversed().contains(where: \.isLive) }
    var isDiscardable: Bool { groups.allSatisfy(\.isDiscardable) }

    mutating func open(_ group: UndoGroup) {
        var group = group
        group.isOverflowed = groups.last?.isOverflowed ?? false
        groups.append(group)
        recount(adding: group)
    }

    /// Closes the innermost group. Its actions become part of the group around it; an outermost group is returned.
    mutating func close() -> UndoGroup? {
        guard let group = groups.popLast() else { return nil }
        if groups.isEmpty {
            self = OpenGroups()
            return group
        }
        groups[groups.count - 1].append(nested: group)
        return nil
    }

    mutating func register(_ action: UndoAction) {
        guard let last = groups.indices.last, !groups[last].isOverflowed, groups[last].register(action) else { return }
        count += 1
        cost = cost.addingCapped(action.cost)
    }

    /// Removes the last ended group from the innermost open group and returns it. Returns nil if an action was
    /// registered since.
    mutating func takeLastNested() -> UndoGroup? {
        guard let last = groups.indices.last, let group = groups[last].takeLastNested() else { return nil }
        recount()
        return group
    }

    /// Puts a group back into the innermost open group, as if it had just been ended there.
    mutating func putBack(nested group: UndoGroup) {
        guard let last = groups.indices.last else { return }
        groups[last].append(nested: group)
        recount()
    }

    mutating func removeActions(where isGone: (UndoAction) -> Bool) -> Bool {
        var hasChanged = false
        for index in groups.indices where groups[index].removeActions(where: isGone) { hasChanged = true }
        if hasChanged { recount() }
        return hasChanged
    }

    /// Removes all actions. The groups remain open, and record nothing more if they are overflowed.
    mutating func removeAllActions(isOverflowed: Bool) {
        for index in groups.indices {
            groups[index].removeAllActions()
            groups[index].isOverflowed = isOverflowed
        }
        recount()
    }

    /// Changes the label of the innermost group and of all groups around it.
    mutating func updateLabels(_ body: (inout UndoLabel) -> Void) {
        for index in groups.indices { body(&groups[index].label) }
    }

    mutating func setDiscardable(_ isDiscardable: Bool) {
        guard let last = groups.indices.last else { return }
        groups[last].setDiscardable(isDiscardable)
    }

    private mutating func recount() {
        cost = 0
        count = 0
        for group in groups { recount(adding: group) }
    }

    private mutating func recount(adding group: UndoGroup) {
        cost = cost.addingCapped(group.cost)
        count += group.actions.count
    }
}

#endif
