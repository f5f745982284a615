import PasteboardModel

/// Changes to the tables of entries and pasteboards, within one transaction. See ``Schema`` for the tables.
///
/// Changes may leave entries that neither the history nor a pasteboard needs. Before the end of the transaction, call
/// ``collect()``, which removes these entries.
final class EntryTables {
    /// The limit on the entries that name equal contents. Older entries are dropped unless a pasteboard holds them.
    private static let maxEntriesPerContent = 64
    /// The limit on the text that a list shows, in bytes.
    private static let maxPreviewLength = 2 << 10
    /// The value of `entry.listed` for an entry of an import in progress.
    private static let staged = 2

    let database: Database
    /// Entries that may no longer be needed.
    var released: Set<Int> = []
    /// Contents that were removed, whose files can be deleted after the transaction.
    var unused: [Int] = []

    init(_ database: Database) { self.database = database }

    // MARK: Entries

    /// Adds an entry and the contents in its blob. If equal contents exist, they are merged into the new contents.
    func add(_ draft: EntryDraft) throws {
        var copies = draft.record.listed && !draft.isStaged ? 1 : 0
        var isPinned = draft.record.pinned ?? false
        if let equal = draft.equal, let former = try content(equal) {
            copies += former.copies
            isPinned = isPinned || former.isPinned
        }
        try insertContent(draft, copies: copies, isPinned: isPinned)
        if copies > 0 || draft.isStaged { try insertWords(draft) }
        if let equal = draft.equal { try move(entriesOf: equal, to: draft.record.id) }
        try insertEntry(draft.record, isStaged: draft.isStaged)
        try limitEntries(of: draft.record.id)
        try database.run("UPDATE state SET next_entry = max(next_entry, ?)", [.integer(draft.record.id + 1)])
        released.insert(draft.record.id)
    }

