package import PasteboardModel

extension Store {
    /// Lines of the history, the latest first.
    package func history(_ query: HistoryQuery) throws(StoreFailure) -> [HistoryEntry] {
        let words = query.search.map(SearchWords.init)
        return try performing {
            mergeAllEqual()
            if words?.expression != nil { while try index(atMost: .max) {} }
            let (sql, values) = Self.statement(query, words)
            return try database.rows(sql, values, Self.line).compactMap(\.self)
        }
    }

    private static func statement(_ query: HistoryQuery, _ words: SearchWords?) -> (String, [SQLValue]) {
        var conditions = ["content.copies > 0"]
        var values: [SQLValue] = []
        func condition(_ sql: String, _ value: SQLValue) {
            values.append(value)
            conditions.append(sql + " ?\(values.count)")
        }
        // Of the entries that are equal, the last one.
        var newest = "newest.content = content.id AND newest.listed = 1"
        var ofPasteboard = "entry.listed = 1"
        if let name = query.pasteboard {
            values.append(.text(name.string))
            newest += " AND newest.pasteboard = ?\(values.count)"
            ofPasteboard += " AND entry.pasteboard = ?\(values.count)"
        }
        conditions.append("entry.id = (SELECT max(newest.id) FROM entry AS newest WHERE \(newest))")
        // The tables are joined in this order, each read backwards, so that a limit ends it early.
        let (tables, id): (String, String)
        if let expression = words?.expression {
            (tables, id) = (
                "search CROSS JOIN content ON content.id = search.rowid CROSS JOIN entry", "search.rowid"
            )
            condition("search MATCH", .text(expression))
        } else if query.pasteboard != nil {
            (tables, id) = ("entry CROSS JOIN content ON content.id = entry.content", "entry.content")
            conditions.append(ofPasteboard)
        } else {
            (tables, id) = ("content CROSS JOIN entry", "content.id")
        }
        if let before = query.before { condition("\(id) <", .integer(before)) }
        // The numbers are in the text, so that the partial indices can be used.
        if let pinned = query.pinned { conditions.append("content.pinned = \(pinned ? 1 : 0)") }
        for sign in words?.signs ?? [] {
            values.append(.text(sign))
            conditions.append(
                "EXISTS (SELECT 1 FROM words WHERE words.id = content.id AND instr(words.text, ?\(values.count)))")
        }
        if let limit = query.limit { values.append(.integer(max(limit, 0))) }
        return (
            """
            SELECT content.id, content.copies, content.pinned, content.types, content.items, content.length,
                content.preview, content.width, content.height, entry.id, entry.pasteboard, entry.count, entry.created,
                entry.action, entry.program
            FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(id) DESC\(query.limit == nil ? "" : " LIMIT ?\(values.count)")
            """, values
        )
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

    /// Deletes entries from the history, pinned ones too, and all that is equal to them. What is on a pasteboard stays
    /// there.
    ///
    /// - Returns: The number of lines of the history that are gone.
    /// - Throws: ``StoreFailure/noSuchEntry(_:)`` for one that is not in the history. Then none is deleted.
    package func delete(_ ids: [EntryID]) throws(StoreFailure) -> Int {
        try freeing { ledger in try ledger.choose(lines(of: ids)) }
    }

    /// Those of some entries that are equal to one of others.
    package func entries(_ some: [EntryID], equalTo others: [EntryID]) throws(StoreFailure) -> [EntryID] {
        try performing {
            mergeAllEqual()
            let contents = Set(try others.compactMap { try content(of: $0) })
            return try some.filter { try content(of: $0).map(contents.contains) ?? false }
        }
    }

    /// Whether there is an entry, in the history or not.
    package func contains(_ id: EntryID) throws(StoreFailure) -> Bool { try performing { try content(of: id) != nil } }

    private func content(of id: EntryID) throws -> Int? {
        try database.first("SELECT content FROM entry WHERE id = ?", [.integer(id.number)]) { $0.integer(0) }
    }

    /// Deletes the history, or what was on one pasteboard of it, but for what is pinned.
    ///
    /// - Returns: The number of lines that are gone.
    package func clearHistory(of pasteboard: PasteboardName?) throws(StoreFailure) -> Int {
        try freeing { ledger in
            if let pasteboard {
                try ledger.unlistEntries(of: pasteboard)
                try ledger.chooseLines(without: pasteboard)
            } else {
                try ledger.chooseAll()
            }
        }
    }

    /// Pins entries with all that is equal to them, or lets them go.
    ///
    /// - Throws: ``StoreFailure/noSuchEntry(_:)`` for one that is not in the history. Then none is changed.
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
        chores.limits = true
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

    /// Takes the chosen lines out of the history. That is possible on a full disk.
    private func freeing(_ choose: (Ledger) throws -> Void) throws(StoreFailure) -> Int {
        let count = try performing {
            try usingReserve {
                mergeAllEqual()
                let (count, unused) = try database.transaction {
                    let ledger = Ledger(database)
                    try choose(ledger)
                    let count = try ledger.unlistChosen()
                    return (count, try ledger.collect())
                }
                // Equal contents that came before are deleted with these.
                removeDoomed(atMost: 64)
                remove(unused)
                return count
            }
        }
        chores.indexing = true
        chores.merging = true
        chores.shrinking = true
        chores.logging = true
        chores.scrubbing = true
        return count
    }
}
