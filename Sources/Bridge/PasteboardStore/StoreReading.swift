import LinuxSystem
import PasteboardModel

/// Reading entries.
extension Store {
    /// Reads the contents of an entry, in the history or not.
    ///
    /// - Returns: nil if there is no such entry, or its blob is lost.
    package func contents(of id: EntryID) throws(StoreFailure) -> StoredContents? {
        try performing {
            let found = try database.first(
                """
                SELECT entry.content, entry.pasteboard, entry.count, entry.created, entry.action, entry.program,
                    entry.local, entry.listed = 1, content.pinned
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
}