    private func insertContent(_ draft: EntryDraft, copies: Int, isPinned: Bool) throws {
        try database.run(
            """
            INSERT INTO content (id, digest, length, size, items, types, preview, width, height, copies, pinned)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(draft.record.id), .integer(draft.fingerprint.digest), .integer(draft.fingerprint.length),
                .integer(draft.size), .integer(draft.items), .text(draft.types.joined(separator: "\n")),
                SQLValue(draft.text?.prefix(utf8: Self.maxPreviewLength)), SQLValue(draft.record.width),
                SQLValue(draft.record.height), .integer(copies), SQLValue(isPinned),
            ])
    }

    private func insertWords(_ draft: EntryDraft) throws {
        try database.run(
            "INSERT OR REPLACE INTO words VALUES (?, ?, ?, ?)",
            [
                .integer(draft.record.id), SQLValue(draft.text), .text(draft.types.joined(separator: " ")),
                SQLValue(draft.record.program),
            ])
    }

    private func insertEntry(_ record: ItemArchive.Record, isStaged: Bool) throws {
        try database.run(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(record.id), .integer(record.id), .text(record.pasteboard), .integer(record.count),
                .integer(record.created), SQLValue(record.action), SQLValue(record.program),
                SQLValue(record.localOnly), isStaged ? .integer(Self.staged) : SQLValue(record.listed),
            ])
    }

    /// Merges contents into later contents that are equal.
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
        try move(entriesOf: former, to: id)
        try limitEntries(of: id)
    }

    private func move(entriesOf former: Int, to id: Int) throws {
        try database.run("UPDATE entry SET content = ? WHERE content = ?", [.integer(id), .integer(former)])
        try removeContent(former)
    }

    private func limitEntries(of id: Int) throws {
        try database.run(
            """
            DELETE FROM entry WHERE id IN (
                SELECT id FROM entry WHERE content = ?1 AND id <> ?1
                ORDER BY action IS 'Restore', id DESC LIMIT -1 OFFSET ?2 - 1
            ) AND id NOT IN (SELECT entry FROM hold)
            """, [.integer(id), .integer(Self.maxEntriesPerContent)])
    }

    private func content(_ id: Int) throws -> (copies: Int, isPinned: Bool)? {
        try database.first("SELECT copies, pinned FROM content WHERE id = ?", [.integer(id)]) {
            ($0.integer(0), $0.flag(1))
        }
    }

    /// Removes contents that have no entry left.
    private func removeContent(_ id: Int) throws {
        try removeWords(of: id)
        try database.run("DELETE FROM content WHERE id = ?", [.integer(id)])
        unused.append(id)
    }

    /// Removes contents whose file is lost, with all their entries and holds.
    func removeLostContent(_ id: Int) throws {
        try database.run(
            "DELETE FROM hold WHERE entry IN (SELECT id FROM entry WHERE content = ?)", [.integer(id)])
        try database.run("DELETE FROM entry WHERE content = ?", [.integer(id)])
        try removeContent(id)
    }

    /// Removes the words of contents. Indexed words are only marked as stale: FTS5 needs their text to remove them from
    /// the index, which maintenance does later.
    private func removeWords(of id: Int) throws {
        let isIndexed = try database.first(
            "SELECT \(Store.isIndexed) FROM content WHERE id = ?", [.integer(id)]
        ) { $0.flag(0) }
        if isIndexed == true {
            try database.run("INSERT OR IGNORE INTO stale VALUES (?)", [.integer(id)])
        } else {
            try database.run(
                "DELETE FROM words WHERE id = ? AND id NOT IN (SELECT id FROM stale)", [.integer(id)])
        }
    }

    /// Removes the released entries that neither the history nor a pasteboard needs, and contents without entries.
    ///
    /// - Returns: The files to delete after the transaction.
    func collect() throws -> [Int] {
        for id in released {
            let content = try database.first(
                """
                SELECT content FROM entry
                WHERE id = ?1 AND NOT listed AND NOT EXISTS (SELECT 1 FROM hold WHERE entry = ?1)
                """, [.integer(id)]
            ) { $0.integer(0) }
            guard let content else { continue }
            try database.run("DELETE FROM entry WHERE id = ?", [.integer(id)])
            let hasEntries = try database.first("SELECT 1 FROM entry WHERE content = ?", [.integer(content)]) { _ in
                true
            }
            if hasEntries == nil { try removeContent(content) }
        }
        released = []
        defer { unused = [] }
        return unused
    }

    // MARK: Imports

    /// Makes the staged entries lines of the history. Returns their number.
    func listStaged() throws -> Int {
        let count = try database.first("SELECT count(*) FROM entry WHERE listed = \(Self.staged)") { $0.integer(0) }
        try database.run(
            """
            UPDATE content SET copies = copies + (
                SELECT count(*) FROM entry WHERE content = content.id AND listed = \(Self.staged)
            ) WHERE id IN (SELECT content FROM entry WHERE listed = \(Self.staged))
            """)
        try database.run("UPDATE entry SET listed = 1 WHERE listed = \(Self.staged)")
        return count ?? 0
    }

    /// Releases some of the staged entries. Returns false if there are no staged entries.
    func releaseStaged(atMost limit: Int) throws -> Bool {
        let entries = try database.rows(
            "SELECT id FROM entry WHERE listed = \(Self.staged) LIMIT ?", [.integer(limit)]
        ) { $0.integer(0) }
        for id in entries { try database.run("UPDATE entry SET listed = 0 WHERE id = ?", [.integer(id)]) }
        released.formUnion(entries)
        return !entries.isEmpty
    }

    // MARK: Pasteboards

    /// The values of `hold.place`: the role that an entry has for a pasteboard.
    enum Place: Int {
        case present, undo, redo, incoming
        /// Present contents that the user has deleted from the history.
        case deleted
    }

    func write(_ pasteboard: StoredPasteboard) throws {
        try database.run(
            """
            INSERT INTO board (name, count, expires, boot, boot_expires, origin_time, origin_machine)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (name) DO UPDATE SET count = excluded.count, expires = excluded.expires,
                boot = excluded.boot, boot_expires = excluded.boot_expires,
                origin_time = excluded.origin_time, origin_machine = excluded.origin_machine
            """,
            [
                .text(pasteboard.name.string), .integer(pasteboard.count), SQLValue(pasteboard.expires),
                SQLValue(pasteboard.bootExpires?.boot), SQLValue(pasteboard.bootExpires?.time),
                SQLValue(pasteboard.origin?.time), SQLValue(pasteboard.origin?.machine),
            ])
        // The pasteboards that are written most have no maker.
        if let maker = pasteboard.maker {
            try database.run(
                "UPDATE board SET maker = ?2 WHERE name = ?1 AND maker IS NOT ?2",
                [.text(pasteboard.name.string), .text(maker)])
        }
        let former = try holds(of: pasteboard.name)
        let present = pasteboard.entry.map { [StoredPasteboard.Level($0)] } ?? []
        let levels: [(Place, [StoredPasteboard.Level])] = [
            (.present, pasteboard.isDeleted ? [] : present), (.deleted, pasteboard.isDeleted ? present : []),
            (.incoming, pasteboard.incoming.map { [.init($0)] } ?? []),
            (.undo, pasteboard.undo), (.redo, pasteboard.redo),
        ]
        for (place, levels) in levels {
            let change = HoldDifference(from: former[place] ?? [], to: levels)
            for row in change.removed { try release(row, at: place, of: pasteboard.name) }
            for row in change.added { try hold(row, at: place, of: pasteboard.name) }
        }
    }

    func remove(_ name: PasteboardName) throws {
        released.formUnion(
            try database.rows("SELECT entry FROM hold WHERE board = ?", [.text(name.string)]) { $0.integer(0) })
        try database.run("DELETE FROM hold WHERE board = ?", [.text(name.string)])
        try database.run("DELETE FROM board WHERE name = ?", [.text(name.string)])
    }

    private func holds(of name: PasteboardName) throws -> [Place: [HoldDifference.Row]] {
        var holds: [Place: [HoldDifference.Row]] = [:]
        let sql = "SELECT place, position, entry, action FROM hold WHERE board = ? ORDER BY place, position"
        _ = try database.rows(sql, [.text(name.string)]) { row in
            guard let place = Place(rawValue: row.integer(0)) else { return }
            let level = StoredPasteboard.Level(EntryID(row.integer(2)), action: row.optionalText(3))
            holds[place, default: []].append((row.integer(1), level))
        }
        return holds
    }

    private func release(_ row: HoldDifference.Row, at place: Place, of name: PasteboardName) throws {
        released.insert(row.level.entry.number)
        try database.run(
            "DELETE FROM hold WHERE board = ? AND place = ? AND position = ?",
            [.text(name.string), .integer(place.rawValue), .integer(row.position)])
    }

    /// Adds a hold, unless its entry does not exist.
    private func hold(_ row: HoldDifference.Row, at place: Place, of name: PasteboardName) throws {
        try database.run(
            "INSERT INTO hold SELECT ?, ?, ?, id, ? FROM entry WHERE id = ?",
            [
                .text(name.string), .integer(place.rawValue), .integer(row.position), SQLValue(row.level.action),
                .integer(row.level.entry.number),
            ])
    }
}

/// The difference between the stored holds of a pasteboard at one place and its present levels, with as few rows as
/// possible.
///
/// An undo stack grows at one end and drops old levels at the other, and the rows in between stay. The positions of
/// rows give only their order, so they need not start at 0.
package struct HoldDifference {
    package typealias Row = (position: Int, level: StoredPasteboard.Level)

    package private(set) var removed: [Row]
    /// The rows to add after the removal of ``removed``.
    package private(set) var added: [Row]

    /// - Parameter rows: The stored rows, in the order of their positions.
    package init(from rows: [Row], to levels: [StoredPasteboard.Level]) {
        let run = Self.longestRun(of: rows, beginning: levels)
        removed = Array(rows[..<run.lowerBound] + rows[run.upperBound...])
        let next = run.isEmpty ? 0 : rows[run.upperBound - 1].position + 1
        added = levels[run.count...].enumerated().map { (next + $0.offset, $0.element) }
    }

    /// Returns the longest run of successive rows that equals the beginning of the levels.
    private static func longestRun(of rows: [Row], beginning levels: [StoredPasteboard.Level]) -> Range<Int> {
        var longest = 0..<0
        for start in rows.indices {
            let limit = min(rows.count - start, levels.count)
            if limit <= longest.count { break }
            let count = (0..<limit).first { rows[start + $0].level != levels[$0] } ?? limit
            if count > longest.count { longest = start..<start + count }
        }
        return longest
    }
}
