import Undo

/// A model of the undo manager in plain Swift: two arrays of groups, which contain actions and groups.
///
/// The undo manager counts states. The model instead gives each state of the document a number, and each group the
/// number of the state that an undo or redo of the group restores.
struct UndoModel {
    struct Action {
        var target: Int
        var change: Change
        var registration: Int
        var isDiscardable: Bool
    }

    enum Entry {
        case action(Action)
        case group(Group)
    }

    struct Group {
        var entries: [Entry] = []
        var name = ""
        var info: Int?
        var isEvent = false
        var isOverflowed = false
        /// True if the next action is discardable.
        var next: Bool?
        /// The state to which undo, or redo, of the group leads.
        var far = 0

        var actions: [Action] {
            var actions: [Action] = []
            for entry in entries {
                switch entry {
                case .action(let action): actions.append(action)
                case .group(let group): actions += group.actions
                }
            }
            return actions
        }
        /// Returns true if all actions, including those in nested groups, satisfy a condition.
        func allSatisfy(_ isTrue: (Action) -> Bool) -> Bool {
            for entry in entries {
                switch entry {
                case .action(let action): if !isTrue(action) { return false }
                case .group(let group): if !group.allSatisfy(isTrue) { return false }
                }
            }
            return true
        }
        /// The number of actions, and the sum of their costs.
        var size: (count: Int, cost: Int) {
            var size = (count: 0, cost: 0)
            _ = allSatisfy { action in
                size.count += 1
                size.cost += max(action.change.cost, 0)
                return true
            }
            return size
        }

        mutating func remove(_ target: Int) {
            entries = entries.compactMap { entry in
                switch entry {
                case .action(let action): return action.target == target ? nil : entry
                case .group(var group):
                    group.remove(target)
                    return group.entries.isEmpty ? nil : .group(group)
                }
            }
        }

        mutating func update(last isDiscardable: Bool) {
            guard let last = entries.indices.last else { return next = isDiscardable }
            switch entries[last] {
            case .action(var action):
                action.isDiscardable = isDiscardable
                entries[last] = .action(action)
            case .group(var group):
                group.update(last: isDiscardable)
                entries[last] = .group(group)
            }
        }
    }

    enum Activity { case idle, undoing, redoing }

    // The document.
    var slots = Array(0..<ModelOperation.slots)
    var values = Array(repeating: 0, count: ModelOperation.slots)
    var objects = ModelOperation.slots
    /// The numbers of the objects that exist.
    var numbers = Dictionary(uniqueKeysWithValues: (0..<ModelOperation.slots).map { ($0, 0) })
    // The groups.
    var undo: [Group] = []
    var redo: [Group] = []
    var open: [Group] = []
    var enclosing: [Group] = []
    var activity = Activity.idle
    var left: [Action] = []
    var hasRemoved = false
    // States.
    var states = 0
    var present = 0
    var clean: Int? = 0
    // Settings.
    var groupsByEvent = true
    var levels = 0
    var budget = 0
    var maxActions = 1_000_000
    var disabled = 0
    var canMerge = false
    var endsMerging = false
    var hasOverflowed = false
    var isEventOver = false
    var inherits = false
    var isAtCheckpoint = false
    // Handlers.
    var registrations = 0
    var failed: Set<Int> = []
    var pending: (slot: Int, change: Change)?
    var notices: [String] = []

    var isIdle: Bool { activity == .idle }
    var level: Int { open.count - (isIdle ? 0 : 1) }
    func isAlive(_ action: Action) -> Bool { numbers[action.target] != nil }

    func isDead(_ group: Group) -> Bool { group.allSatisfy { !isAlive($0) } }

    // MARK: Operations

    mutating func apply(_ operation: ModelOperation) {
        notices.removeAll(keepingCapacity: true)
        switch operation {
        case .change(let slot, let change): make(change, of: slots[slot])
        case .pend(let slot, let change): pending = (slot, change)
        case .end(let slot):
            numbers[slots[slot]] = nil
            slots[slot] = objects
            numbers[objects] = 0
            objects += 1
        case .begin: begin()
        case .endGroup: end()
        case .endEvent: endEvent()
        case .undo: if prepare() { performUndo() }
        case .redo: if prepare() { performRedo() }
        case .undoNested:
            checkpoint()
            if open.isEmpty { performUndo() } else { performNested() }
        case .canRedo: checkpoint()
        case .disable: disabled += 1
        case .enable: if disabled > 0 { disabled -= 1 } else { notices.append("registrationEnabled") }
        case .removeAll: removeAll()
        case .remove(let slot): remove(slots[slot])
        case .name(let name): label { $0.name = name }
        case .info(let info): label { $0.info = info }
        case .discardable(let isDiscardable): setDiscardable(isDiscardable)
        case .groupsByEvent(let isOn): groupsByEvent = isOn
        case .levels(let number): levels = number
        case .budget(let number): budget = number
        case .maxActions(let number): maxActions = max(number, 1)
        case .markClean:
            if prepare() {
                clean = present
                canMerge = false
            } else {
                clean = nil
            }
        case .removeCleanMark: clean = nil
        case .endMerging:
            if isIdle, !open.allSatisfy(\.entries.isEmpty) { endsMerging = true } else { canMerge = false }
        }
        trim()
        settle()
    }

