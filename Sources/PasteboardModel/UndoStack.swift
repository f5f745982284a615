/// Earlier contents of one pasteboard, to go back to and forth again. The present contents are not among them: whoever
/// holds them hands them in.
///
/// Contents that may not be kept, or are alone more than the budget, are passed over: undo goes from what replaced them
/// to what was there before them.
package struct UndoStack<Value> {
    /// Contents to go to, and what is undone or redone by it.
    package struct Entry {
        package let value: Value
        /// "Copy from Firefox".
        package internal(set) var action: String?
        let size: Int
    }

    /// The earliest first.
    package private(set) var undoable: [Entry] = []
    /// The last one is the next to be redone.
    package private(set) var redoable: [Entry] = []
    /// How many contents are kept at most, those to be redone included. None are with 0 or less.
    package var levels: Int { didSet { trim() } }
    /// How many bytes of contents are kept at most.
    package var budget: Int { didSet { trim() } }

    private let size: @Sendable (Value) -> Int
    private let mayBeKept: @Sendable (Value) -> Bool
    /// The event of the last change, as long as others may join it.
    private var event: Int?

    /// - Parameters:
    ///   - budget: In bytes.
    ///   - size: How many bytes some contents are.
    ///   - mayBeKept: Whether some contents may be kept; not a secret, for one.
    package init(
        levels: Int, budget: Int, size: @escaping @Sendable (Value) -> Int,
        mayBeKept: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.levels = levels
        self.budget = budget
        self.size = size
        self.mayBeKept = mayBeKept
    }

    package var canUndo: Bool { !undoable.isEmpty }
    package var canRedo: Bool { !redoable.isEmpty }
    /// The name of the change that the next undo takes back.
    package var undoAction: String? { undoable.last?.action }
    /// The name of the change that the next redo makes again.
    package var redoAction: String? { redoable.last?.action }

    // MARK: Changes

    /// A change that is no undo and no redo: nothing is left to be redone.
    ///
    /// - Parameters:
    ///   - former: The contents that are replaced.
    ///   - action: The name of the change. That of a group is the last one given.
    ///   - event: Changes in a row that belong to one event are one group, undone at once. Nil belongs to none.
    package mutating func record(_ former: Value, action: String? = nil, event: Int? = nil) {
        redoable = []
        if event != nil, event == self.event {
            rename(action)
        } else {
            keep(former, undoing: action)
        }
        self.event = event
        trim()
    }

    /// The name of the last change came later than it.
    package mutating func nameLast(_ action: String) { rename(action) }

    /// Takes out what is gone.
    package mutating func removeAll(where isGone: (Value) -> Bool) {
        undoable.removeAll { isGone($0.value) }
        redoable.removeAll { isGone($0.value) }
    }

    /// As it was kept, the earliest first in what can be undone, the next one last in what can be redone.
    package mutating func restore(undo: [(value: Value, action: String?)], redo: [(value: Value, action: String?)]) {
        undoable = undo.compactMap { entry($0.value, action: $0.action) }
        redoable = redo.compactMap { entry($0.value, action: $0.action) }
        event = nil
        trim()
    }

    /// Takes the last group of changes back.
    ///
    /// - Parameter present: The contents that are replaced by it.
    /// - Returns: What the contents are to be; nil when there is nothing to undo.
    package mutating func undo(from present: Value) -> Value? {
        guard let last = undoable.popLast() else { return nil }
        if let entry = entry(present, action: last.action) { redoable.append(entry) }
        event = nil
        trim()
        return last.value
    }

    /// Makes the group of changes again that was taken back last.
    ///
    /// - Parameter present: The contents that are replaced by it.
    /// - Returns: What the contents are to be; nil when there is nothing to redo.
    package mutating func redo(from present: Value) -> Value? {
        guard let last = redoable.popLast() else { return nil }
        // The undo before it has ended the group.
        keep(present, undoing: last.action)
        trim()
        return last.value
    }

    package mutating func removeAll() {
        undoable = []
        redoable = []
        event = nil
    }

    // MARK: Keeping

    private mutating func keep(_ former: Value, undoing action: String?) {
        if let entry = entry(former, action: action) {
            undoable.append(entry)
        } else {
            // It is passed over: the undo that takes the change before it back takes this one back, too.
            rename(action)
        }
    }

    private mutating func rename(_ action: String?) {
        guard let action, let last = undoable.indices.last else { return }
        undoable[last].action = action
    }

    private func entry(_ value: Value, action: String?) -> Entry? {
        guard levels > 0, mayBeKept(value) else { return nil }
        let size = max(size(value), 0)
        return size <= budget ? Entry(value: value, action: action, size: size) : nil
    }

    /// Drops what is most changes away: of what can be undone the earliest, then of what can be redone the latest.
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

    /// In bytes, without an overflow.
    private var total: Int {
        (undoable + redoable).reduce(0) { sum, entry in
            let (total, isTooMuch) = sum.addingReportingOverflow(entry.size)
            return isTooMuch ? .max : total
        }
    }
}

extension UndoStack: Sendable where Value: Sendable {}
extension UndoStack.Entry: Sendable where Value: Sendable {}
