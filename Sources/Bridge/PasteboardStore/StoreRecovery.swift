import PasteboardModel

/// Recovery of entries from their blobs, whose manifests have the store's records.
extension StoreOpener {
    /// The gap after the highest number that a blob has. Deleted entries may have had higher numbers, which must not be
    /// used again.
    private static let skippedNumbers = 1_000
    /// The limit on successive numbers without a blob in the search for entries that a lost log had.
    private static let maxGap = 64

    /// Makes the tables of a new database, and fills them from the manifests of all blobs.
    ///
    /// All of this is one transaction: if the process is killed during it, the next start finds no tables and begins
    /// again.
    func rebuild(_ database: Database, pasteboards: [PasteboardName: StoredPasteboard]) throws {
        let ids = blobs.entries.sorted()
        let isNew = ids.isEmpty && pasteboards.isEmpty
        // If the database was damaged, there is a notice already.
        if !isNew, notices.isEmpty { notice("the database in \(folder) is lost") }
        isRebuilt = !isNew
        var unreadable: [Int] = []
        try database.transaction {
            try Schema.migrate(database, from: 0)
            guard !isNew else { return }
            unreadable = try recover(ids, pasteboards: pasteboards, database)
            try database.run(
                "UPDATE state SET next_entry = next_entry + ?", [.integer(Self.skippedNumbers)])
        }
        // The files are not deleted, because a user may still extract something from them.
        for id in unreadable { blobs.setAside(id) }
        let recovered = ids.count - unreadable.count
        if recovered > 0 {
            let entries = recovered.counted("entry", "entries")
            let undo = pasteboards.isEmpty ? ", undo" : ""
            notice(
                "recovered \(entries) of the history and the pasteboards; "
                    + "pins\(undo) and deletions from the history are lost")
        }
        if !unreadable.isEmpty {
            let files = unreadable.count.counted("file")
            let verb = unreadable.count == 1 ? "was" : "were"
            notice("\(files) in \(blobs.path) cannot be read, and \(verb) set aside as .damaged")
        }
    }

    /// Recovers entries newer than all that the database knows. Such entries exist if the end of the log was lost, or
    /// the process was killed after writing a blob.
    func recoverUnlisted(_ database: Database, from next: Int) throws {
        var found: [Int] = []
        var id = next
        while id - (found.last ?? next) < Self.maxGap {
            if blobs.length(of: id) != nil { found.append(id) }
            id += 1
        }
        guard !found.isEmpty else { return }
        var unreadable: [Int] = []
        try database.transaction { unreadable = try recover(found, pasteboards: [:], database) }
        for id in unreadable { blobs.setAside(id) }
        let recovered = found.count - unreadable.count
        if recovered > 0 { notice("recovered \(recovered.counted("entry", "entries")) missing from the database") }
    }

    /// - Returns: The entries whose blobs cannot be read.
    private func recover(
        _ ids: [Int], pasteboards: [PasteboardName: StoredPasteboard], _ database: Database
    ) throws -> [Int] {
        let recovery = EntryRecovery(database, blobs)
        let unreadable = try ids.filter { try !recovery.add($0) }
        try recovery.finish(pasteboards: pasteboards)
        return unreadable
    }
}

/// A rebuilder of the tables, which adds entries from their blobs, and derives the pasteboards from the entries.
private final class EntryRecovery {
    private let database: Database
    private let blobs: BlobFolder
    private let tables: EntryTables
    private var recovered: [(id: EntryID, record: ItemArchive.Record)] = []

    init(_ database: Database, _ blobs: BlobFolder) {
        self.database = database
        self.blobs = blobs
        tables = EntryTables(database)
    }

    /// Adds the entry of a blob. Returns false if the blob is incomplete, or its record is that of another entry.
    func add(_ id: Int) throws -> Bool {
        guard let file = try? blobs.file(id), let blob = BlobContents(file), blob.record.id == id,
            (try? PasteboardName(validating: blob.record.pasteboard)) != nil,
            let fingerprint = try? Fingerprint(blob.contents, [blob.file])
        else { return false }
        let equal = try equal(to: blob, fingerprint)
        try tables.add(EntryDraft(blob, fingerprint: fingerprint, equal: equal))
        recovered.append((EntryID(id), blob.record))
        return true
    }

    /// Returns equal contents in the tables. Contents whose file is missing are taken for equal if the fingerprints are
    /// equal: the file was deleted because of this later copy.
    private func equal(to blob: BlobContents, _ fingerprint: Fingerprint) throws -> Int? {
        try database.rows(
            "SELECT id FROM content WHERE digest = ? AND length = ?",
            [.integer(fingerprint.digest), .integer(fingerprint.length)]
        ) { $0.integer(0) }.first { id in
            guard let file = try? blobs.file(id), let other = BlobContents(file) else { return true }
            return (try? Fingerprint.areEqual(blob.contents, [blob.file], other.contents, [file])) == true
        }
    }

    /// Writes the pasteboards: each gets the entry with its highest count. An entry outside the history was stored for
    /// undo, so it becomes an undo level.
    ///
    /// - Parameter known: The pasteboards whose states are known, and so not derived.
    func finish(pasteboards known: [PasteboardName: StoredPasteboard]) throws {
        var pasteboards = Dictionary(try StoreOpener.storedPasteboards(database).map { ($0.name, $0) }) { $1 }
        for (name, pasteboard) in known { pasteboards[name] = pasteboard }
        for (id, record) in recovered.sorted(by: { ($0.record.count, $0.id) < ($1.record.count, $1.id) }) {
            guard let name = try? PasteboardName(validating: record.pasteboard), known[name] == nil else { continue }
            var pasteboard = pasteboards[name] ?? StoredPasteboard(name: name, count: -1)
            guard record.count >= pasteboard.count else { continue }
            if let former = pasteboard.entry, try !isListed(former) {
                pasteboard.undo.append(StoredPasteboard.Level(former))
            }
            pasteboard.count = record.count
            pasteboard.entry = id
            pasteboard.expires = record.expires
            pasteboards[name] = pasteboard
        }
        for pasteboard in pasteboards.values { try tables.write(pasteboard) }
        for id in try tables.collect() { blobs.remove(id) }
    }

    private func isListed(_ id: EntryID) throws -> Bool {
        try database.first("SELECT listed FROM entry WHERE id = ?", [.integer(id.number)]) { $0.flag(0) } ?? true
    }
}
