package import PasteboardModel

extension Store {
    /// Returns lines of the history, latest first.
    package func history(_ query: HistoryQuery) throws(StoreFailure) -> [HistoryEntry] {
        let words = query.search.map(SearchWords.init)
        return try performing {
            mergeAllEqual()
            if words?.expression != nil { try indexAll() }
            let (sql, values) = Self.statement(query, words)
            return try database.rows(sql, values, Self.line).compactMap(\.self)
        }
    }

    /// Adds all words to the search index. A full disk has no room for them, and the search finds those that are there.
    private func indexAll() throws {
        do {
            while try index(atMost: .max) {}
        } catch let error as DatabaseError where error.kind == .noRoom {
            return
        }
    }

    /// Returns entries, whether or not they are in the history, by their identifiers. Those that are gone are missing.
    package func entries(_ ids: Set<EntryID>) throws(StoreFailure) -> [EntryID: HistoryEntry] {
        try performing {
            var entries: [EntryID: HistoryEntry] = [:]
            for id in ids {
                entries[id] = try database.first(
                    "\(HistoryStatement.columns) FROM entry JOIN content ON content.id = entry.content WHERE entry.id = ?",
                    [.integer(id.number)], Self.line
                ).flatMap(\.self)
            }
            return entries
        }
    }

    /// Returns the statement for a query, with its values.
    ///
    /// SQLite has to read the driving table backwards and stop at the limit. So the tables are joined with CROSS JOIN,
    /// which fixes their order (see "The SQLite Query Optimizer Overview"), and the order of rows is that of the
    /// driving table.
    private static func statement(_ query: HistoryQuery, _ words: SearchWords?) -> (String, [SQLValue]) {
        var statement = HistoryStatement()
        statement.conditions.append("content.copies > 0")
        statement.addNewestEntry(on: query.pasteboard)
        statement.chooseTables(query, words)
        if let before = query.before { statement.addCondition("\(statement.id) <", .integer(before)) }
        if query.excludesLocalOnly { statement.conditions.append("entry.local = 0") }
        // A literal instead of a parameter, because SQLite can use a partial index only for a literal.
        if let pinned = query.pinned { statement.conditions.append("content.pinned = \(pinned ? 1 : 0)") }
        for sign in words?.signs ?? [] {
            let parameter = statement.addValue(.text(sign))
            statement.conditions.append(
                "EXISTS (SELECT 1 FROM words WHERE words.id = content.id AND instr(words.text, \(parameter)))")
        }
        let limit = query.limit.map { " LIMIT " + statement.addValue(.integer(max($0, 0))) }
        return (statement.sql + (limit ?? ""), statement.values)
    }

    private static func line(_ row: Row) -> HistoryEntry? {
        guard let name = try? PasteboardName(validating: row.text(10)) else { return nil }
        return HistoryEntry(
            id: EntryID(row.integer(9)), position: row.integer(0), pasteboard: name, count: row.integer(11),
            copies: row.integer(1), created: row.integer(12),
            types: row.text(3).split(separator: "\n").map(String.init), items: row.integer(4), length: row.integer(5),
            preview: row.optionalText(6), width: row.optionalInteger(7), height: row.optionalInteger(8),
            action: row.optionalText(13), program: row.optionalText(14), isPinned: row.flag(2))
    }

    // MARK: Changes

    /// Deletes entries from the history, pinned ones too, with all entries equal to them. Contents that a pasteboard
    /// has stay on it.
    ///
    /// - Returns: The number of deleted lines.
    /// - Throws: ``StoreFailure/noSuchEntry(_:)`` for an entry that is not in the history. None is deleted then.
    package func delete(_ ids: [EntryID]) throws(StoreFailure) -> Int {
        try deleteLines { tables in try tables.choose(lines(of: ids)) }
    }

    /// Returns those of the first entries that are equal to any of the others.
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
    /// - Throws: ``StoreFailure/noSuchEntry(_:)`` for an entry that is not in the history. None is changed then.
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
                // Earlier blobs with equal contents may be pending, and have to go with these.
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

/// The statement of a history query while it is being built.
private struct HistoryStatement {
    var conditions: [String] = []
    private(set) var values: [SQLValue] = []
    private var tables = "content CROSS JOIN entry"
    /// The column of the driving table that gives the order.
    private(set) var id = "content.id"

    /// Adds a value. Returns its parameter.
    mutating func addValue(_ value: SQLValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    mutating func addCondition(_ sql: String, _ value: SQLValue) {
        let parameter = addValue(value)
        conditions.append("\(sql) \(parameter)")
    }

    /// Selects the latest of the entries with equal contents, on one pasteboard or on any.
    mutating func addNewestEntry(on pasteboard: PasteboardName?) {
        var newest = "newest.content = content.id AND newest.listed = 1"
        if let pasteboard { newest += " AND newest.pasteboard = \(addValue(.text(pasteboard.string)))" }
        conditions.append("entry.id = (SELECT max(newest.id) FROM entry AS newest WHERE \(newest))")
    }

    /// Chooses the driving table: the search index, the entries of a pasteboard, or all contents.
    mutating func chooseTables(_ query: HistoryQuery, _ words: SearchWords?) {
        if let expression = words?.expression {
            tables = "search CROSS JOIN content ON content.id = search.rowid CROSS JOIN entry"
            id = "search.rowid"
            addCondition("search MATCH", .text(expression))
        } else if let pasteboard = query.pasteboard {
            tables = "entry CROSS JOIN content ON content.id = entry.content"
            id = "entry.content"
            addCondition("entry.listed = 1 AND entry.pasteboard =", .text(pasteboard.string))
        }
    }

    /// The beginning of a statement, with the columns of a line.
    static let columns = """
        SELECT content.id, content.copies, content.pinned, content.types, content.items, content.length,
            content.preview, content.width, content.height, entry.id, entry.pasteboard, entry.count, entry.created,
            entry.action, entry.program
        """

    var sql: String {
        """
        \(Self.columns) FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
        ORDER BY \(id) DESC
        """
    }
}

package struct HistoryQuery: Equatable, Sendable {
    /// The pasteboard whose contents are selected; nil for all pasteboards.
    package var pasteboard: PasteboardName?
    /// The words that contents must match to be selected. A word matches if it is the beginning of a word of the text,
    /// the types or the program, without regard to case and accents. A word without letters and digits has to occur in
    /// the text literally.
    package var search: String?
    package var pinned: Bool?
    /// True to leave out contents that are for their own machine only.
    package var excludesLocalOnly = false
    package var limit: Int?
    /// The ``HistoryEntry/position`` of the line after which older lines are selected.
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

/// A line of the history. It stands for all entries with equal contents, and shows the latest.
package struct HistoryEntry: Equatable, Sendable {
    package let id: EntryID
    /// The position of the line among the others. Later lines have higher positions.
    package let position: Int
    package let pasteboard: PasteboardName
    /// The pasteboard's change count when the contents came.
    package let count: Int
    /// The number of times that the contents were copied, on all pasteboards.
    package let copies: Int
    /// The time when they came, in milliseconds of the Unix epoch.
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
}
