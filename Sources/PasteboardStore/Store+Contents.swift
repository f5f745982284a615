import LinuxSystem
import PasteboardModel

extension Store {
    /// Contents that are kept, in the history or not.
    ///
    /// - Returns: Nil where there is no such entry, or its file is lost.
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
                try lose([found.content])
                return nil
            }
            // A short one is in memory then, whatever the disk does.
            let held = file.length < BlobFolder.leastShared ? try file.sealedCopy() : file
            return StoredContents(
                id: id, contents: blob.contents, files: [held], pasteboard: name, count: found.count,
                created: found.created, action: found.action, program: found.program,
                isLocalOnly: found.isLocalOnly, isListed: found.isListed, isPinned: found.isPinned)
        }
    }

    /// Forgets contents whose files are missing or not whole. What is left of those is set aside.
    func lose(_ contents: [Int]) throws {
        try Opener.lose(contents, database, blobs)
        notice(
            "\(contents.count.counted("file")) of contents in \(blobs.path) \(contents.count == 1 ? "is" : "are") lost")
    }
}
