extension Store {
    /// Sees that files are on the disk with their names.
    func syncBlobs(atMost limit: Int) {
        for id in chores.unsynced.prefix(limit) { blobs.sync(id) }
        chores.unsynced.removeFirst(min(limit, chores.unsynced.count))
    }
}

extension Store {
    /// Whether new contents become entries of the history. It stays so until it is told otherwise.
    package func setPaused(_ isPaused: Bool) throws(StoreFailure) {
        try performing { try database.run("UPDATE state SET paused = ?", [SQLValue(isPaused)]) }
    }

    /// The lines of the history, and the bytes of all files.
    package func usage() throws(StoreFailure) -> (entries: Int, bytes: Int) {
        try performing {
            try database.first("SELECT listed, bytes FROM total") { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
        }
    }

    /// Does some of the work that can wait: a few milliseconds of it, unless the disk is slow.
    ///
    /// - Returns: True while there is more.
    package func tidy(now: Int) throws(StoreFailure) -> Bool {
        syncBlobs(atMost: 8)
        return !chores.unsynced.isEmpty
    }
}
