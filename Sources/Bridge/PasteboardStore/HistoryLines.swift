import PasteboardModel

/// Changes to the lines of the history: the contents with listed entries.
///
/// The temporary table `chosen` has the lines that the next ``unlistChosen()`` takes out of the history. One statement
/// handles all of them, because clearing the history can choose very many.
extension EntryTables {
    func choose(_ lines: [Int]) throws {
        try database.run("DELETE FROM chosen")
        for line in lines { try database.run("INSERT OR IGNORE INTO chosen VALUES (?)", [.integer(line)]) }
    }

    /// Chooses all lines that are not pinned.
    func chooseAll() throws {
        try database.run("DELETE FROM chosen")
        try database.run("INSERT INTO chosen SELECT id FROM content WHERE copies > 0 AND pinned = 0")
    }

    /// Takes the entries of a pasteboard out of the history, except those of pinned lines, and chooses their lines.
    func unlistEntries(of pasteboard: PasteboardName) throws {
        try database.run("DELETE FROM chosen")
        try database.run(
            """
            INSERT INTO chosen SELECT DISTINCT content.id FROM entry JOIN content ON content.id = entry.content
            WHERE entry.pasteboard = ? AND entry.listed = 1 AND content.pinned = 0
            """, [.text(pasteboard.string)])
        let entries = "pasteboard = ? AND listed = 1 AND content IN (SELECT id FROM chosen)"
        released.formUnion(
            try database.rows("SELECT id FROM entry WHERE \(entries)", [.text(pasteboard.string)]) { $0.integer(0) })
        try database.run("UPDATE entry SET listed = 0 WHERE \(entries)", [.text(pasteboard.string)])
    }

    /// Removes from the choice the lines that still have listed entries, and counts their copies again.
    func keepListedLines() throws {
        let isListed = "EXISTS (SELECT 1 FROM entry WHERE content = chosen.id AND listed = 1)"
        try database.run(
            """
            UPDATE content SET copies = (SELECT count(*) FROM entry WHERE content = content.id AND listed = 1)
            WHERE id IN (SELECT id FROM chosen WHERE \(isListed))
            """)
        try database.run("DELETE FROM chosen WHERE \(isListed)")
    }

    /// Takes one entry out of the history, and also its line if the line has no other copy.
    func withdraw(_ entry: EntryID) throws {
        let id = SQLValue.integer(entry.number)
        released.insert(entry.number)
        let line = try database.first(
            """
            SELECT content.id, content.copies FROM entry JOIN content ON content.id = entry.content
            WHERE entry.id = ? AND entry.listed = 1
            """, [id]
        ) { (id: $0.integer(0), copies: $0.integer(1)) }
        guard let line else { return }
        try database.run("UPDATE entry SET listed = 0 WHERE id = ?", [id])
        guard line.copies < 2 else {
            return try database.run("UPDATE content SET copies = copies - 1 WHERE id = ?", [.integer(line.id)])
        }
        try choose([line.id])
        _ = try unlistChosen()
    }

    /// Takes the chosen lines out of the history. Returns the number of lines.
    func unlistChosen() throws -> Int {
        let chosen = "(SELECT id FROM chosen)"
        let indexed = "SELECT id FROM content WHERE id IN \(chosen) AND \(Store.isIndexed)"
        try database.run("INSERT OR IGNORE INTO stale \(indexed)")
        try database.run("DELETE FROM words WHERE id IN \(chosen) AND id NOT IN (\(indexed))")
        try database.run("UPDATE entry SET listed = 0 WHERE content IN \(chosen)")
        try database.run("DELETE FROM entry WHERE content IN \(chosen) AND id NOT IN (SELECT entry FROM hold)")
        let free = "content WHERE id IN \(chosen) AND NOT EXISTS (SELECT 1 FROM entry WHERE content = content.id)"
        unused += try database.rows("SELECT id FROM \(free)") { $0.integer(0) }
        try database.run("UPDATE content SET copies = 0, pinned = 0, indexed = 0 WHERE id IN \(chosen)")
        try database.run("DELETE FROM \(free)")
        let count = try database.first("SELECT count(*) FROM chosen") { $0.integer(0) } ?? 0
        try emptyIndexIfUnused()
        try database.run("DELETE FROM chosen")
        return count
    }

    /// Empties the search index at once if the history has no line left.
    private func emptyIndexIfUnused() throws {
        let hasLines = try database.first("SELECT 1 FROM content WHERE copies > 0 LIMIT 1") { _ in true }
        guard hasLines == nil else { return }
        try database.run("INSERT INTO search (search) VALUES ('delete-all')")
        try database.run("DELETE FROM words")
        try database.run("DELETE FROM stale")
        try database.run("DELETE FROM type")
    }
}
