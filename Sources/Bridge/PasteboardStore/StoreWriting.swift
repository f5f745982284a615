import LinuxSystem
import PasteboardModel
import UniformTypes

extension Store {
    /// Writes a change completely or not at all. Entries that a pasteboard refers to and that do not exist are left
    /// out.
    package func apply(_ change: StoreChange) throws(StoreFailure) {
        try performing {
            // A change without entries may use the reserve: clearing a pasteboard has to work on a full disk.
            if change.entries.isEmpty {
                try usingReserve { try write(change) }
            } else {
                try usingLog { try write(change) }
            }
        }
        let previous = (change.pasteboards.map(\.name) + change.removed).compactMap { pasteboards[$0] }
        for pasteboard in change.pasteboards { pasteboards[pasteboard.name] = pasteboard }
        for name in change.removed { pasteboards[name] = nil }
        // Contents with an expiry, and forgotten contents, do not stay in the log either.
        let hasExpired = previous.contains { $0.expires != nil && pasteboards[$0.name]?.entry != $0.entry }
        if hasExpired || change.entries.isEmpty && !change.withdrawn.isEmpty { maintenance.scrubbing = true }
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
        // A duplicate's contents continue to exist in the new blob, so the deletion of the old blob can wait. Deleting
        // takes half as long as the rest of the change.
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
        // In the blob, the entry counts as listed if an equal entry is listed: the blob of the equal entry is deleted,
        // and after a loss of the database, the new blob has to say that the contents are in the history.
        draft.record.listed = entry.isListed || equal?.isListed == true
        let header = try draft.header(of: entry.contents)
        draft.size = try blobs.write(entry.id.number, header: header, parts: entry.parts)
        draft.record.listed = entry.isListed
        return draft
    }

    func equal(
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

    /// The maximum number of files that are deleted during a change.
    private static let maxDeletedNow = 16

    /// Deletes files that the database no longer knows.
    ///
    /// - Parameter atOnce: True if a user waits for the deletion. Otherwise, the deletion of long files is left to
    ///   maintenance. In either case, only a few files are deleted now.
    func remove(_ files: [Int], atOnce: Bool = true) {
        for file in files.prefix(Self.maxDeletedNow) {
            if atOnce || (blobs.length(of: file) ?? 0) < BlobFolder.longThreshold {
                blobs.remove(file)
            } else {
                maintenance.pendingDeletion.append(file)
            }
        }
        maintenance.pendingDeletion += files.dropFirst(Self.maxDeletedNow)
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
