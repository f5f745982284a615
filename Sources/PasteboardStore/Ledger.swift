import PasteboardModel

/// Entries and pasteboards in the tables, within one transaction. It collects what nobody needs any more.
final class Ledger {
    /// Where a hold is.
    enum Place: Int { case present, undo, redo, coming }

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
        if let equal = draft.equal { try give(entriesOf: equal, to: record.id) }
        try database.run(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(record.id), .integer(record.id), .text(record.pasteboard), .integer(record.count),
                .integer(record.created), SQLValue(record.action), SQLValue(record.program),
                SQLValue(record.localOnly), SQLValue(record.listed),
            ])
        try limitEntries(of: record.id)
        try database.run("UPDATE state SET next_entry = max(next_entry, ?)", [.integer(record.id + 1)])
        released.insert(record.id)
    }

    /// Contents become one with later ones that are equal.
    func merge(_ former: Int, into id: Int) throws {
        guard let earlier = try content(former), let later = try content(id) else { return }
        if earlier.copies > 0, later.copies == 0 {
            try database.run(
                "INSERT OR REPLACE INTO words SELECT ?, text, types, program FROM words WHERE id = ?",
                [.integer(id), .integer(former)])
        }
        try database.run(
            "UPDATE content SET copies = copies + ?, pinned = max(pinned, ?) WHERE id = ?",
            [.integer(earlier.copies), SQLValue(earlier.isPinned), .integer(id)])
        try give(entriesOf: former, to: id)
        try limitEntries(of: id)
    }

    private func give(entriesOf former: Int, to id: Int) throws {
        try database.run("UPDATE entry SET content = ? WHERE content = ?", [.integer(id), .integer(former)])
        try removeContent(former)
    }

    private func limitEntries(of id: Int) throws {
        try database.run(
            """
            DELETE FROM entry WHERE id IN (SELECT id FROM entry WHERE content = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)
                AND id NOT IN (SELECT entry FROM hold)
            """, [.integer(id), .integer(Self.aliases)])
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

    /// The index keeps the words until it is tidied up: it has to be told them to forget them.
    private func unlist(words id: Int) throws {
        let isIndexed = try database.first("SELECT indexed FROM content WHERE id = ?", [.integer(id)]) { $0.flag(0) }
        if isIndexed == true {
            try database.run("INSERT OR IGNORE INTO stale VALUES (?)", [.integer(id)])
        } else {
            // Words that are stale already are still needed for the index.
            try database.run(
                "DELETE FROM words WHERE id = ? AND id NOT IN (SELECT id FROM stale)", [.integer(id)])
        }
    }

    // MARK: Pasteboards

    /// A pasteboard as it is from now on.
    func write(_ board: StoredBoard) throws {
        try database.run(
            """
            INSERT INTO board VALUES (?1, ?2, ?3)
            ON CONFLICT (name) DO UPDATE SET count = excluded.count, expires = excluded.expires
            """, [.text(board.name.string), .integer(board.count), SQLValue(board.expires)])
        let former = try holds(of: board.name)
        let levels: [(Place, [StoredBoard.Level])] = [
            (.present, board.entry.map { [.init($0)] } ?? []), (.coming, board.coming.map { [.init($0)] } ?? []),
            (.undo, board.undo), (.redo, board.redo),
        ]
        for (place, levels) in levels {
            let change = HoldChange(from: former[place] ?? [], to: levels)
            for row in change.removed { try release(row, at: place, of: board.name) }
            for row in change.added { try hold(row, at: place, of: board.name) }
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

    private func holds(of name: PasteboardName) throws -> [Place: [HoldChange.Row]] {
        var holds: [Place: [HoldChange.Row]] = [:]
        let sql = "SELECT place, position, entry, action FROM hold WHERE board = ? ORDER BY place, position"
        _ = try database.rows(sql, [.text(name.string)]) { row in
            guard let place = Place(rawValue: row.integer(0)) else { return }
            let level = StoredBoard.Level(EntryID(row.integer(2)), action: row.optionalText(3))
            holds[place, default: []].append((row.integer(1), level))
        }
        return holds
    }

    private func release(_ row: HoldChange.Row, at place: Place, of name: PasteboardName) throws {
        released.insert(row.level.entry.number)
        try database.run(
            "DELETE FROM hold WHERE board = ? AND place = ? AND position = ?",
            [.text(name.string), .integer(place.rawValue), .integer(row.position)])
    }

    private func hold(_ row: HoldChange.Row, at place: Place, of name: PasteboardName) throws {
        try database.run(
            "INSERT INTO hold SELECT ?, ?, ?, id, ? FROM entry WHERE id = ?",
            [
                .text(name.string), .integer(place.rawValue), .integer(row.position), SQLValue(row.level.action),
                .integer(row.level.entry.number),
            ])
    }

    // MARK: Lines of the history

    /// Sets the lines that are meant by ``unlistChosen()``.
    func choose(_ lines: [Int]) throws {
        try database.run("DELETE FROM chosen")
        for line in lines { try database.run("INSERT OR IGNORE INTO chosen VALUES (?)", [.integer(line)]) }
    }

    /// All that are not pinned.
    func chooseAll() throws {
        try database.run("DELETE FROM chosen")
        try database.run("INSERT INTO chosen SELECT id FROM content WHERE copies > 0 AND pinned = 0")
    }

    /// Takes the entries of a pasteboard out of the history, but for those that are pinned.
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

    /// Of the lines chosen, those remain chosen that no other pasteboard has.
    func chooseLines(without pasteboard: PasteboardName) throws {
        let other = "EXISTS (SELECT 1 FROM entry WHERE content = chosen.id AND listed = 1)"
        try database.run(
            """
            UPDATE content SET copies = (SELECT count(*) FROM entry WHERE content = content.id AND listed = 1)
            WHERE id IN (SELECT id FROM chosen WHERE \(other))
            """)
        try database.run("DELETE FROM chosen WHERE \(other)")
    }

    /// Takes one entry out of the history, and its line where nothing else is on that.
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

    /// Takes the chosen lines out of the history. One statement for all of them, since they may be very many.
    ///
    /// - Returns: Their number.
    func unlistChosen() throws -> Int {
        let chosen = "(SELECT id FROM chosen)"
        try database.run("INSERT OR IGNORE INTO stale SELECT id FROM content WHERE id IN \(chosen) AND indexed = 1")
        try database.run("DELETE FROM words WHERE id IN (SELECT id FROM content WHERE id IN \(chosen) AND indexed = 0)")
        try database.run("UPDATE entry SET listed = 0 WHERE content IN \(chosen)")
        try database.run("DELETE FROM entry WHERE content IN \(chosen) AND id NOT IN (SELECT entry FROM hold)")
        let free = "content WHERE id IN \(chosen) AND NOT EXISTS (SELECT 1 FROM entry WHERE content = content.id)"
        unused += try database.rows("SELECT id FROM \(free)") { $0.integer(0) }
        try database.run("UPDATE content SET copies = 0, pinned = 0, indexed = 0 WHERE id IN \(chosen)")
        try database.run("DELETE FROM \(free)")
        let count = try database.first("SELECT count(*) FROM chosen") { $0.integer(0) } ?? 0
        if try database.first("SELECT 1 FROM content WHERE copies > 0 LIMIT 1", [], { _ in true }) == nil {
            // Nothing is left to be found.
            try database.run("INSERT INTO search (search) VALUES ('delete-all')")
            try database.run("DELETE FROM words")
            try database.run("DELETE FROM stale")
        }
        try database.run("DELETE FROM chosen")
        return count
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
