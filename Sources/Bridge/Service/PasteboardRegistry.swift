import PasteboardModel

/// All pasteboards as the service works on them: the model's value, and a handle for each.
final class PasteboardRegistry {
    typealias Value = Pasteboards<PasteboardState.Version, ObjectIdentifier>

    var value: Value
    private var boards: [PasteboardName: PasteboardState] = [:]
    private let newUndoStack: () -> UndoStack<RestorableContents>

    /// - Parameters:
    ///   - time: In milliseconds of the Unix epoch.
    ///   - undo: Makes what is undone and redone of one.
    init(at time: Int, undo: @escaping () -> UndoStack<RestorableContents>) {
        value = Value(at: time)
        newUndoStack = undo
        for entry in value.unordered { boards[entry.name] = newBoard(entry) }
    }

    private func newBoard(_ entry: Value.Entry) -> PasteboardState { PasteboardState(entry, in: self, undo: newUndoStack()) }

    /// The handle of the pasteboard of that name; nil where there is none.
    subscript(name: PasteboardName) -> PasteboardState? {
        if let board = boards[name] { return board }
        guard let entry = value[name] else { return nil }
        let board = newBoard(entry)
        boards[name] = board
        return board
    }

    /// The system's first, each group by name.
    var all: [PasteboardState] { value.entries.compactMap { self[$0.name] } }

    /// A pasteboard is gone; its handle keeps what it was at the end.
    ///
    /// - Returns: The handle, which says so from now on.
    func took(_ removal: Value.Removal) -> PasteboardState? {
        let board = boards.removeValue(forKey: removal.step.name)
        board?.end(removal)
        return board
    }
}
