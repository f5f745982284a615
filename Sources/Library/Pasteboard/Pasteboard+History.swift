public import FoundationEssentials
import PasteboardWire

extension Pasteboard {
    /// The result of ``undo(_:ifChangeCount:)`` and ``redo(_:ifChangeCount:)``.
    public struct UndoResult: Hashable, Sendable {
        /// The new change count, which counts all steps as one change.
        public let changeCount: Int
        /// The number of changes that were undone or redone: the requested number, or fewer if there were not enough.
        public let steps: Int
        /// The name of the last of these changes, such as `Copy from Firefox`, if the change has a name.
        public let actionName: String?
    }

    /// Restores earlier contents.
    ///
    /// This is a change like any other: watchers receive it, and X11 programs paste the restored contents. Consecutive
    /// changes with the same ``PasteboardOptions/undoGroup`` count as one. Secrets and contents with an expiry are
    /// skipped. After the next copy, ``redo(_:ifChangeCount:)`` can no longer restore the undone changes.
    ///
    /// - Parameters:
    ///   - steps: The number of changes to undo, at least 1. If there are fewer changes, all are undone.
    ///   - count: The expected change count; nil to undo in any case.
    /// - Returns: The result; nil if there is nothing to undo.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` if the change count differs,
    ///   ``PasteboardError/Code/invalidValue`` for fewer than 1 step, ``PasteboardError/Code/refused``,
    ///   ``PasteboardError/Code/uncertain``.
    ///
    /// Source: `UndoManager.undo()`.
    @discardableResult
    public func undo(_ steps: Int = 1, ifChangeCount count: Int? = nil) throws -> UndoResult? {
        try undoing(steps, ifChangeCount: count).run()
    }

    /// Restores the contents that ``undo(_:ifChangeCount:)`` replaced.
    ///
    /// - Parameters:
    ///   - steps: The number of changes to redo, at least 1. If there are fewer changes, all are redone.
    ///   - count: The expected change count; nil to redo in any case.
    /// - Returns: The result; nil if there is nothing to redo.
    /// - Throws: ``PasteboardError``, as ``undo(_:ifChangeCount:)`` does.
    ///
    /// Source: `UndoManager.redo()`.
    @discardableResult
    public func redo(_ steps: Int = 1, ifChangeCount count: Int? = nil) throws -> UndoResult? {
        try redoing(steps, ifChangeCount: count).run()
    }
}

/// The history: earlier contents, which can be searched and are kept longer than the contents for undo. Secrets never
/// enter the history.
extension Pasteboard {
    /// Returns this pasteboard's history, latest entry first. Equal contents share one entry.
    ///
    /// - Parameters:
    ///   - search: The words and filters of a search; nil for all entries. An entry matches if its text, its types or
    ///     its program's name contain each of the words, anywhere and in any order. Case and accents make no
    ///     difference, unless a word has a capital letter or an accent. A phrase is written in double quotes. The
    ///     filters are those of `xpb history search`: `type:`, `program:`, `before:`, `after:` and `pinned:`.
    ///   - pinnedOnly: True for pinned entries only.
    ///   - limit: The maximum number of entries, at least 1; nil for all.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidValue`` for a limit below 1,
    ///   ``PasteboardError/Code/refused`` for a filter with an invalid value.
    public func history(
        matching search: String? = nil, pinnedOnly: Bool = false, limit: Int? = nil
    ) throws -> [PasteboardHistoryEntry] {
        try historyPage(matching: search, pinnedOnly: pinnedOnly, limit: limit).entries
    }

    /// Returns a page of this pasteboard's history, latest entry first.
    ///
    /// - Parameters:
    ///   - search: The words and filters of a search, as in ``history(matching:pinnedOnly:limit:)``; nil for all
    ///     entries.
    ///   - pinnedOnly: True for pinned entries only.
    ///   - cursor: The ``PasteboardHistoryPage/next`` of the previous page; nil for the first page. Entries added after
    ///     the first page was read appear on none of the later pages.
    ///   - limit: The maximum number of entries, at least 1; nil for all.
    /// - Throws: ``PasteboardError``, as ``history(matching:pinnedOnly:limit:)`` does.
    public func historyPage(
        matching search: String? = nil, pinnedOnly: Bool = false, after cursor: PasteboardHistoryPage.Cursor? = nil,
        limit: Int? = nil
    ) throws -> PasteboardHistoryPage {
        try Pasteboard.history(of: name, matching: search, pinnedOnly: pinnedOnly, after: cursor, limit: limit).run()
    }

    /// Returns all items of an entry of the history, in all representations. The pasteboard is not changed.
    ///
    /// - Parameter entry: The ``PasteboardHistoryEntry/id`` of an entry of any pasteboard.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``.
    public func items(ofHistoryEntry entry: PasteboardHistoryEntry.ID) throws -> [PasteboardItem] {
        try wholeItems(ofEntry: entry).run()
    }

    /// Returns the bytes of a representation of a history entry's first item, as ``data(forType:)`` does for the
    /// pasteboard; nil if the item has no such representation. The pasteboard is not changed.
    ///
    /// - Parameters:
    ///   - type: A TYPE.
    ///   - entry: The ``PasteboardHistoryEntry/id`` of an entry of any pasteboard.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``.
    public func data(
        forType type: some PasteboardTypeName, ofHistoryEntry entry: PasteboardHistoryEntry.ID
    ) throws -> Data? {
        try representation(ofTypes: [type.typeName], entry: entry).map { $0?.data }.run()
    }

