import PasteboardModel

extension Store {
    private struct Unwanted: Error {}

    /// Does ahead what the first change would do on top of what each does, and changes nothing: the statements of a change
    /// are compiled, the types of a manifest looked up by the runtime, and the log is begun. All of that takes longer than
    /// the change, and is done while nobody waits.
    ///
    /// What fails is told of the change that it fails with.
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
            let ledger = Ledger(database)
            try ledger.add(draft)
            try ledger.write(StoredBoard(name: name, count: 1, entry: entry.id))
            try ledger.write(StoredBoard(name: name, count: 2))
            _ = try ledger.collect()
            throw Unwanted()
        }
        if logLength == 0 { beginLog() }
    }

    /// Writes what is there already, so that the log has its header. SQLite waits until the disk has that, which may be
    /// longer than anything else that a change does. A row that stays as it is it does not write; the version it does.
    func beginLog() {
        try? database.transaction { try database.script("PRAGMA user_version = \(Schema.version)") }
    }
}
