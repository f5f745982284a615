import PasteboardModel

/// Entries and pasteboards in the tables, within one transaction. It collects what nobody needs any more.
final class Ledger {
    /// Where a hold is.
    enum Place: Int { case present, undo, redo }

    /// Copies of equal contents can be named so many times back.
    private static let aliases = 64
    /// Of the text that a list shows.
    private static let longestPreview = 2 << 10

    private let database: Database
    /// Entries that may have lost what needed them.
    private var released: Set<Int> = []
    /// Files of contents that are no more.
    private var unused: [Int] = []

    init(_ database: Database) { self.database = database }

    // MARK: Entries

    /// An entry with its file. What was equal to it becomes one with it.
    func add(_ draft: EntryDraft) throws {
        let record = draft.record
        var copies = record.listed ? 1 : 0
        var isPinned = false
        if let equal = draft.equal, let former = try content(equal) {
            copies += former.copies
            isPinned = former.isPinned
        }
        try database.run(
            """
            INSERT INTO content (id, digest, length, size, items, types, preview, width, height, copies, pinned)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(record.id), .integer(draft.fingerprint.digest), .integer(draft.fingerprint.length),
                .integer(draft.size), .integer(draft.items), .text(draft.types.joined(separator: "\n")),
                SQLValue(draft.text?.prefix(utf8: Self.longestPreview)), SQLValue(record.width),
                SQLValue(record.height), .integer(copies), SQLValue(isPinned),
            ])
        if copies > 0 {
            try database.run(
                "INSERT OR REPLACE INTO words VALUES (?, ?, ?, ?)",
                [
                    .integer(record.id), SQLValue(draft.text), .text(draft.types.joined(separator: " ")),
                    SQLValue(record.program),
                ])
        }
        if let equal = draft.equal {
            try database.run(
                "UPDATE entry SET content = ? WHERE content = ?", [.integer(record.id), .integer(equal)])
            try removeContent(equal)
        }
        try database.run(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(record.id), .integer(record.id), .text(record.pasteboard), .integer(record.count),
                .integer(record.created), SQLValue(record.action), SQLValue(record.program),
                SQLValue(record.localOnly), SQLValue(record.listed),
            ])
        try database.run(
            """
            DELETE FROM entry WHERE id IN (SELECT id FROM entry WHERE content = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)
                AND id NOT IN (SELECT entry FROM hold)
            """, [.integer(record.id), .integer(Self.aliases)])
        try database.run("UPDATE state SET next_entry = max(next_entry, ?)", [.integer(record.id + 1)])
        released.insert(record.id)
    }

    private func content(_ id: Int) throws -> (copies: Int, isPinned: Bool)? {
        try database.first("SELECT copies, pinned FROM content WHERE id = ?", [.integer(id)]) {
            ($0.integer(0), $0.flag(1))
        }
    }

    /// Contents that no entry has any more.
    func removeContent(_ id: Int) throws {
        try unlist(words: id)
        try database.run("DELETE FROM content WHERE id = ?", [.integer(id)])
        unused.append(id)
    }

    /// Contents with all their entries, wherever they are needed: their file is lost.
    func loseContent(_ id: Int) throws {
        try database.run(
            "DELETE FROM hold WHERE entry IN (SELECT id FROM entry WHERE content = ?)", [.integer(id)])
        try database.run("DELETE FROM entry WHERE content = ?", [.integer(id)])
        try removeContent(id)
    }

    /// Takes contents out of the history.
    func unlist(_ content: Int) throws {
        try unlist(words: content)
        try database.run("UPDATE content SET copies = 0, pinned = 0, indexed = 0 WHERE id = ?", [.integer(content)])
        released.formUnion(
            try database.rows("SELECT id FROM entry WHERE content = ?", [.integer(content)]) { $0.integer(0) })
        try database.run("UPDATE entry SET listed = 0 WHERE content = ?", [.integer(content)])
    }

    /// The index keeps the words until it is tidied up: it has to be told them to forget them.
    private func unlist(words id: Int) throws {
        let isIndexed = try database.first("SELECT indexed FROM content WHERE id = ?", [.integer(id)]) { $0.flag(0) }
        if isIndexed == true {
            try database.run("INSERT OR IGNORE INTO stale VALUES (?)", [.integer(id)])
        } else {
            try database.run("DELETE FROM words WHERE id = ?", [.integer(id)])
        }
    }

    // MARK: Pasteboards

    /// A pasteboard as it is from now on.
    func write(_ board: StoredBoard) throws {
        try release(board.name)
        try database.run(
            """
            INSERT INTO board VALUES (?1, ?2, ?3)
            ON CONFLICT (name) DO UPDATE SET count = excluded.count, expires = excluded.expires
            """, [.text(board.name.string), .integer(board.count), SQLValue(board.expires)])
        if let entry = board.entry { try hold(entry, nil, at: (.present, 0), of: board.name) }
        for (position, level) in board.undo.enumerated() {
            try hold(level.entry, level.action, at: (.undo, position), of: board.name)
        }
        for (position, level) in board.redo.enumerated() {
            try hold(level.entry, level.action, at: (.redo, position), of: board.name)
        }
    }

    func remove(_ name: PasteboardName) throws {
        try release(name)
        try database.run("DELETE FROM board WHERE name = ?", [.text(name.string)])
    }

    private func release(_ name: PasteboardName) throws {
        released.formUnion(
            try database.rows("SELECT entry FROM hold WHERE board = ?", [.text(name.string)]) { $0.integer(0) })
        try database.run("DELETE FROM hold WHERE board = ?", [.text(name.string)])
    }

    private func hold(
        _ entry: EntryID, _ action: String?, at place: (Place, Int), of name: PasteboardName
    ) throws {
        try database.run(
            "INSERT INTO hold SELECT ?, ?, ?, id, ? FROM entry WHERE id = ?",
            [
                .text(name.string), .integer(place.0.rawValue), .integer(place.1), SQLValue(action),
                .integer(entry.number),
            ])
    }

    // MARK: The end

    /// Removes entries that nobody needs any more.
    ///
    /// - Returns: The files to be removed once the transaction is over.
    func collect() throws -> [Int] {
        for id in released {
            let content = try database.first(
                "SELECT content FROM entry WHERE id = ?1 AND NOT listed AND NOT EXISTS (SELECT 1 FROM hold WHERE entry = ?1)",
                [.integer(id)]
            ) { $0.integer(0) }
            guard let content else { continue }
            try database.run("DELETE FROM entry WHERE id = ?", [.integer(id)])
            let isNeeded = try database.first("SELECT 1 FROM entry WHERE content = ?", [.integer(content)]) { _ in true
            }
            if isNeeded == nil { try removeContent(content) }
        }
        released = []
        defer { unused = [] }
        return unused
    }
}
