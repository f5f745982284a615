/// The history: earlier contents, kept longer than undo reaches, and searchable. Secrets are never in it.
extension Pasteboard {
    /// This pasteboard's history, the latest first. Equal contents are one entry.
    ///
    /// - Parameters:
    ///   - words: Only entries whose text, types or program have words that begin with each of these; nil for all.
    ///   - pinnedOnly: Only those that are pinned.
    ///   - limit: So many at most, at least 1; nil for all.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for a limit below 1.
    public func history(
        matching words: String? = nil, pinnedOnly: Bool = false, limit: Int? = nil
    ) throws -> [PasteboardHistoryEntry] {
        try Pasteboard.history(of: name, matching: words, pinnedOnly: pinnedOnly, limit: limit).run()
    }

    /// All items of an entry of the history in all forms. The pasteboard stays as it is.
    ///
    /// - Parameter entry: An entry of any pasteboard, by its ``PasteboardHistoryEntry/id``.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``.
    public func items(ofHistoryEntry entry: PasteboardHistoryEntry.ID) throws -> [PasteboardItem] {
        try wholeItems(ofEntry: entry).run()
    }

    /// Makes an entry of the history the contents of this pasteboard: a change like any other, which can be undone.
    ///
    /// - Parameters:
    ///   - entry: An entry of any pasteboard, by its ``PasteboardHistoryEntry/id``.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``,
    ///   ``PasteboardError/Code/countMismatch`` where the count is another, ``PasteboardError/Code/refused``,
    ///   ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func restore(_ entry: PasteboardHistoryEntry.ID, ifChangeCount count: Int? = nil) throws -> Int {
        try restoring(entry, ifChangeCount: count).run()
    }

    /// Deletes this pasteboard's history but for what is pinned, and what undo could go back to with it.
    ///
    /// - Returns: How many entries are gone.
    /// - Throws: ``PasteboardError``.
    @discardableResult
    public func clearHistory() throws -> Int {
        try clearingHistory.run()
    }

    /// Deletes entries of the history, whichever pasteboard they are of, pinned ones too.
    ///
    /// - Parameter entries: By their ``PasteboardHistoryEntry/id``. Where one is not there, none is deleted.
    /// - Returns: How many entries are gone.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``.
    @discardableResult
    public static func deleteHistory(_ entries: [PasteboardHistoryEntry.ID]) throws -> Int {
        try deleting(entries).run()
    }

    /// Pins entries of the history, which then stay whatever its limits are, or unpins them.
    ///
    /// - Parameters:
    ///   - entries: By their ``PasteboardHistoryEntry/id``.
    ///   - isPinned: Whether they are pinned from now on.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``.
    public static func pinHistory(_ entries: [PasteboardHistoryEntry.ID], _ isPinned: Bool = true) throws {
        try pinning(entries, isPinned).run()
    }

    /// Says whether new contents become entries of the history, of all pasteboards. It stays so, past the end of this
    /// program and of the bridge, until somebody says otherwise. Undo goes on.
    ///
    /// - Parameter isPaused: Whether they become none.
    /// - Throws: ``PasteboardError``.
    public static func pauseHistory(_ isPaused: Bool = true) throws {
        try pausingHistory(isPaused).run()
    }
}
