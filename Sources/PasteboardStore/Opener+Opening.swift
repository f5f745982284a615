import CSQLite
import PasteboardModel

extension Opener {
    /// What is there, and that it is open from now on.
    func opening(of database: Database, wasRunning: Bool) throws -> Store.Opening {
        let state = try database.first("SELECT next_entry, paused, unfinished FROM state") { row in
            (next: row.integer(0), isPaused: row.flag(1), isUnfinished: row.flag(2))
        }
        // The row is there from the first step on.
        guard let state else { throw DatabaseError(code: SQLITE_CORRUPT, message: "it has no state") }
        let wasClosed = !wasRunning && !isRebuilt
        leftovers = !wasClosed || state.isUnfinished
        if wasRunning { try adoptForgotten(database, from: state.next) }
        try dropMissing(database)
        var boards = try Self.boards(database)
        var counts = try Self.counts(database)
        let floor = try CountFloor(at: folder) {
            let highest = (boards.map(\.count) + counts.values).max() ?? 0
            if highest > 0 {
                self.notice("the file of the change counts in \(self.folder) was lost; they go on higher")
            }
            return highest
        }
        // Where someone opened the file before us who could not ask the database, it begins too low.
        let highest = (boards.map(\.count) + counts.values).max() ?? 0
        if highest > floor.floor { floor.reserve(highest) }
        if !wasClosed {
            for index in boards.indices { boards[index].count = max(boards[index].count, floor.floor) }
            counts = [:]
        }
        try mark()
        let next = try database.first("SELECT next_entry FROM state") { $0.integer(0) }
        return Store.Opening(
            boards: boards, counts: counts, nextEntry: EntryID(next ?? state.next), isPaused: state.isPaused,
            wasClosed: wasClosed, notices: notices)
    }

    static func boards(_ database: Database) throws -> [StoredBoard] {
        var boards = try database.rows("SELECT name, count, expires FROM board ORDER BY name") { row in
            (try? PasteboardName(validating: row.text(0))).map {
                StoredBoard(name: $0, count: row.integer(1), expires: row.optionalInteger(2))
            }
        }.compactMap(\.self)
        for index in boards.indices {
            let name = boards[index].name.string
            _ = try database.rows(
                "SELECT place, entry, action FROM hold WHERE board = ? ORDER BY place, position", [.text(name)]
            ) { row in
                let level = StoredBoard.Level(EntryID(row.integer(1)), action: row.optionalText(2))
                switch Ledger.Place(rawValue: row.integer(0)) {
                case .present: boards[index].entry = level.entry
                case .undo: boards[index].undo.append(level)
                case .redo: boards[index].redo.append(level)
                case .coming: boards[index].coming = level.entry
                case nil: break
                }
            }
        }
        return boards
    }

    private static func counts(_ database: Database) throws -> [PasteboardName: Int] {
        let rows = try database.rows("SELECT board, count FROM last_count") { row in
            (try? PasteboardName(validating: row.text(0))).map { ($0, row.integer(1)) }
        }
        return Dictionary(rows.compactMap(\.self)) { max($0, $1) }
    }

    /// What pasteboards have and can go back to is looked for now; the rest when there is time.
    private func dropMissing(_ database: Database) throws {
        let held = try database.rows(
            """
            SELECT DISTINCT content.id, content.size FROM hold JOIN entry ON entry.id = hold.entry
                JOIN content ON content.id = entry.content
            """
        ) { ($0.integer(0), $0.integer(1)) }
        let missing = held.filter { blobs.length(of: $0.0) != $0.1 }.map(\.0)
        guard !missing.isEmpty else { return }
        try Self.lose(missing, database, blobs)
        notice(
            "\(missing.count.counted("file")) of contents in \(blobs.path) \(missing.count == 1 ? "is" : "are") lost")
    }
}