    mutating func checkpoint() {
        guard isIdle, !isAtCheckpoint else { return }
        isAtCheckpoint = true
        notices.append("checkpoint")
        if let (slot, change) = pending {
            pending = nil
            make(change, of: slots[slot])
        }
        isAtCheckpoint = false
    }

    mutating func settle() {
        if hasOverflowed { notices.append("groupTooLarge") }
        hasOverflowed = false
    }

    // MARK: Groups

    mutating func openGroup(isEvent: Bool) {
        open.append(Group(isEvent: isEvent, isOverflowed: open.last?.isOverflowed ?? false))
        if isIdle { notices.append("open") }
        if isEvent { notices.append("event") }
    }

    mutating func begin() {
        if groupsByEvent, isIdle, level == 0 { openGroup(isEvent: true) }
        if level > 0 { checkpoint() }
        openGroup(isEvent: false)
    }

    mutating func end() {
        checkpoint()
        if level > 0 { close() } else { notices.append("noGroupOpen") }
    }

    mutating func endEvent() {
        guard isIdle else { return }
        isEventOver = open.count > 1 && open[0].isEvent
        guard open.count == 1, open[0].isEvent else { return }
        checkpoint()
        close()
    }

    mutating func close() {
        guard let group = open.popLast() else { return }
        if isIdle {
            let isDiscardable = group.allSatisfy(\.isDiscardable)
            notices += ["close", isDiscardable ? "closed discardable" : "closed"]
        }
        if !group.entries.isEmpty {
            if open.isEmpty { push(group) } else { open[open.count - 1].entries.append(.group(group)) }
        }
        if open.isEmpty, endsMerging { (canMerge, endsMerging) = (false, false) }
        if isIdle, isEventOver, open.count == 1, open[0].isEvent {
            isEventOver = false
            notices.append("event")
        }
        settle()
    }

    mutating func push(_ group: Group) {
        var group = group
        removeDead()
        let keys = group.actions.map(\.change.merging)
        if canMerge, clean != present, let key = keys[0], let last = undo.last,
            (keys + last.actions.map(\.change.merging)).allSatisfy({ $0 == key }),
            last.size.count + group.size.count <= maxActions, budget <= 0 || last.size.cost + group.size.cost <= budget
        {
            var merged = last
            for action in group.actions where !merges(action, into: &merged) { merged.entries.append(.action(action)) }
            if !group.name.isEmpty { merged.name = group.name }
            merged.info = group.info ?? merged.info
            undo[undo.count - 1] = merged
        } else {
            group.far = present
            undo.append(group)
        }
        present = newState()
        canMerge = true
        trim()
    }

    /// Merges an action into an earlier action of the same target, which then is discardable only if both actions are.
    /// Returns false if there is no such action.
    func merges(_ action: Action, into group: inout Group) -> Bool {
        guard case .keepFirst? = action.change.merging, isAlive(action) else { return false }
        var actions = group.actions
        guard actions.allSatisfy({ $0.change.merging == action.change.merging }),
            let first = actions.firstIndex(where: { $0.target == action.target })
        else { return false }
        if !action.isDiscardable { actions[first].isDiscardable = false }
        group.entries = actions.map { .action($0) }
        return true
    }

    mutating func label(_ body: (inout Group) -> Void) {
        guard disabled == 0 else { return }
        if open.isEmpty, groupsByEvent { openGroup(isEvent: true) }
        if !open.isEmpty {
            for index in open.indices { body(&open[index]) }
        } else if !undo.isEmpty {
            body(&undo[undo.count - 1])
        }
    }

    mutating func setDiscardable(_ isDiscardable: Bool) {
        guard disabled == 0 else { return }
        if open.isEmpty, groupsByEvent { openGroup(isEvent: true) }
        if !open.isEmpty {
            open[open.count - 1].update(last: isDiscardable)
        } else if !undo.isEmpty {
            undo[undo.count - 1].update(last: isDiscardable)
        }
    }

    // MARK: Registration

