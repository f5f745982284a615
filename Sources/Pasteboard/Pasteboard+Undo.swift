/// Undo and redo.
extension Pasteboard {
    /// What ``undo(_:ifChangeCount:)`` and ``redo(_:ifChangeCount:)`` have done.
    public struct UndoResult: Hashable, Sendable {
        /// The change count, after one step for all.
        public let changeCount: Int
        /// How many changes were undone or made again: those that were asked for, or fewer where there are no more.
        public let steps: Int
        /// The name of the last of them, as `Copy from Firefox`, where it has one.
        public let actionName: String?
    }

    /// Goes back to earlier contents. That is a change like any other: it is announced, and X11 programs paste what is
    /// there by then.
    ///
    /// Changes in a row with the same ``PasteboardOptions/undoGroup`` are one. Secrets, and contents that were to go by
    /// themselves, are not come back to. A new copy makes what was undone unreachable for ``redo(_:ifChangeCount:)``.
    ///
    /// - Parameters:
    ///   - steps: How many changes are undone, at least 1; those there are where there are fewer.
    ///   - count: Only if this is the change count.
    /// - Returns: What was done; nil where there is nothing to undo.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` where the count is another,
    ///   ``PasteboardError/Code/invalidValue`` for fewer steps than 1, ``PasteboardError/Code/refused``,
    ///   ``PasteboardError/Code/uncertain``.
    ///
    /// Source: `UndoManager.undo()`.
    @discardableResult
    public func undo(_ steps: Int = 1, ifChangeCount count: Int? = nil) throws -> UndoResult? {
        try undoing(steps, ifChangeCount: count).run()
    }

    /// Goes to the contents again that ``undo(_:ifChangeCount:)`` left.
    ///
    /// - Parameters:
    ///   - steps: How many changes are made again, at least 1; those there are where there are fewer.
    ///   - count: Only if this is the change count.
    /// - Returns: What was done; nil where there is nothing to redo.
    /// - Throws: As ``undo(_:ifChangeCount:)``.
    ///
    /// Source: `UndoManager.redo()`.
    @discardableResult
    public func redo(_ steps: Int = 1, ifChangeCount count: Int? = nil) throws -> UndoResult? {
        try redoing(steps, ifChangeCount: count).run()
    }
}
