import PasteboardWire

extension Pasteboard {
    /// The state of a pasteboard's undo, as an edit menu shows it.
    ///
    /// Source: `UndoManager.canUndo`, `canRedo`, `undoActionName`, `redoActionName`.
    public struct UndoState: Hashable, Sendable {
        /// The number of changes that ``Pasteboard/undo(_:ifChangeCount:)`` can undo.
        public let undoCount: Int
        /// The number of changes that ``Pasteboard/redo(_:ifChangeCount:)`` can redo.
        public let redoCount: Int
        /// The name of the change that the next undo reverts, such as `Copy from Firefox`; nil if there is no such
        /// change, or if the change has no name.
        public let undoActionName: String?
        /// The name of the change that the next redo repeats; nil if there is no such change, or if the change has no
        /// name.
        public let redoActionName: String?

        /// True if there is a change to undo.
        public var canUndo: Bool { undoCount > 0 }
        /// True if there is a change to redo.
        public var canRedo: Bool { redoCount > 0 }

        init(_ state: WireUndoState) {
            undoCount = state.undoable
            redoCount = state.redoable
            undoActionName = state.undoAction
            redoActionName = state.redoAction
        }

        /// The state of a pasteboard that was removed.
        static let none = UndoState(WireUndoState(undoable: 0, redoable: 0))
    }

    /// The state of undo. The system's pasteboards have undo, and so do an app's own pasteboards if ``isPersistent`` is
    /// true.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchPasteboard``.
    public var undoState: UndoState {
        get throws { try currentUndoState.run() }
    }

    var currentUndoState: Operation<UndoState> {
        Operation(Methods.GetUndoState.self) { [name] _ in
            .init(pasteboard: name)
        } value: { reply, _ in
            UndoState(reply.undo)
        }
    }
}

extension AsyncPasteboard {
    /// See ``Pasteboard/undoState``.
    public var undoState: Pasteboard.UndoState {
        get async throws { try await board.currentUndoState.run() }
    }
}
