import LinuxSystem
package import PasteboardModel
import SystemPackage

/// The stored contents, pasteboards and history of a bridge: a database, `store.sqlite`, and a file for the contents of
/// each entry, its blob.
///
/// Once a call returns, its change survives the end of the process, however the process ends. A power cut can lose the
/// changes since the latest ``performMaintenance(now:)`` and damages nothing. If the database cannot be read, it is set
/// aside, and a new database is made from the manifests in the blobs.
///
/// A store is used by one thread at a time.
package final class Store {
    /// The limits of the history. Pinned entries, and entries that a pasteboard has or can go back to, are never
    /// dropped. The limit on lines counts the entries of pasteboards, but not pinned entries; the limit on bytes counts
    /// neither.
    package struct Limits: Equatable, Sendable {
        /// The limit on the number of lines.
        package var entries: Int
        package var age: Duration?
        /// The limit on the sum of the lengths of the blobs, in bytes.
        package var bytes: Int

        package init(entries: Int, age: Duration?, bytes: Int) {
            self.entries = entries
            self.age = age
            self.bytes = bytes
        }
    }

    /// The state that the store had when it was opened.
    package struct Opening: Sendable {
        /// The pasteboards, whose counts are not lower than any reported count.
        package var pasteboards: [StoredPasteboard]
        /// The counts that ``Store/close(counts:)`` recorded; empty after a crash.
        package var counts: [PasteboardName: Int]
        /// The number of the next entry; later entries have higher numbers.
        package var nextEntry: EntryID
        package var isPaused: Bool
        /// True if the store was closed in an orderly way.
        package var wasClosed: Bool
        /// Sentences for the log about files that were set aside, recovered or lost.
        package var notices: [String]
    }

    let folder: String
    let blobs: BlobFolder
    /// The lock on the folder; nil once the store is closed.
    private var lock: FileLock?
    let reserve: DiskReserve
    /// The database, which is replaced if it turns out to be damaged.
    package internal(set) var database: Database
    /// The latest states of the pasteboards, for a new database.
    var pasteboards: [PasteboardName: StoredPasteboard] = [:]
    package internal(set) var maintenance = Maintenance(isChecking: true)
    private var notices: [String] = []
    /// The latest search, which can continue until something else is done with the store.
    var pausedSearch: HistorySearch?
    /// The clock by which a search pauses. Tests replace it.
    package var searchClock: () -> ContinuousClock.Instant = { .now }

    package let opening: Opening
    package var limits: Limits { didSet { maintenance.limits = true } }

    /// Opens the store in a folder. Makes the folder, its missing parents, and the store if they do not exist.
    ///
    /// - Parameter now: The present time, here and in all calls, in milliseconds since the Unix epoch.
    package init(at folder: String, limits: Limits, now: Int) throws(StoreFailure) {
        self.folder = folder
        self.limits = limits
        blobs = BlobFolder(in: folder)
        try BlobFolder.make(folder)
        try BlobFolder.makePrivate(folder)
        lock = try Self.lock(folder)
        reserve = DiskReserve(in: folder)
        try blobs.make()
        let opener = StoreOpener(folder: folder, blobs: blobs)
        (database, opening) = try Self.mappingErrors { try opener.open() }
        maintenance = Maintenance(isChecking: opener.needsChecking)
        pasteboards = Dictionary(opening.pasteboards.map { ($0.name, $0) }) { $1 }
    }

    deinit { database.closeUntouched() }

    private static func lock(_ folder: String) throws(StoreFailure) -> FileLock {
        let path = lockPath(folder)
        let isLocked: Bool
        let lock: FileLock
        do throws(Errno) {
            lock = try FileLock.open(path)
            do throws(Errno) {
                isLocked = try lock.tryLock()
            } catch .noSpace {
                // The lock is acquired; the full disk only has no room for the id of this process.
                isLocked = true
            }
        } catch {
            throw StoreFailure(error, path)
        }
        guard isLocked else { throw .locked(process: lock.holder()) }
        return lock
    }

    private static func lockPath(_ folder: String) -> String { "\(folder)/lock" }

    /// Waits until no process has the store in a folder, or until the deadline. Another process may then open the store
    /// first.
    package static func awaitRelease(at folder: String, until deadline: ContinuousClock.Instant) {
        _ = try? FileLock.awaitRelease(of: lockPath(folder), until: deadline)
    }

    /// Closes the store in an orderly way, with the counts of all pasteboards, even removed pasteboards.
    package func close(counts: [PasteboardName: Int]) {
        pausedSearch = nil
        deletePending(atMost: 1_000)
        let isUnfinished =
            maintenance.shard != nil || maintenance.verified != nil || !maintenance.pendingDeletion.isEmpty
        do {
            try database.transaction {
                try database.run("DELETE FROM last_count")
                for (name, count) in counts {
                    let values: [SQLValue] = [.text(name.string), .integer(count)]
                    try database.run("INSERT INTO last_count VALUES (?1, ?2)", values)
                    try database.run("UPDATE board SET count = ?2 WHERE name = ?1", values)
                }
                try database.run("UPDATE state SET unfinished = ?", [SQLValue(isUnfinished)])
            }
            syncBlobs(atMost: .max)
            database.close()
            StoreOpener(folder: folder, blobs: blobs).unmark()
        } catch {
            // Nothing is lost: the next start only continues from higher counts than necessary.
            database.closeUntouched()
        }
        lock = nil
    }

    /// Returns the sentences for the log since the last call.
    package func drainNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    func notice(_ sentence: String) { notices.append(sentence) }

    /// Sets whether new contents become entries of the history. The setting outlives the process.
    package func setPaused(_ isPaused: Bool) throws(StoreFailure) {
        try performing { try usingReserve { try database.run("UPDATE state SET paused = ?", [SQLValue(isPaused)]) } }
    }

    /// Returns the number of lines of the history, and the sum of the lengths of all blobs in bytes.
    package func usage() throws(StoreFailure) -> (entries: Int, bytes: Int) {
        try performing(keepingSearch: true) {
            try database.first("SELECT listed, bytes FROM total") { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
        }
    }

    // MARK: Failures

    /// Calls `body`, which uses the database. If the database turns out to be damaged, makes a new database and calls
    /// `body` again.
    ///
    /// - Parameter keepingSearch: True if `body` does not change the lines that the paused search has yet to find.
    func performing<Result>(keepingSearch: Bool = false, _ body: () throws -> Result) throws(StoreFailure) -> Result {
        guard lock != nil else { throw .broken("it is closed") }
        if !keepingSearch { pausedSearch = nil }
        return try Self.mappingErrors {
            do {
                return try body()
            } catch let error as DatabaseError where error.kind == .damaged {
                try recover(from: error)
                return try body()
            }
        }
    }

    private static func mappingErrors<Result>(_ body: () throws -> Result) throws(StoreFailure) -> Result {
        do {
            return try body()
        } catch let failure as StoreFailure {
            throw failure
        } catch let error as DatabaseError {
            throw StoreFailure(error)
        } catch let error as Errno {
            throw StoreFailure(error, "a file of the store")
        } catch {
            throw .broken("\(error)")
        }
    }

    /// Calls `body`. If the disk is full, makes room by shortening the log and deleting pending files, and calls `body`
    /// again.
    func usingLog<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as StoreFailure {
            guard case .noRoom = failure, makeRoom() else { throw failure }
        } catch let error as DatabaseError where error.kind == .noRoom {
            guard makeRoom() else { throw error }
        }
        return try body()
    }

    /// Makes room on a full disk by shortening the log and deleting pending files.
    ///
    /// - Returns: true if there may be more room.
    package func makeRoom() -> Bool {
        let hadPending = !maintenance.pendingDeletion.isEmpty
        deletePending(atMost: .max)
        return shortenLog() || hadPending
    }

    /// Calls `body`, which makes room on the disk. If the disk is full, releases the reserve and calls `body` once
    /// more.
    func usingReserve<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError where error.kind == .noRoom {
            guard reserve.release() else { throw error }
            maintenance.reserving = true
            return try body()
        }
    }

    private func recover(from error: DatabaseError) throws {
        pausedSearch = nil
        let opener = StoreOpener(folder: folder, blobs: blobs)
        defer { notices += opener.notices }
        // If an earlier recovery failed, the database is closed and set aside already.
        if !database.isClosed {
            if error.isOfIndex, rebuildIndex(after: error) { return }
            database.closeUntouched()
            try opener.setAside(error.message)
        }
        database = try opener.makeDatabase(pasteboards: pasteboards)
        maintenance = Maintenance(isChecking: true)
    }

    /// - Returns: false if the index cannot be rebuilt, so that the database has to be rebuilt.
    private func rebuildIndex(after error: DatabaseError) -> Bool {
        notice("the index of the history in \(folder) is damaged (\(error.message)); it was rebuilt")
        do {
            try database.transaction { try Schema.rebuildIndex(database) }
        } catch {
            return false
        }
        maintenance.indexing = true
        maintenance.deletingFormerIndex = true
        return true
    }
}
