package import PasteboardModel

extension Store {
    /// Returns lines of the history, latest first, and the place at which to continue. This takes a few milliseconds,
    /// so there may be more lines than these on a slow machine, even within the limit.
    package func history(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        try performing(keepingSearch: true) {
            mergeAllEqual()
            // The statements of one search end before another search begins.
            if pausedSearch?.continues(with: query) != true { pausedSearch = nil }
            let search = try pausedSearch ?? HistorySearch(query, in: database)
            pausedSearch = nil
            let page = try search.page(by: searchClock)
            if page.next != nil { pausedSearch = search }
            return page
        }
    }

    /// Returns entries by their identifiers, whether or not they are in the history. Entries that are gone are missing.
    package func entries(_ ids: Set<EntryID>) throws(StoreFailure) -> [EntryID: HistoryEntry] {
        try performing {
            var entries: [EntryID: HistoryEntry] = [:]
            for id in ids {
                entries[id] = try database.first(
                    "\(LineStatement.columns) FROM entry JOIN content ON content.id = entry.content WHERE entry.id = ?",
                    [.integer(id.number)], Self.line
                ).flatMap(\.self)
            }
            return entries
        }
    }

    static func line(_ row: Row) -> HistoryEntry? {
        guard let name = try? PasteboardName(validating: row.text(10)) else { return nil }
        return HistoryEntry(
            id: EntryID(row.integer(9)), position: row.integer(0), pasteboard: name, count: row.integer(11),
            copies: row.integer(1), created: row.integer(12),
            types: row.text(3).split(separator: "\n").map(String.init), items: row.integer(4), length: row.integer(5),
            preview: row.optionalText(6), width: row.optionalInteger(7), height: row.optionalInteger(8),
            action: row.optionalText(13), program: row.optionalText(14), isPinned: row.flag(2))
    }

    // MARK: Changes

    /// Deletes entries from the history, even pinned entries, with all entries equal to them. Contents that a
    /// pasteboard has stay there.
    ///
    /// - Returns: The number of deleted lines.
    /// - Throws: ``StoreFailure/noSuchEntry(_:)`` for an entry that is not in the history. Then no entry is deleted.
    package func delete(_ ids: [EntryID]) throws(StoreFailure) -> Int {
        try deleteLines { tables in try tables.choose(lines(of: ids)) }
    }

    /// Returns the entries in `some` that are equal to any entry in `others`.
    package func entries(_ some: [EntryID], equalTo others: [EntryID]) throws(StoreFailure) -> [EntryID] {
        try performing {
            mergeAllEqual()
            let contents = Set(try others.compactMap { try content(of: $0) })
            return try some.filter { try content(of: $0).map(contents.contains) ?? false }
        }
    }

    /// Returns true if the entry exists, in the history or not.
    package func contains(_ id: EntryID) throws(StoreFailure) -> Bool { try performing { try content(of: id) != nil } }

    private func content(of id: EntryID) throws -> Int? {
        try database.first("SELECT content FROM entry WHERE id = ?", [.integer(id.number)]) { $0.integer(0) }
    }

    /// Deletes the history, or the part of it that was on one pasteboard, except for pinned lines.
    ///
    /// - Returns: The number of deleted lines.
    package func clearHistory(of pasteboard: PasteboardName?) throws(StoreFailure) -> Int {
        try deleteLines { tables in
            if let pasteboard {
                try tables.unlistEntries(of: pasteboard)
                try tables.keepListedLines()
            } else {
                try tables.chooseAll()
            }
        }
    }

    /// Pins or unpins entries, with all entries equal to them.
    ///
    /// - Throws: ``StoreFailure/noSuchEntry(_:)`` for an entry that is not in the history. Then no entry is changed.
    package func pin(_ ids: [EntryID], _ isPinned: Bool) throws(StoreFailure) {
        try performing {
            mergeAllEqual()
            try database.transaction {
                for line in try lines(of: ids) {
                    try database.run(
                        "UPDATE content SET pinned = ? WHERE id = ?", [SQLValue(isPinned), .integer(line)])
                }
            }
        }
        maintenance.limits = true
    }

    private func lines(of ids: [EntryID]) throws -> [Int] {
        try ids.map { id in
            let line = try database.first(
                """
                SELECT content.id FROM entry JOIN content ON content.id = entry.content
                WHERE entry.id = ? AND content.copies > 0
                """, [.integer(id.number)]
            ) { $0.integer(0) }
            guard let line else { throw StoreFailure.noSuchEntry(id) }
            return line
        }
    }

    /// Deletes the lines that `choose` chooses. This works on a full disk, with the reserve.
    private func deleteLines(_ choose: (EntryTables) throws -> Void) throws(StoreFailure) -> Int {
        let count = try performing {
            try usingReserve {
                mergeAllEqual()
                let (count, unused) = try database.transaction {
                    let tables = EntryTables(database)
                    try choose(tables)
                    let count = try tables.unlistChosen()
                    return (count, try tables.collect())
                }
                remove(unused)
                // Earlier blobs with equal contents may be pending, and have to be deleted too.
                deletePending(atMost: .max)
                return count
            }
        }
        maintenance.indexing = true
        maintenance.merging = true
        maintenance.shrinking = true
        maintenance.logging = true
        maintenance.scrubbing = true
        return count
    }
}

/// A line of the history, which stands for all entries with equal contents, and shows the latest.
package struct HistoryEntry: Equatable, Sendable {
    package let id: EntryID
    /// The position of the line among all lines. Later lines have higher positions.
    package let position: Int
    package let pasteboard: PasteboardName
    /// The pasteboard's change count when the contents came.
    package let count: Int
    /// The number of times that the contents were copied, on all pasteboards.
    package let copies: Int
    /// The time when the contents came, in milliseconds since the Unix epoch.
    package let created: Int
    /// The identifiers of the types, richest first.
    package let types: [String]
    /// The number of items.
    package let items: Int
    /// The sum of the lengths of the representations, in bytes.
    package let length: Int
    /// The beginning of the text, up to 2 KiB.
    package let preview: String?
    /// The size of an image, in pixels.
    package let width: Int?
    package let height: Int?
    package let action: String?
    package let program: String?
    package let isPinned: Bool
    /// The part of the text with the words of a search, if ``preview`` does not have any.
    package internal(set) var excerpt: String?
    /// The places of the words of a search in ``excerpt`` or otherwise in ``preview``, in bytes of UTF-8.
    package internal(set) var matches: [Range<Int>] = []
}
