/// The earlier contents of one pasteboard, for undo and redo. The terms are UndoManager's: groups of changes by event,
/// levels, action names. The present contents are not on the stack; callers pass them to ``undo(from:)`` and
/// ``redo(from:)``.
///
/// Contents that must not be kept, or are larger than the whole budget, are skipped: undo goes from their successors to
/// their predecessors.
package struct UndoStack<Value> {
    /// Contents that an undo or redo restores, and the name of the change that it reverts or repeats.
    package struct Entry {
        package let value: Value
        /// The action name, such as "Copy from Firefox".
        package internal(set) var action: String?
        let size: Int
    }

    /// The contents that can be restored by undo, oldest first.
    package private(set) var undoable: [Entry] = []
    /// The contents that can be restored by redo. The next redo takes the last element.
    package private(set) var redoable: [Entry] = []
    /// The limit on the number of contents, including those for redo. If the limit is 0 or less, no contents are kept;
    /// in UndoManager, 0 means no limit.
    package var levels: Int { didSet { trim() } }
    /// The limit on the sum of the sizes, in bytes.
    package var budget: Int { didSet { trim() } }

    private let size: @Sendable (Value) -> Int
    private let isRestorable: @Sendable (Value) -> Bool
    /// The event of the last change while further changes can join its group.
    private var event: Int?

    /// - Parameters:
    ///   - levels: The limit on the number of contents.
    ///   - budget: The limit on the sum of the sizes, in bytes.
    ///   - size: Returns the size of contents, in bytes.
    ///   - isRestorable: Returns false for contents that undo must not restore, such as secrets.
    package init(
        levels: Int, budget: Int, size: @escaping @Sendable (Value) -> Int,
        isRestorable: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.levels = levels
        self.budget = budget
        self.size = size
        self.isRestorable = isRestorable
    }

    /// The name of the change that the next undo reverts.
    package var undoAction: String? { undoable.last?.action }
    /// The name of the change that the next redo repeats.
    package var redoAction: String? { redoable.last?.action }

    // MARK: Changes

    /// Records a change other than an undo or redo, and empties the redo stack.
    ///
    /// - Parameters:
    ///   - former: The contents that were replaced.
    ///   - action: The name of the change. A group has the last name given.
    ///   - event: The event of the change. Successive changes of one event are one group, which a single undo reverts.
    ///     With nil, the change is a group of its own.
    package mutating func record(_ former: Value, action: String? = nil, event: Int? = nil) {
        redoable = []
        if event != nil, event == self.event {
            rename(action)
        } else {
            push(former, undoing: action)
        }
        self.event = event
        trim()
    }

    /// Returns true if a change of the event would join the last group.
    package func isGrouped(_ event: Int) -> Bool { event == self.event }

    /// Names the last change, if its name becomes known only afterwards.
    package mutating func nameLastChange(_ action: String) { rename(action) }

    /// Removes contents that no longer exist.
    package mutating func removeAll(where isGone: (Value) -> Bool) {
        undoable.removeAll { isGone($0.value) }
        redoable.removeAll { isGone($0.value) }
    }

    /// Replaces both stacks with stored contents: for undo, oldest first; for redo, the next contents last.
    package mutating func restore(undo: [(value: Value, action: String?)], redo: [(value: Value, action: String?)]) {
        undoable = undo.compactMap { entry($0.value, action: $0.action) }
        redoable = redo.compactMap { entry($0.value, action: $0.action) }
        event = nil
        trim()
    }

    /// Reverts the last group of changes.
    ///
    /// - Parameter present: The contents that the undo replaces.
    /// - Returns: The contents to restore; nil if there is nothing to undo.
    package mutating func undo(from present: Value) -> Value? {
        guard let last = undoable.popLast() else { return nil }
        if let entry = entry(present, action: last.action) { redoable.append(entry) }
        event = nil
        trim()
        return last.value
    }

    /// Repeats the group of changes that was reverted last.
    ///
    /// - Parameter present: The contents that the redo replaces.
    /// - Returns: The contents to restore; nil if there is nothing to redo.
    package mutating func redo(from present: Value) -> Value? {
        guard let last = redoable.popLast() else { return nil }
        // The undo that precedes every redo has ended the group.
        push(present, undoing: last.action)
        trim()
        return last.value
    }

    // MARK: Entries

    private mutating func push(_ former: Value, undoing action: String?) {
        if let entry = entry(former, action: action) {
            undoable.append(entry)
        } else {
            // The contents are skipped: one undo reverts this change together with the one before it.
            rename(action)
        }
    }

    private mutating func rename(_ action: String?) {
        guard let action, let last = undoable.indices.last else { return }
        undoable[last].action = action
    }

    private func entry(_ value: Value, action: String?) -> Entry? {
        guard levels > 0, isRestorable(value) else { return nil }
        let size = max(size(value), 0)
        return size <= budget ? Entry(value: value, action: action, size: size) : nil
    }

    /// Drops the contents farthest from the present contents: first the oldest for undo, then the latest for redo.
    private mutating func trim() {
        while undoable.count + redoable.count > levels || total > budget {
            if !undoable.isEmpty {
                undoable.removeFirst()
            } else if !redoable.isEmpty {
                redoable.removeFirst()
            } else {
                return
            }
        }
    }

    /// The sum of the sizes in bytes, capped at `Int.max`.
    private var total: Int {
        (undoable + redoable).reduce(0) { sum, entry in
            let (total, isTooMuch) = sum.addingReportingOverflow(entry.size)
            return isTooMuch ? .max : total
        }
    }
}

extension UndoStack: Sendable where Value: Sendable {}
extension UndoStack.Entry: Sendable where Value: Sendable {}
