import LinuxSystem
import PasteboardModel
import UniformTypes

extension Store {
    /// Writes a change completely or not at all. Entries that a pasteboard refers to and that do not exist are left
    /// out.
    package func apply(_ change: StoreChange, now: Int) throws(StoreFailure) {
        try performing {
            // A change without entries may use the reserve: clearing a pasteboard has to work on a full disk.
            if change.entries.isEmpty {
                try usingReserve { try write(change) }
            } else {
                try usingLog { try write(change) }
            }
        }
        let formers = (change.pasteboards.map(\.name) + change.removed).compactMap { pasteboards[$0] }
        for pasteboard in change.pasteboards { pasteboards[pasteboard.name] = pasteboard }
        for name in change.removed { pasteboards[name] = nil }
        // Contents with an expiry do not stay in the log either.
        if formers.contains(where: { $0.expires != nil && pasteboards[$0.name]?.entry != $0.entry }) {
            maintenance.scrubbing = true
        }
        if !change.entries.isEmpty { maintenance.limits = true }
        maintenance.indexing = true
        maintenance.logging = true
    }

    private func write(_ change: StoreChange) throws {
        var drafts: [EntryDraft] = []
        do {
            for entry in change.entries {
                let expires = change.pasteboards.first { $0.entry == entry.id }?.expires
                if let staged = change.staged[entry.id] {
                    try checkIsNew(entry)
                    drafts.append(try blobs.adopt(staged))
                } else {
                    drafts.append(try writeBlob(of: entry, expires: expires))
                }
            }
            try writeTables(change, drafts)
        } catch {
            for draft in drafts {
                let id = draft.record.id
                if let staged = change.staged[EntryID(id)] { blobs.release(staged) } else { blobs.remove(id) }
            }
            throw error
        }
    }

    private func checkIsNew(_ entry: NewEntry) throws {
        let exists = try database.first("SELECT 1 FROM entry WHERE id = ?1", [.integer(entry.id.number)]) { _ in true }
        guard exists == nil else { throw StoreFailure.broken("entry \(entry.id.number) exists already") }
    }

    private func writeTables(_ change: StoreChange, _ drafts: [EntryDraft]) throws {
        let unused = try database.transaction {
            let tables = EntryTables(database)
            for draft in drafts { try tables.add(draft) }
            for pasteboard in change.pasteboards { try tables.write(pasteboard) }
            for name in change.removed { try tables.remove(name) }
            for entry in change.withdrawn { try tables.withdraw(entry) }
            return try tables.collect()
        }
        maintenance.unsynced += drafts.map(\.record.id)
        maintenance.uncompared += drafts.lazy.filter { $0.fingerprint.length >= BlobFolder.longThreshold }
            .map(\.record.id)
        // A duplicate's contents continue to exist in the new blob, so the deletion of the old one can wait. Deleting
        // takes half as long as all the rest.
        let duplicates = Set(drafts.compactMap(\.equal))
        maintenance.pendingDeletion += unused.filter(duplicates.contains)
        remove(unused.filter { !duplicates.contains($0) }, atOnce: false)
    }

    private func writeBlob(of entry: NewEntry, expires: Int?) throws -> EntryDraft {
        do {
            return try draft(entry, expires: expires)
        } catch  where entry.files.contains(where: \.isTruncated) {
            throw StoreFailure.sourceCut
        }
    }

    private func draft(_ entry: NewEntry, expires: Int?) throws -> EntryDraft {
        let fingerprint = try Fingerprint(entry.contents, entry.files)
        try checkIsNew(entry)
        // Maintenance compares long contents.
        let equal =
            fingerprint.length < BlobFolder.longThreshold
            ? try equal(to: entry.contents, entry.files, fingerprint) : nil
        var draft = EntryDraft(entry, expires: expires, fingerprint: fingerprint, equal: equal?.content)
        // In the blob, the entry counts as listed if an equal one is: the blob of that one is deleted, and this one has
        // to say after a loss of the database that the contents are in the history.
        draft.record.listed = entry.isListed || equal?.isListed == true
        let header = try draft.header(of: entry.contents)
        draft.size = try blobs.write(entry.id.number, header: header, parts: entry.parts)
        draft.record.listed = entry.isListed
        return draft
    }

    private func equal(
        to contents: Contents, _ files: [MemoryFile], _ fingerprint: Fingerprint
    ) throws -> (content: Int, isListed: Bool)? {
        let candidates = try database.rows(
            "SELECT id, copies > 0 FROM content WHERE digest = ? AND length = ?",
            [.integer(fingerprint.digest), .integer(fingerprint.length)]
        ) { ($0.integer(0), $0.flag(1)) }
        return try candidates.first { id, _ in
            guard let file = try blobs.file(id), let other = BlobContents(file) else { return false }
            return try Fingerprint.areEqual(contents, files, other.contents, [file])
        }
    }

    /// Deletes files that the database no longer knows.
    ///
    /// - Parameter atOnce: True if a user waits for the deletion. If it is false, the deletion of long files is left to
    ///   maintenance. In any case only a few files are deleted now.
    func remove(_ files: [Int], atOnce: Bool = true) {
        for file in files.prefix(16) {
            if atOnce || (blobs.length(of: file) ?? 0) < BlobFolder.longThreshold {
                blobs.remove(file)
            } else {
                maintenance.pendingDeletion.append(file)
            }
        }
        maintenance.pendingDeletion += files.dropFirst(16)
    }

