import LinuxSystem
package import PasteboardModel
import SystemPackage

/// Contents, pasteboards and the history on a disk: a database, `store.sqlite`, beside a file for each contents.
///
/// What a call has written when it returns outlives the process, however it ends. A power cut may lose the last moments
/// before the latest ``tidy(now:)``, and damages nothing. A database that cannot be read is set aside, and made again from
/// the manifests in the files.
///
/// It is used by one thread at a time.
package final class Store {
    /// How much the history keeps. What is pinned, or on a pasteboard, or can be gone back to, stays, and only what is
    /// pinned does not count.
    package struct Limits: Equatable, Sendable {
        /// Lines of the list.
        package var entries: Int
        package var age: Duration?
        /// Of the files.
        package var bytes: Int

        package init(entries: Int, age: Duration?, bytes: Int) {
            self.entries = entries
            self.age = age
            self.bytes = bytes
        }
    }

    /// What was there.
    package struct Opening: Sendable {
        /// Their counts are no lower than any that was told.
        package var boards: [StoredBoard]
        /// Those that ``Store/close(counts:)`` was given last. Empty after an end that was not in order.
        package var counts: [PasteboardName: Int]
        /// The number for the next entry, from which they go up.
        package var nextEntry: EntryID
        package var isPaused: Bool
        /// The store was closed in order.
        package var wasClosed: Bool
        /// Sentences for the log: what was set aside, what was recovered, what is lost.
        package var notices: [String]
    }

    let folder: String
    let blobs: BlobFolder
    /// Nil once the store is closed.
    private var lock: FileLock?
    let reserve: Reserve
    /// Another one after the former was damaged.
    var database: Database
    /// The pasteboards as they were told last: a new database is given them.
    var boards: [PasteboardName: StoredBoard] = [:]
    /// What is to be done when there is time.
    var chores = Chores(isChecking: true)
    private var notices: [String] = []

    package let opening: Opening
    package var limits: Limits { didSet { chores.limits = true } }

    /// Opens the store in that folder; makes it, and the folders that lead to it, where there is none.
    ///
    /// - Parameter now: In milliseconds of the Unix epoch, as in all calls.
    package init(at folder: String, limits: Limits, now: Int) throws(StoreFailure) {
        self.folder = folder
        self.limits = limits
        blobs = BlobFolder(in: folder)
        try BlobFolder.make(folder)
        try BlobFolder.makePrivate(folder)
        lock = try Self.lock(folder)
        reserve = Reserve(in: folder)
        try blobs.make()
        let opener = Opener(folder: folder, blobs: blobs)
        (database, opening) = try Self.failing { try opener.open() }
        chores = Chores(isChecking: opener.leftovers)
        boards = Dictionary(opening.boards.map { ($0.name, $0) }) { $1 }
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
                // It is locked, and there is no room to say by whom.
                isLocked = true
            }
        } catch {
            throw StoreFailure(error, path)
        }
        guard isLocked else { throw .locked(process: lock.holder()) }
        return lock
    }

    private static func lockPath(_ folder: String) -> String { "\(folder)/lock" }

    /// Waits until nobody has the store in that folder, or until the deadline. It may be that somebody else is faster then.
    package static func awaitRelease(at folder: String, until deadline: ContinuousClock.Instant) {
        _ = try? FileLock.awaitRelease(of: lockPath(folder), until: deadline)
    }

    /// An orderly end.
    ///
    /// - Parameter counts: Of all pasteboards, as they are, and of those that were removed.
    package func close(counts: [PasteboardName: Int]) {
        removeDoomed(atMost: 1_000)
        let isUnfinished = chores.shard != nil || chores.verified != nil || !chores.doomed.isEmpty
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
            Opener(folder: folder, blobs: blobs).unmark()
        } catch {
            // Then the counts of the next start are higher than they have to be; nothing is lost.
            database.closeUntouched()
        }
        lock = nil
    }

    /// Sentences for the log about what has happened since the store was opened, each once.
    package func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    func notice(_ sentence: String) { notices.append(sentence) }

    // MARK: Failures

    /// Does something with the database. Where that turns out to be damaged, it is made again, and `body` is called once
    /// more.
    func performing<Result>(_ body: () throws -> Result) throws(StoreFailure) -> Result {
        guard lock != nil else { throw .broken("it is closed") }
        return try Self.failing {
            do {
                return try body()
            } catch let error as DatabaseError where error.kind == .damaged {
                try recover(from: error)
                return try body()
            }
        }
    }

    static func failing<Result>(_ body: () throws -> Result) throws(StoreFailure) -> Result {
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

    /// Does something; on a full disk once more, when the log, and the files that were to be removed, have given their room
    /// back.
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

    private func makeRoom() -> Bool {
        let hasDoomed = !chores.doomed.isEmpty
        removeDoomed(atMost: .max)
        return shortenLog() || hasDoomed
    }

    /// Does something that makes room; on a full disk, with the room that was put by for that.
    func usingReserve<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError where error.kind == .noRoom {
            guard reserve.give() else { throw error }
            chores.reserving = true
            return try body()
        }
    }

    private func recover(from error: DatabaseError) throws {
        let opener = Opener(folder: folder, blobs: blobs)
        defer { notices += opener.notices }
        // Where the former attempt failed, it is closed and set aside already.
        if !database.isClosed {
            if error.isOfIndex {
                notice("the index of the history in \(folder) is damaged (\(error.message)); it was made anew")
                do {
                    try database.transaction { try Schema.renewIndex(database) }
                    chores.indexing = true
                    return
                } catch {}
            }
            database.closeUntouched()
            try opener.setAside(error.message)
        }
        database = try opener.makeDatabase(boards: boards)
        chores = Chores(isChecking: true)
    }
}