    /// Replaces the contents with an entry of the history. This is a change like any other and can be undone.
    ///
    /// - Parameters:
    ///   - entry: The ``PasteboardHistoryEntry/id`` of an entry of any pasteboard.
    ///   - count: The expected change count; nil to restore in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``,
    ///   ``PasteboardError/Code/countMismatch`` if the change count differs, ``PasteboardError/Code/refused``,
    ///   ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func restore(_ entry: PasteboardHistoryEntry.ID, ifChangeCount count: Int? = nil) throws -> Int {
        try restoring(entry, ifChangeCount: count).run()
    }

    /// Deletes the entries of this pasteboard's history that are not pinned, and the earlier contents that undo keeps.
    ///
    /// - Returns: The number of deleted entries.
    /// - Throws: ``PasteboardError``.
    @discardableResult
    public func clearHistory() throws -> Int {
        try clearingHistory.run()
    }

    /// Deletes entries of the history of any pasteboard, including pinned entries.
    ///
    /// - Parameter entries: The ``PasteboardHistoryEntry/id`` of each entry. If any of the entries does not exist,
    ///   nothing is deleted.
    /// - Returns: The number of deleted entries.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``.
    @discardableResult
    public static func deleteHistory(_ entries: [PasteboardHistoryEntry.ID]) throws -> Int {
        try deleting(entries).run()
    }

    /// Pins entries of the history, which are then exempt from its limits, or unpins them.
    ///
    /// - Parameters:
    ///   - entries: The ``PasteboardHistoryEntry/id`` of each entry.
    ///   - isPinned: True to pin, false to unpin.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchEntry``.
    public static func pinHistory(_ entries: [PasteboardHistoryEntry.ID], _ isPinned: Bool = true) throws {
        try pinning(entries, isPinned).run()
    }

    /// True while the history of all pasteboards is paused: see ``pauseHistory(_:)``.
    ///
    /// - Throws: ``PasteboardError``.
    public static var isHistoryPaused: Bool {
        get throws { try historyIsPaused.run() }
    }

    /// Pauses or resumes the history of all pasteboards.
    ///
    /// While the history is paused, new contents do not enter it; undo is not affected. The setting outlives this
    /// program and the bridge.
    ///
    /// - Parameter isPaused: True to pause, false to resume.
    /// - Throws: ``PasteboardError``.
    public static func pauseHistory(_ isPaused: Bool = true) throws {
        try pausingHistory(isPaused).run()
    }
}

/// A page of the history.
public struct PasteboardHistoryPage: Hashable, Sendable {
    /// The place at which a page ends.
    public struct Cursor: Hashable, Sendable {
        let value: Int
    }

    /// The entries, latest first.
    public let entries: [PasteboardHistoryEntry]
    /// The cursor for requesting the next page, which may be empty; nil if this is the last page.
    public let next: Cursor?
}

/// An entry of the history: earlier contents of a pasteboard.
///
/// Source: `xpb history`. Neither UIPasteboard nor NSPasteboard has a history.
public struct PasteboardHistoryEntry: Hashable, Sendable, Identifiable {
    /// The number of the entry. No other entry ever gets it.
    public let id: Int
    /// The name of the pasteboard that had the contents.
    public let pasteboard: String
    /// The pasteboard's change count when the contents were written.
    public let changeCount: Int
    /// The number of times the contents were copied. Equal contents share one entry.
    public let copies: Int
    /// The time of the last copy of the contents.
    public let date: Date
    /// The identifier of the first type, which is the richest.
    public let type: String
    /// The identifiers of all types, each once.
    public let types: [String]
    /// The number of items.
    public let numberOfItems: Int
    /// The length of all representations together, in bytes.
    public let length: Int
    /// The beginning of the text, if there is any; for files, their paths, one per line.
    public let preview: String?
    /// The width of the first image, in pixels, if it is known.
    public let pixelWidth: Int?
    /// The height of the first image, in pixels, if it is known.
    public let pixelHeight: Int?
    /// The name of the change that wrote the contents, such as `Copy from Firefox`.
    public let actionName: String?
    /// The name of the program that the contents came from, if it is known.
    public let program: String?
    /// True if the entry is exempt from the limits of the history.
    public let isPinned: Bool
    /// The part of the text with the words of a search, if ``preview`` contains none of these words.
    public let excerpt: String?
    /// The places of the words of a search in ``excerpt``, or in ``preview`` if there is no excerpt, as offsets in the
    /// string's UTF-8 view.
    public let matches: [Range<Int>]

    init(_ entry: WireHistoryEntry) {
        id = entry.id
        pasteboard = entry.pasteboard
        changeCount = entry.count
        copies = entry.copies
        date = Date(timeIntervalSince1970: Double(entry.created) / 1_000)
        type = entry.type
        types = entry.types
        numberOfItems = entry.items
        length = entry.length
        preview = entry.preview
        pixelWidth = entry.width
        pixelHeight = entry.height
        actionName = entry.action
        program = entry.program
        isPinned = entry.pinned
        excerpt = entry.excerpt
        matches = entry.matchRanges
    }
}
