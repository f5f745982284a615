#if !canImport(Darwin)

/// A call that ``UndoManager`` refused, or an action that failed.
///
/// Apple's `UndoManager` raises an exception for a misuse, which ends the program and loses unsaved work. This undo
/// manager refuses the call, changes nothing, and sends the error to the observers as
/// ``UndoManager/Notice/failed(_:)``. The documentation of each code names exceptions to that rule.
public struct UndoError: Error, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// An undo, a redo or a clean mark was refused, because the program must first end its open groups.
        case groupOpen
        /// A group was ended, or an action registered, while no group was open. The action becomes a group of its own.
        case noGroupOpen
        /// The call came from within an undo, a redo, or a notice about the end of the same group.
        case busy
        /// ``UndoManager/enableUndoRegistration()`` was called more often than
        /// ``UndoManager/disableUndoRegistration()``.
        case registrationEnabled
        /// Handlers of an undo or redo began groups and did not end them. The undo manager has ended these groups.
        case groupNotEnded
        /// A handler threw an error, which is in ``UndoError/underlying``. The failed action and the actions not yet
        /// performed remain on their stack; the actions already performed can be reverted.
        case handlerFailed
        /// One group exceeds ``UndoManager/undoBudget`` or ``UndoManager/maxActionsPerGroup``. The group is not
        /// recorded, and its stack is empty.
        case groupTooLarge
    }

    /// The kind of the error.
    public let code: Code
    /// A sentence about the cause.
    public let message: String
    /// The error that a handler threw, for ``Code/handlerFailed``.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message, with that of the underlying error.
    public var description: String { underlying.map { "\(message): \($0)" } ?? message }
}

#endif
