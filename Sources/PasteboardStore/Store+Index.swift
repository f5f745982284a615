/// The index of the words, and the pages that it leaves free.
extension Store {
    /// Indexes and forgets some words.
    ///
    /// - Parameter limit: Of the texts, in bytes, roughly.
    /// - Returns: False when there is nothing more of that.
    func index(atMost limit: Int) throws -> Bool {
        guard chores.indexing else { return false }
        let stale = try database.rows(
            "SELECT stale.id, length(words.text) FROM stale JOIN words ON words.id = stale.id LIMIT 64"
        ) { ($0.integer(0), $0.integer(1)) }
        let new = try database.rows(
            """
            SELECT content.id, length(words.text) FROM content JOIN words ON words.id = content.id
            WHERE content.copies > 0 AND content.indexed = 0 LIMIT 64
            """
        ) { ($0.integer(0), $0.integer(1)) }
        guard !stale.isEmpty || !new.isEmpty else {
            chores.indexing = false
            return false
        }
        var room = limit
        try database.transaction {
            for (id, length) in stale where room > 0 {
                room -= length + 1_000
                try forget(id)
            }
            for (id, length) in new where room > 0 {
                room -= length + 1_000
                try database.run(
                    """
                    INSERT INTO search (rowid, text, types, program)
                    SELECT id, text, types, program FROM words WHERE id = ?
                    """, [.integer(id)])
                try database.run("UPDATE content SET indexed = 1 WHERE id = ?", [.integer(id)])
            }
        }
        return true
    }

    private func forget(_ id: Int) throws {
        try database.run(
            """
            INSERT INTO search (search, rowid, text, types, program)
            SELECT 'delete', id, text, types, program FROM words WHERE id = ?
            """, [.integer(id)])
        try database.run("DELETE FROM words WHERE id = ?", [.integer(id)])
        try database.run("DELETE FROM stale WHERE id = ?", [.integer(id)])
    }

    /// Writes the index anew without the words that were deleted, some pages at a time.
    ///
    /// - Returns: Whether there is more of it.
    func mergeIndex() throws -> Bool {
        let before = database.totalChanges
        // The first call is for all of its parts, the others go on with it. See the documentation of FTS5, "merge".
        let pages = chores.isMerging ? 64 : -64
        chores.isMerging = true
        try database.run("INSERT INTO search (search, rank) VALUES ('merge', ?)", [.integer(pages)])
        let isDone = database.totalChanges - before < 2
        if isDone { chores.isMerging = false }
        return !isDone
    }

    /// Gives pages that are free back to the disk, once they are many.
    ///
    /// - Returns: Whether there are more.
    func shrink() throws -> Bool {
        func number(_ pragma: String) throws -> Int { try database.first("PRAGMA \(pragma)") { $0.integer(0) } ?? 0 }
        guard try number("freelist_count") > max(256, number("page_count") / 4) else { return false }
        try database.run("PRAGMA incremental_vacuum (128)")
        return true
    }
}
