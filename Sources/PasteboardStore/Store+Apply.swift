import LinuxSystem
import PasteboardModel
import UniformTypes

extension Store {
    /// Writes a change: all of it, or nothing.
    ///
    /// What a pasteboard refers to that is not there is left out.
    package func apply(_ change: StoreChange, now: Int) throws(StoreFailure) {
        // That a pasteboard was cleared has to be written in any case.
        try performing {
            if change.entries.isEmpty {
                try usingReserve { try write(change) }
            } else {
                try usingLog { try write(change) }
            }
        }
        for board in change.boards { boards[board.name] = board }
        for name in change.removed { boards[name] = nil }
        if !change.entries.isEmpty { chores.limits = true }
        chores.indexing = true
        chores.logging = true
    }

    private func write(_ change: StoreChange) throws {
        var drafts: [EntryDraft] = []
        do {
            for entry in change.entries {
                let expires = change.boards.first { $0.entry == entry.id }?.expires
                do {
                    drafts.append(try draft(entry, expires: expires))
                } catch  where entry.files.contains(where: \.isCut) {
                    throw StoreFailure.sourceCut
                }
            }
            let unused = try database.transaction {
                let ledger = Ledger(database)
                for draft in drafts { try ledger.add(draft) }
                for board in change.boards { try ledger.write(board) }
                for name in change.removed { try ledger.remove(name) }
                for entry in change.withdrawn { try ledger.withdraw(entry) }
                return try ledger.collect()
            }
            chores.unsynced += drafts.map(\.record.id)
            chores.uncompared += drafts.lazy.filter { $0.fingerprint.length >= BlobFolder.leastShared }.map(\.record.id)
            // What is equal to new contents lives on in their file. That its own goes can wait, and it takes half as long as
            // all the rest.
            let doubles = Set(drafts.compactMap(\.equal))
            chores.doomed += unused.filter(doubles.contains)
            remove(unused.filter { !doubles.contains($0) }, atOnce: false)
        } catch {
            for draft in drafts { blobs.remove(draft.record.id) }
            throw error
        }
    }

    /// Writes the file of contents.
    private func draft(_ entry: NewEntry, expires: Int?) throws -> EntryDraft {
        let fingerprint = try Fingerprint(entry.contents, entry.files)
        let isThere = try database.first("SELECT 1 FROM entry WHERE id = ?1", [.integer(entry.id.number)]) { _ in true }
        guard isThere == nil else { throw StoreFailure.broken("entry \(entry.id.number) is there already") }
        // Long ones are compared later.
        let equal =
            fingerprint.length < BlobFolder.leastShared
            ? try equal(to: entry.contents, entry.files, fingerprint) : nil
        var draft = EntryDraft(entry, expires: expires, fingerprint: fingerprint, equal: equal?.content)
        // The file of what it is equal to goes, and with it what tells that this is in the history.
        draft.record.listed = entry.isListed || equal?.isListed == true
        var archive = ItemArchive(entry.contents, record: draft.record)
        if archive.isTooLong {
            // The text can be spared.
            draft.record.text = nil
            archive = ItemArchive(entry.contents, record: draft.record)
        }
        guard !archive.isTooLong else { throw StoreFailure.broken("the contents have a manifest that is too long") }
        let parts = entry.contents.items.flatMap(\.representations).compactMap { part in
            part.range.map { (entry.files[part.source], $0) }
        }
        draft.size = try blobs.write(entry.id.number, header: archive.header, parts: parts)
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

    /// Removes files that nothing in the database stands for any more.
    ///
    /// - Parameter atOnce: A few are, since it is their user who waits for them to be gone. The others are a chore, and so
    ///   is a long one that is only replaced.
    func remove(_ files: [Int], atOnce: Bool = true) {
        for file in files.prefix(16) {
            if atOnce || (blobs.length(of: file) ?? 0) < BlobFolder.leastShared {
                blobs.remove(file)
            } else {
                chores.doomed.append(file)
            }
        }
        chores.doomed += files.dropFirst(16)
    }

    /// Removes some of the files whose removal was put off, the last ones first.
    func removeDoomed(atMost limit: Int) {
        for id in chores.doomed.suffix(limit) { blobs.remove(id) }
        chores.doomed.removeLast(min(limit, chores.doomed.count))
    }
}

/// An entry whose file is written, on its way into the database.
struct EntryDraft {
    var record: ItemArchive.Record
    /// Of its file, in bytes.
    var size = 0
    let fingerprint: Fingerprint
    /// The contents in the database that are equal.
    let equal: Int?
    let types: [String]
    let items: Int
    /// What is searched.
    let text: String?

    /// The longest text that is searched, in bytes.
    static let longestText = 64 << 10

    init(_ entry: NewEntry, expires: Int?, fingerprint: Fingerprint, equal: Int?) {
        let text = entry.summary.text.map { $0.prefix(utf8: Self.longestText) }
        self.fingerprint = fingerprint
        self.equal = equal
        self.text = text
        types = entry.contents.types.map(\.identifier)
        items = entry.contents.items.count
        record = ItemArchive.Record(
            id: entry.id.number, pasteboard: entry.pasteboard.string, count: entry.count, created: entry.created,
            expires: expires, action: entry.action, program: entry.program, localOnly: entry.isLocalOnly,
            listed: entry.isListed, text: BlobText.isEvident(in: entry.contents) ? nil : text,
            width: entry.summary.width, height: entry.summary.height)
    }

    /// What a file of the store says.
    init(_ blob: BlobContents, fingerprint: Fingerprint, equal: Int?) {
        self.fingerprint = fingerprint
        self.equal = equal
        record = blob.record
        size = blob.file.length
        types = blob.contents.types.map(\.identifier)
        items = blob.contents.items.count
        text = blob.record.text ?? BlobText.text(of: blob)
    }
}
