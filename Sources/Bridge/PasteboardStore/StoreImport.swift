import LinuxSystem
import PasteboardModel

/// Imports into the history. An import is made completely or not at all.
///
/// An import takes seconds, and other calls must not wait for it. So the entries are *staged* first, some at a time:
/// they are in the tables, but no query shows them. A single short transaction lists all staged entries at the end.
/// Entries that are still staged when a store is opened belong to an import that a crash has cut short, and are
/// removed.
extension Store {
    /// An entry of an import, and whether it is pinned.
    package struct Imported {
        let entry: NewEntry
        let isPinned: Bool

        package init(_ entry: NewEntry, isPinned: Bool) {
            self.entry = entry
            self.isPinned = isPinned
        }
    }

    /// Returns the number of entries and of bytes that the history has room for under its limits.
    package func importRoom() throws(StoreFailure) -> (entries: Int, bytes: Int) {
        try performing {
            let loose = try database.first("SELECT loose, loose_bytes FROM total") { ($0.integer(0), $0.integer(1)) }
            return (max(limits.entries - (loose?.0 ?? 0), 0), max(limits.bytes - (loose?.1 ?? 0), 0))
        }
    }

    /// Stages entries, except those whose contents are in the history already.
    ///
    /// - Returns: The number of staged entries.
    package func stage(_ imported: [Imported]) throws(StoreFailure) -> Int {
        let count = try performing { try usingLog { try write(imported) } }
        maintenance.logging = true
        return count
    }

    private func write(_ imported: [Imported]) throws -> Int {
        guard let last = imported.last?.entry.id.number else { return 0 }
        // A blob with a higher number than the next entry would be taken for a lost entry after a crash.
        try database.run("UPDATE state SET next_entry = max(next_entry, ?)", [.integer(last + 1)])
        var written: [Int] = []
        do {
            let (staged, unused) = try database.transaction {
                let tables = EntryTables(database)
                for item in imported {
                    guard let draft = try stagedDraft(item) else { continue }
                    written.append(draft.record.id)
                    try tables.add(draft)
                }
                return (written, try tables.collect())
            }
            maintenance.unsynced += staged
            maintenance.pendingDeletion += unused
            return staged.count
        } catch {
            for id in written { blobs.remove(id) }
            throw error
        }
    }

    /// Writes the blob of an entry, and returns its draft; nil if its contents are in the history already.
    private func stagedDraft(_ item: Imported) throws -> EntryDraft? {
        let entry = item.entry
        let fingerprint = try Fingerprint(entry.contents, entry.files)
        let equal = try self.equal(to: entry.contents, entry.files, fingerprint)
        guard equal?.isListed != true else { return nil }
        var draft = EntryDraft(entry, expires: nil, fingerprint: fingerprint, equal: equal?.content)
        draft.size = try blobs.write(
            entry.id.number, header: try draft.header(of: entry.contents), parts: entry.parts)
        draft.record.pinned = item.isPinned
        draft.isStaged = true
        return draft
    }

    /// Lists all staged entries.
    ///
    /// - Returns: The number of entries that are new in the history.
    package func finishImport() throws(StoreFailure) -> Int {
        let count = try performing {
            try usingLog { try database.transaction { try EntryTables(database).listStaged() } }
        }
        maintenance.limits = true
        maintenance.indexing = true
        maintenance.logging = true
        return count
    }

    /// Removes some of the staged entries.
    ///
    /// - Returns: false if no staged entries are left.
    package func abandonImport() throws(StoreFailure) -> Bool {
        try performing {
            try usingReserve {
                let (isDone, unused) = try Self.releaseStaged(in: database)
                remove(unused)
                return !isDone
            }
        }
    }

    /// The maximum number of staged entries that are removed at once.
    private static let maxReleased = 64

    /// Removes some of the staged entries, and returns the files that are no longer needed.
    static func releaseStaged(in database: Database) throws -> (isDone: Bool, unused: [Int]) {
        try database.transaction {
            let tables = EntryTables(database)
            let isDone = try !tables.releaseStaged(atMost: maxReleased)
            return (isDone, try tables.collect())
        }
    }
}