    // MARK: Reading

    /// Reads the contents of an entry, in the history or not.
    ///
    /// - Returns: nil if there is no such entry, or its blob is lost.
    package func contents(of id: EntryID) throws(StoreFailure) -> StoredContents? {
        try performing {
            let found = try database.first(
                """
                SELECT entry.content, entry.pasteboard, entry.count, entry.created, entry.action, entry.program,
                    entry.local, entry.listed, content.pinned
                FROM entry JOIN content ON content.id = entry.content WHERE entry.id = ?
                """, [.integer(id.number)]
            ) { row in
                (
                    content: row.integer(0), pasteboard: row.text(1), count: row.integer(2), created: row.integer(3),
                    action: row.optionalText(4), program: row.optionalText(5), isLocalOnly: row.flag(6),
                    isListed: row.flag(7), isPinned: row.flag(8)
                )
            }
            guard let found, let name = try? PasteboardName(validating: found.pasteboard) else { return nil }
            guard let file = try blobs.file(found.content), let blob = BlobContents(file) else {
                try removeLost([found.content])
                return nil
            }
            // Short contents are copied to memory, so that later reads do not depend on the disk.
            let source = file.length < BlobFolder.longThreshold ? try file.sealedCopy() : file
            return StoredContents(
                id: id, contents: blob.contents, files: [source], pasteboard: name, count: found.count,
                created: found.created, action: found.action, program: found.program,
                isLocalOnly: found.isLocalOnly, isListed: found.isListed, isPinned: found.isPinned)
        }
    }

    /// Removes contents whose files are missing or incomplete, and sets incomplete files aside.
    func removeLost(_ contents: [Int]) throws {
        notice(try StoreOpener.removeLost(contents, database, blobs))
    }

    // MARK: Rehearsal

    private struct RehearsalEnd: Error {}

    /// Does the one-time work of the first change in advance, while no call waits, and changes nothing: SQLite compiles
    /// the statements, the Swift runtime looks up the types of a manifest, and the log is created. All of that takes
    /// longer than the change itself.
    ///
    /// Failures are ignored here. The first change reports them.
    package func rehearse(now: Int) {
        guard let name = try? PasteboardName(validating: "org.xpb.rehearsal") else { return }
        let contents = Contents(items: [Item(representations: [])])
        let entry = NewEntry(
            id: opening.nextEntry, contents: contents, files: [], pasteboard: name, count: 1, created: now)
        try? database.transaction {
            let fingerprint = try Fingerprint(contents, [])
            let equal = try equal(to: contents, [], fingerprint)
            let draft = EntryDraft(entry, expires: nil, fingerprint: fingerprint, equal: equal?.content)
            _ = ItemArchive(contents, record: draft.record).header
            let tables = EntryTables(database)
            try tables.add(draft)
            try tables.write(StoredPasteboard(name: name, count: 1, entry: entry.id))
            try tables.write(StoredPasteboard(name: name, count: 2))
            _ = try tables.collect()
            throw RehearsalEnd()
        }
        if logLength == 0 { beginLog() }
    }

    /// Starts the log with a write that changes nothing. SQLite waits until the header of a new log is on the disk,
    /// which can take longer than all other steps of a change. SQLite does not write a row that stays the same, but it
    /// does write the version.
    func beginLog() {
        try? database.transaction { try database.script("PRAGMA user_version = \(Schema.version)") }
    }
}

/// An entry on its way into the database, after its blob was written.
struct EntryDraft {
    /// The limit on the text that is searched, in bytes.
    static let maxTextLength = 64 << 10

    var record: ItemArchive.Record
    /// The length of the blob in bytes.
    var size = 0
    let fingerprint: Fingerprint
    /// The equal contents in the database.
    let equal: Int?
    let types: [String]
    let items: Int
    /// The text that is searched.
    let text: String?

    init(_ entry: NewEntry, expires: Int?, fingerprint: Fingerprint, equal: Int?) {
        let text = entry.summary.text.map { $0.prefix(utf8: Self.maxTextLength) }
        self.fingerprint = fingerprint
        self.equal = equal
        self.text = text
        types = entry.contents.types.map(\.identifier)
        items = entry.contents.items.count
        record = ItemArchive.Record(
            id: entry.id.number, pasteboard: entry.pasteboard.string, count: entry.count, created: entry.created,
            expires: expires, action: entry.action, program: entry.program, localOnly: entry.isLocalOnly,
            listed: entry.isListed, text: entry.contents.plainText == nil ? text : nil,
            width: entry.summary.width, height: entry.summary.height)
    }

    /// Returns the header of the blob.
    mutating func header(of contents: Contents) throws(StoreFailure) -> [UInt8] {
        var archive = ItemArchive(contents, record: record)
        if archive.isTooLong {
            // The text is only needed for the search after a loss of the database.
            record.text = nil
            archive = ItemArchive(contents, record: record)
        }
        guard !archive.isTooLong else { throw .broken("the manifest of the contents is too long") }
        return archive.header
    }

    /// Creates the draft of an entry that is recovered from its blob.
    init(_ blob: BlobContents, fingerprint: Fingerprint, equal: Int?) {
        self.fingerprint = fingerprint
        self.equal = equal
        record = blob.record
        size = blob.file.length
        types = blob.contents.types.map(\.identifier)
        items = blob.contents.items.count
        text = blob.record.text ?? blob.text
    }
}
