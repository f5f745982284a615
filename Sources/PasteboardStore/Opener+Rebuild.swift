import LinuxSystem
import PasteboardModel

extension Opener {
    /// Entries that were deleted may have had numbers above those that files tell.
    private static let skippedNumbers = 1_000
    /// A log that was lost had at most so many numbers in a row of which no file is left.
    private static let longestGap = 64

    /// Makes the tables of a new database, and fills them with what the manifests of all files tell.
    ///
    /// That is one transaction: who is killed meanwhile finds no tables when he starts again, and begins anew.
    func rebuild(_ database: Database, boards: [PasteboardName: StoredBoard]) throws {
        let ids = (0..<BlobFolder.shards).flatMap { blobs.entries(inShard: $0) }.sorted()
        let isNew = ids.isEmpty && boards.isEmpty
        // Else it was told already.
        if !isNew, notices.isEmpty { notice("the database in \(folder) is lost") }
        isRebuilt = !isNew
        var unreadable: [Int] = []
        try database.transaction {
            try Schema.migrate(database, from: 0)
            guard !isNew else { return }
            let adoption = Adoption(database, blobs)
            for id in ids where try !adoption.adopt(id) { unreadable.append(id) }
            try adoption.finish(boards: boards)
            try database.run(
                "UPDATE state SET next_entry = next_entry + ?", [.integer(Self.skippedNumbers)])
        }
        // They are not collected: someone may still get something out of them.
        for id in unreadable { blobs.setAside(id) }
        let kept = ids.count - unreadable.count
        if kept > 0 {
            let lost =
                boards.isEmpty ? "pins, undo and deletions from the history" : "pins and deletions from the history"
            notice("\(kept.counted("entry", "entries")) of the history and the pasteboards kept; lost are \(lost)")
        }
        if !unreadable.isEmpty {
            notice("\(unreadable.count.counted("file")) in \(blobs.path) cannot be read, and set aside as .damaged")
        }
    }

    /// Takes over what is newer than all that the database knows: the end of its log was lost, or the process ended before
    /// it could say that it has written it.
    func adoptForgotten(_ database: Database, from next: Int) throws {
        var found: [Int] = []
        var id = next
        while id - (found.last ?? next) < Self.longestGap {
            if blobs.length(of: id) != nil { found.append(id) }
            id += 1
        }
        guard !found.isEmpty else { return }
        var unreadable: [Int] = []
        try database.transaction {
            let adoption = Adoption(database, blobs)
            for id in found where try !adoption.adopt(id) { unreadable.append(id) }
            try adoption.finish(boards: [:])
        }
        for id in unreadable { blobs.setAside(id) }
        let kept = found.count - unreadable.count
        if kept > 0 { notice("\(kept.counted("entry", "entries")) that the database did not know kept") }
    }

}

/// Files that become entries, and what they say of pasteboards.
final class Adoption {
    private let database: Database
    private let blobs: BlobFolder
    private let ledger: Ledger
    private var adopted: [(id: EntryID, record: ItemArchive.Record)] = []
    /// Files that are one with others.
    private var unused: [Int] = []

    init(_ database: Database, _ blobs: BlobFolder) {
        self.database = database
        self.blobs = blobs
        ledger = Ledger(database)
    }

    /// - Returns: False for a file that is not whole, or says it is another.
    func adopt(_ id: Int) throws -> Bool {
        guard let file = try? blobs.file(id), let blob = BlobContents(file), blob.record.id == id,
            (try? PasteboardName(validating: blob.record.pasteboard)) != nil,
            let fingerprint = try? Fingerprint(blob.contents, [blob.file])
        else { return false }
        let equal = try equal(to: blob, fingerprint)
        try ledger.add(EntryDraft(blob, fingerprint: fingerprint, equal: equal))
        adopted.append((EntryID(id), blob.record))
        return true
    }

    /// With those whose file is gone: it went because of this one.
    private func equal(to blob: BlobContents, _ fingerprint: Fingerprint) throws -> Int? {
        try database.rows(
            "SELECT id FROM content WHERE digest = ? AND length = ?",
            [.integer(fingerprint.digest), .integer(fingerprint.length)]
        ) { $0.integer(0) }.first { id in
            guard let file = try? blobs.file(id), let other = BlobContents(file) else { return true }
            return (try? Fingerprint.areEqual(blob.contents, [blob.file], other.contents, [file])) == true
        }
    }

    /// Writes the pasteboards: each has the entry of its highest count. Entries that are not in the history were kept to
    /// go back to, so they can be gone back to.
    func finish(boards known: [PasteboardName: StoredBoard]) throws {
        var boards = Dictionary(try Opener.boards(database).map { ($0.name, $0) }) { $1 }
        for (name, board) in known { boards[name] = board }
        for (id, record) in adopted.sorted(by: { ($0.record.count, $0.id) < ($1.record.count, $1.id) }) {
            guard let name = try? PasteboardName(validating: record.pasteboard), known[name] == nil else { continue }
            var board = boards[name] ?? StoredBoard(name: name, count: -1)
            guard record.count >= board.count else { continue }
            if let former = board.entry, try !isListed(former) { board.undo.append(StoredBoard.Level(former)) }
            board.count = record.count
            board.entry = id
            board.expires = record.expires
            boards[name] = board
        }
        for board in boards.values { try ledger.write(board) }
        for id in try ledger.collect() { blobs.remove(id) }
    }

    private func isListed(_ id: EntryID) throws -> Bool {
        try database.first("SELECT listed FROM entry WHERE id = ?", [.integer(id.number)]) { $0.flag(0) } ?? true
    }
}