    mutating func make(_ change: Change, of target: Int) {
        switch change.kind {
        case .grouped:
            begin()
            register(change, of: target)
            end()
        case .unended:
            if !isIdle { begin() }
            register(change, of: target)
        case .silent: if isIdle { register(change, of: target) }
        case .twice:
            register(change, of: target)
            register(change, of: target)
        case .naming:
            register(change, of: target)
            if !isIdle { label { $0.name = "Handler" } }
        case .removing:
            if !isIdle { removeAll() }
            register(change, of: target)
        case .removingTarget:
            if !isIdle { remove(target) }
            register(change, of: target)
        case .plain, .byKeyPath, .failing, .failingLate: register(change, of: target)
        }
        numbers[target] = change.value
    }

    mutating func register(_ change: Change, of target: Int) {
        var inverse = change
        inverse.value = numbers[target] ?? 0
        registrations += 1
        let action = Action(target: target, change: inverse, registration: registrations, isDiscardable: inherits)
        guard disabled == 0 else { return }
        if !open.isEmpty {
            record(action)
            return settle()
        }
        open = [Group(isEvent: groupsByEvent)]
        record(action)
        notices.append("open")
        if groupsByEvent {
            notices.append("event")
            return settle()
        }
        close()
        notices.append("noGroupOpen")
    }

    mutating func record(_ action: Action) {
        if isIdle {
            if !redo.isEmpty { lose(redo.map(\.far)) }
            redo = []
        }
        let last = open.count - 1
        guard !open[last].isOverflowed else { return }
        var action = action
        action.isDiscardable = open[last].next ?? action.isDiscardable
        open[last].next = nil
        let hasGroups = open[last].entries.contains { if case .group = $0 { true } else { false } }
        if hasGroups || !merges(action, into: &open[last]) { open[last].entries.append(.action(action)) }
        trim()
    }

    // MARK: Undo and redo

    mutating func prepare() -> Bool {
        checkpoint()
        if open.count == 1, open[0].isEvent { close() }
        if !open.isEmpty { notices.append("groupOpen") }
        return open.isEmpty
    }

    mutating func performUndo() {
        removeDead()
        guard var group = undo.popLast() else { return }
        let before = present
        let outcome = perform(group, .undoing)
        let isReversible = !outcome.inverse.entries.isEmpty
        group.entries = left.map { .action($0) }
        left = []
        if group.entries.isEmpty {
            present = group.far
        } else {
            undo.append(group)
            if isReversible || outcome.hasPerformed { present = newState() }
        }
        if !isReversible, present != before { lose([before] + redo.map(\.far)) }
        if outcome.isIncomplete { lose([group.far] + undo.map(\.far)) }
        if isReversible { redo.append(far(outcome.inverse, before)) }
        finish("undone", outcome)
    }

    mutating func performRedo() {
        removeDead()
        guard var group = redo.popLast() else { return }
        let before = present
        let outcome = perform(group, .redoing)
        let isReversible = !outcome.inverse.entries.isEmpty
        if outcome.isIncomplete { lose([group.far] + redo.map(\.far)) }
        group.entries = left.map { .action($0) }
        left = []
        if group.entries.isEmpty {
            present = group.far
        } else {
            redo.append(group)
            if isReversible || outcome.hasPerformed { present = newState() }
        }
        if !isReversible, present != before { lose([before] + undo.map(\.far)) }
        if isReversible { undo.append(far(outcome.inverse, before)) }
        finish("redone", outcome)
    }

    mutating func performNested() {
        guard case .group(var group)? = open[open.count - 1].entries.last else { return notices.append("groupOpen") }
        open[open.count - 1].entries.removeLast()
        let outcome = perform(group, .undoing)
        group.entries = left.map { .action($0) }
        left = []
        if !group.entries.isEmpty { open[open.count - 1].entries.append(.group(group)) }
        if outcome.isIncomplete { clean = nil }
        if !outcome.inverse.entries.isEmpty { redo.append(far(outcome.inverse, newState())) }
        finish("undone", outcome)
    }

    mutating func perform(
        _ group: Group, _ activity: Activity
    ) -> (inverse: Group, hasPerformed: Bool, isIncomplete: Bool, hasFailed: Bool) {
        enclosing = open
        open = [Group(name: group.name, info: group.info)]
        self.activity = activity
        canMerge = false
        left = group.actions
        hasRemoved = false
        var (hasPerformed, hasSkipped, hasFailed) = (false, false, false)
        notices.append(activity == .undoing ? "undo" : "redo")
        while !hasFailed, let action = left.last {
            inherits = action.isDiscardable
            if !isAlive(action) {
                hasSkipped = true
                left.removeLast()
                continue
            }
            let kind = action.change.kind
            hasFailed = [.failing, .failingLate].contains(kind) && failed.insert(action.registration).inserted
            if !hasFailed || kind == .failingLate { make(action.change, of: action.target) }
            if hasFailed { continue }
            hasPerformed = true
            if left.last?.registration == action.registration { left.removeLast() }
        }
        inherits = false
        if open.count > 1 { notices.append("groupNotEnded") }
        while open.count > 1 { close() }
        let inverse = open[0]
        open = enclosing
        enclosing = []
        self.activity = .idle
        return (inverse, hasPerformed, hasSkipped || hasRemoved, hasFailed)
    }

