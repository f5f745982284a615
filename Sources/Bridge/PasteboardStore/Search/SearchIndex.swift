/// Maintenance of the search index, which is a contentless table of FTS5 (see "SQLite FTS5 Extension", 4.4), and of the
/// pages that it frees.
extension Store {
    /// The cost of an entry in addition to its text, in characters.
    private static let entryCost = 1_000
    /// The types as ``SearchTokenizer`` expects them.
    private static let markedTypes = "char(31) || types"

    /// The condition that contents are in the index.
    static let isIndexed = "content.indexed = 1 AND content.id >= (SELECT index_start FROM state)"

    /// Adds the words of some contents to the index, latest first, and removes the words of stale contents.
    ///
    /// - Parameter limit: The approximate limit on the length of the text, in characters.
    /// - Returns: false if the index is up to date.
    func index(atMost limit: Int) throws -> Bool {
        guard maintenance.indexing else { return false }
        let stale = try database.rows(
            "SELECT stale.id, length(words.text) FROM stale JOIN words ON words.id = stale.id LIMIT 64"
        ) { (id: $0.integer(0), length: $0.integer(1)) }
        let start = try database.first("SELECT index_start FROM state") { $0.integer(0) } ?? 0
        var new = try unindexed("content.indexed = 0 AND content.id >= ?", start)
        let areOld = new.isEmpty
        if areOld { new = try unindexed("content.id < ?", start) }
        guard !stale.isEmpty || !new.isEmpty else {
            maintenance.indexing = false
            try mergeIfUseful()
            return false
        }
        var room = limit
        func haveRoom(_ contents: [(id: Int, length: Int)]) -> [Int] {
            contents.prefix { content in
                defer { room -= content.length + Self.entryCost }
                return room > 0
            }.map(\.id)
        }
        let count = try database.transaction {
            for id in haveRoom(stale) { try removeFromIndex(id) }
            // FTS5 begins a new segment for a row that does not follow the previous row.
            let added = haveRoom(new).sorted()
            for id in added {
                try addTypes(of: id)
                try database.run(
                    """
                    INSERT INTO search (rowid, text, types, program)
                    SELECT id, text, \(Self.markedTypes), program FROM words WHERE id = ?
                    """, [.integer(id)])
                try database.run("UPDATE content SET indexed = 1 WHERE id = ?", [.integer(id)])
            }
            if areOld, let lowest = added.first {
                try database.run("UPDATE state SET index_start = ?", [.integer(lowest)])
            }
            return added.count
        }
        maintenance.added += count
        return true
    }

    /// Starts a merge of the index if a large part of it is new. FTS5 adds contents in parts, up to four of a size, and
    /// a search looks for each gram in each part.
    private func mergeIfUseful() throws {
        let listed = try database.first("SELECT listed FROM total") { $0.integer(0) } ?? 0
        guard maintenance.added > max(listed / 4, 1_000) else { return }
        maintenance.added = 0
        maintenance.merging = true
    }

    /// Returns the latest contents that meet a condition, with the lengths of their texts.
    private func unindexed(_ condition: String, _ start: Int) throws -> [(id: Int, length: Int)] {
        try database.rows(
            """
            SELECT content.id, length(words.text) FROM content JOIN words ON words.id = content.id
            WHERE content.copies > 0 AND \(condition) ORDER BY content.id DESC LIMIT 64
            """, [.integer(start)]
        ) { (id: $0.integer(0), length: $0.integer(1)) }
    }

    /// Deletes a part of the former index. Returns true if there may be more.
    func deleteFormerIndex() throws -> Bool {
        guard maintenance.deletingFormerIndex else { return false }
        let exists = try database.first("SELECT 1 FROM sqlite_schema WHERE name = 'former_search'") { _ in true }
        maintenance.deletingFormerIndex = exists ?? false
        guard maintenance.deletingFormerIndex else { return false }
        let before = database.totalChanges
        try database.run("DELETE FROM former_search WHERE id IN (SELECT id FROM former_search LIMIT 64)")
        if database.totalChanges == before { try database.run("DROP TABLE former_search") }
        maintenance.shrinking = true
        return true
    }

    /// Records the types that contents in the index have.
    private func addTypes(of id: Int) throws {
        let types = try database.first("SELECT types FROM words WHERE id = ?", [.integer(id)]) { $0.text(0) } ?? ""
        for type in types.split(separator: " ") {
            try database.run("INSERT OR IGNORE INTO type VALUES (?)", [.text(String(type))])
        }
    }

    /// Removes a row from the index. FTS5 needs the indexed text to find its words.
    private func removeFromIndex(_ id: Int) throws {
        try database.run(
            """
            INSERT INTO search (search, rowid, text, types, program)
            SELECT 'delete', id, text, \(Self.markedTypes), program FROM words WHERE id = ?
            """, [.integer(id)])
        try database.run("DELETE FROM words WHERE id = ?", [.integer(id)])
        try database.run("DELETE FROM stale WHERE id = ?", [.integer(id)])
    }

    /// Merges some pages of the index, which removes deleted words from them. Returns true if there is more to merge.
    func mergeIndex() throws -> Bool {
        let before = database.totalChanges
        // A negative number starts a merge of all segments, and positive ones continue it. Fewer than two changed rows
        // mean that nothing was left to merge. See "SQLite FTS5 Extension", the 'merge' command.
        let pages = maintenance.isMerging ? 64 : -64
        maintenance.isMerging = true
        try database.run("INSERT INTO search (search, rank) VALUES ('merge', ?)", [.integer(pages)])
        let isDone = database.totalChanges - before < 2
        if isDone { maintenance.isMerging = false }
        return !isDone
    }

    /// Gives free pages back to the disk if there are many. Returns true if there may be more.
    func shrink() throws -> Bool {
        func number(_ pragma: String) throws -> Int { try database.first("PRAGMA \(pragma)") { $0.integer(0) } ?? 0 }
        guard try number("freelist_count") > max(256, number("page_count") / 4) else { return false }
        try database.run("PRAGMA incremental_vacuum (128)")
        return true
    }
}
