/// Undo, redo and the history.
extension AsyncPasteboard {
    /// See ``Pasteboard/undo(_:ifChangeCount:)``.
    @discardableResult
    public func undo(_ steps: Int = 1, ifChangeCount count: Int? = nil) async throws -> Pasteboard.UndoResult? {
        try await board.undoing(steps, ifChangeCount: count).run()
    }

    /// See ``Pasteboard/redo(_:ifChangeCount:)``.
    @discardableResult
    public func redo(_ steps: Int = 1, ifChangeCount count: Int? = nil) async throws -> Pasteboard.UndoResult? {
        try await board.redoing(steps, ifChangeCount: count).run()
    }

    /// See ``Pasteboard/history(matching:pinnedOnly:limit:)``.
    public func history(
        matching words: String? = nil, pinnedOnly: Bool = false, limit: Int? = nil
    ) async throws -> [PasteboardHistoryEntry] {
        try await Pasteboard.history(of: name, matching: words, pinnedOnly: pinnedOnly, limit: limit).run()
    }

    /// See ``Pasteboard/items(ofHistoryEntry:)``.
    public func items(ofHistoryEntry entry: PasteboardHistoryEntry.ID) async throws -> [PasteboardItem] {
        try await board.wholeItems(ofEntry: entry).run()
    }

    /// See ``Pasteboard/restore(_:ifChangeCount:)``.
    @discardableResult
    public func restore(
        _ entry: PasteboardHistoryEntry.ID, ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.restoring(entry, ifChangeCount: count).run()
    }

    /// See ``Pasteboard/clearHistory()``.
    @discardableResult
    public func clearHistory() async throws -> Int {
        try await board.clearingHistory.run()
    }

    /// See ``Pasteboard/deleteHistory(_:)``.
    @discardableResult
    public static func deleteHistory(_ entries: [PasteboardHistoryEntry.ID]) async throws -> Int {
        try await Pasteboard.deleting(entries).run()
    }

    /// See ``Pasteboard/pinHistory(_:_:)``.
    public static func pinHistory(_ entries: [PasteboardHistoryEntry.ID], _ isPinned: Bool = true) async throws {
        try await Pasteboard.pinning(entries, isPinned).run()
    }

    /// See ``Pasteboard/pauseHistory(_:)``.
    public static func pauseHistory(_ isPaused: Bool = true) async throws {
        try await Pasteboard.pausingHistory(isPaused).run()
    }
}
