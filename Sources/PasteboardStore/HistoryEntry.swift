package import PasteboardModel

/// Which lines of the history are asked for.
package struct HistoryQuery: Equatable, Sendable {
    /// Contents that were on this pasteboard.
    package var pasteboard: PasteboardName?
    /// Contents whose text, types or program have words that begin with each of these words, without regard to case and
    /// accents. What has neither letters nor digits is looked for in the text as it stands.
    package var search: String?
    package var pinned: Bool?
    /// So many at most.
    package var limit: Int?
    /// Those behind this one; a ``HistoryEntry/position``.
    package var before: Int?

    package init(
        pasteboard: PasteboardName? = nil, search: String? = nil, pinned: Bool? = nil, limit: Int? = nil,
        before: Int? = nil
    ) {
        self.pasteboard = pasteboard
        self.search = search
        self.pinned = pinned
        self.limit = limit
        self.before = before
    }
}

/// A line of the history: contents that are equal, as they came last.
package struct HistoryEntry: Equatable, Sendable {
    package let id: EntryID
    /// Where the line is among the others: the latest are the highest.
    package let position: Int
    package let pasteboard: PasteboardName
    /// The pasteboard's count when they came.
    package let count: Int
    /// How often they came, on all pasteboards.
    package let copies: Int
    /// In milliseconds of the Unix epoch.
    package let created: Int
    /// The identifiers of the types, the richest first.
    package let types: [String]
    /// The number of items.
    package let items: Int
    /// Of the representations, in bytes.
    package let length: Int
    /// The beginning of the text, at most 2 KiB.
    package let preview: String?
    /// Of an image, in pixels.
    package let width: Int?
    package let height: Int?
    package let action: String?
    package let program: String?
    package let isPinned: Bool
}