    mutating func finish(
        _ notice: String, _ outcome: (inverse: Group, hasPerformed: Bool, isIncomplete: Bool, hasFailed: Bool)
    ) {
        trim()
        if outcome.hasFailed { notices.append("handlerFailed") }
        notices.append(notice)
        settle()
    }

    func far(_ group: Group, _ state: Int) -> Group {
        var group = group
        group.far = state
        return group
    }

    // MARK: States and removal

    mutating func newState() -> Int {
        states += 1
        return states
    }

    mutating func lose(_ lost: [Int]) {
        if let state = clean, lost.contains(state) { clean = nil }
    }

    mutating func removeDead() {
        while let last = undo.last, isDead(last) {
            lose(undo.map(\.far))
            undo.removeLast()
        }
        while let last = redo.last, isDead(last) {
            lose(redo.map(\.far))
            redo.removeLast()
        }
    }

    mutating func removeAll() {
        if !(isIdle && clean == present && open.allSatisfy(\.entries.isEmpty)) { clean = nil }
        undo = []
        redo = []
        for index in open.indices { (open[index].entries, open[index].isOverflowed) = ([], false) }
        for index in enclosing.indices { (enclosing[index].entries, enclosing[index].isOverflowed) = ([], false) }
        canMerge = false
        left = []
        hasRemoved = true
        disabled = 0
        settle()
    }

    mutating func remove(_ target: Int) {
        let isTarget = { (action: Action) in action.target == target }
        if (open + enclosing).contains(where: { !$0.allSatisfy { !isTarget($0) } }) {
            lose((activity == .undoing && enclosing.isEmpty ? redo : undo).map(\.far) + [present])
        }
        for index in open.indices { open[index].remove(target) }
        for index in enclosing.indices { enclosing[index].remove(target) }
        for index in undo.indices.reversed() where !undo[index].allSatisfy({ !isTarget($0) }) {
            lose(undo[...index].map(\.far))
            undo[index].remove(target)
        }
        for index in redo.indices.reversed() where !redo[index].allSatisfy({ !isTarget($0) }) {
            lose(redo[...index].map(\.far))
            redo[index].remove(target)
        }
        undo.removeAll(where: \.entries.isEmpty)
        redo.removeAll(where: \.entries.isEmpty)
        if left.contains(where: isTarget) { hasRemoved = true }
        left.removeAll(where: isTarget)
        settle()
    }

    // MARK: Limits

    mutating func trim() {
        let size = size(of: open)
        if size.count > maxActions || budget > 0 && size.cost > budget { overflow() }
        while levels > 0, undo.count > levels { dropUndo() }
        while levels > 0, redo.count > levels { dropRedo() }
        guard budget > 0 else { return }
        while total > budget, !undo.isEmpty { dropUndo() }
        while total > budget, !redo.isEmpty { dropRedo() }
    }

    var total: Int { size(of: undo).cost + size(of: redo).cost + size(of: open).cost + size(of: enclosing).cost }

    func size(of groups: [Group]) -> (count: Int, cost: Int) {
        var total = (count: 0, cost: 0)
        for group in groups {
            let size = group.size
            total = (total.count + size.count, total.cost + size.cost)
        }
        return total
    }

    mutating func overflow() {
        hasOverflowed = true
        for index in open.indices { (open[index].entries, open[index].isOverflowed) = ([], true) }
        while activity != .undoing, !undo.isEmpty { dropUndo() }
        while activity != .redoing, !redo.isEmpty { dropRedo() }
        if isIdle { clean = nil }
    }

    mutating func dropUndo() { lose([undo.removeFirst().far]) }
    mutating func dropRedo() { lose([redo.removeFirst().far]) }

    // MARK: The state to compare

    var state: ModelState {
        mutating get {
            removeDead()
            let hasOpen = open.contains { !isDead($0) }
            let next = hasOpen ? open[0] : undo.last
            let nextGroups = hasOpen ? open : undo.suffix(1)
            return ModelState(
                values: slots.map { numbers[$0] ?? 0 }, canUndo: next != nil, canRedo: !redo.isEmpty,
                undoActionName: next?.name ?? "", redoActionName: redo.last?.name ?? "", undoInfo: next?.info,
                redoInfo: redo.last?.info,
                isUndoDiscardable: next != nil && nextGroups.allSatisfy { $0.allSatisfy(\.isDiscardable) },
                isRedoDiscardable: redo.last?.allSatisfy(\.isDiscardable) ?? false, groupingLevel: open.count,
                isEnabled: disabled == 0, isClean: clean == present && size(of: open).count == 0,
                canReachClean: clean != nil)
        }
    }
}
