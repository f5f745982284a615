/// Maintenance of the search index, which is an external content table of FTS5 (see "SQLite FTS5 Extension", 4.4), and
/// of the pages that it frees.
extension Store {
    /// The cost of an entry beside its text, in characters.
    private static let entryCost = 1_000

    /// Adds the words of some contents to the index, and removes those of others.
    ///
    /// - Parameter limit: The approximate limit on the lengths of the texts, in characters.
    /// - Returns: false if the index is up to date.
    func index(atMost limit: Int) throws -> Bool {
        guard maintenance.indexing else { return false }
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
            maintenance.indexing = false
            return false
        }
        var room = limit
        try database.transaction {
            for (id, length) in stale where room > 0 {
                room -= length + Self.entryCost
                try removeFromIndex(id)
            }
            for (id, length) in new where room > 0 {
                room -= length + Self.entryCost
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

    /// Removes a row from the index. FTS5 needs the indexed text to find its words.
    private func removeFromIndex(_ id: Int) throws {
        try database.run(
            """
            INSERT INTO search (search, rowid, text, types, program)
            SELECT 'delete', id, text, types, program FROM words WHERE id = ?
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

/// The words of a search, divided into those that the index can find and the others.
package struct SearchWords: Equatable {
    /// The limit on the number of words. Further words are ignored.
    package static let maxCount = 32

    /// The FTS5 expression for all words that the index can find, each as a prefix; nil if there are none.
    package let expression: String?
    /// The words without letters and digits, which the index does not have.
    package let signs: [String]

    package init(_ text: String) {
        let words = text.split { $0.isWhitespace || $0 == "\0" }.prefix(Self.maxCount).map(String.init)
        let indexed = words.filter(Self.hasToken)
        signs = words.filter { !Self.hasToken($0) }
        // A quoted string has no operators, and its tokens have to follow one another in the text.
        let phrases = indexed.map { word in
            "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"*"
        }
        expression = phrases.isEmpty ? nil : phrases.joined(separator: " ")
    }

    /// Returns true if the `unicode61` tokenizer finds a token: letters, numbers, and private use characters.
    private static func hasToken(_ word: String) -> Bool {
        word.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber, .privateUse:
                true
            default: false
            }
        }
    }
}
