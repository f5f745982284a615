import CSQLite
import Glibc
import LinuxSystem
import PasteboardModel
import SystemPackage

/// The opener of a store's database. If the database is lost or damaged, the opener sets the damaged files aside and
/// makes a new database from the blobs.
final class StoreOpener {
    let folder: String
    let blobs: BlobFolder
    /// Sentences for the log.
    private(set) var notices: [String] = []
    /// True if there may be files that the database does not know, or entries whose files are missing.
    private(set) var needsChecking = false
    /// True if the database was made from the blobs.
    var isRebuilt = false

    private var path: String { "\(folder)/store.sqlite" }
    /// A file that exists while the store is open, so that a file left by an earlier process shows a crash. The file is
    /// empty, so it can be made on a full disk.
    private var marker: String { "\(folder)/open" }

    /// The suffixes of the database and its log.
    private static let suffixes = ["", "-wal"]

    init(folder: String, blobs: BlobFolder) {
        self.folder = folder
        self.blobs = blobs
    }

    func notice(_ sentence: String) { notices.append(sentence) }

    /// - Throws: `StoreFailure`, `DatabaseError` and `Errno`.
    func open() throws -> (Database, Store.Opening) {
        let wasRunning = BlobFolder.length(of: marker) != nil
        do {
            return try open(wasRunning: wasRunning)
        } catch let error as DatabaseError where error.kind == .damaged {
            try setAside(error.message)
            return try open(wasRunning: wasRunning)
        }
    }

    private func open(wasRunning: Bool) throws -> (Database, Store.Opening) {
        let database = try makeDatabase(pasteboards: [:])
        do {
            return (database, try opening(of: database, wasRunning: wasRunning))
        } catch {
            database.closeUntouched()
            throw error
        }
    }

    // MARK: The database

    /// Opens the database, or makes one from the blobs.
    ///
    /// - Parameter pasteboards: The known states of pasteboards, for a new database.
    func makeDatabase(pasteboards: [PasteboardName: StoredPasteboard]) throws -> Database {
        if let file = DatabaseFile(path) {
            try checkVersion(file.version)
            if file.isTruncated { throw DatabaseError(code: SQLITE_CORRUPT, message: "the file is truncated") }
        }
        let database = try connect()
        do {
            let version = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
            try checkVersion(version)
            // Only for a new database, because this pragma writes, and fails on a full disk.
            if version == 0 { try database.script("PRAGMA auto_vacuum = INCREMENTAL") }
            try database.script("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            if version == 0 {
                try rebuild(database, pasteboards: pasteboards)
            } else if version < Schema.version {
                try database.transaction { try Schema.migrate(database, from: version) }
            }
            return database
        } catch {
            database.closeUntouched()
            throw error
        }
    }

    private func checkVersion(_ version: Int) throws(StoreFailure) {
        guard version <= Schema.version else { throw .newer(version: version, folder: folder) }
    }

    private func connect() throws -> Database {
        // SQLite would create the file readable for other users. SQLite gives its other files the permissions of this
        // file.
        try createFile(path, .readWrite)
        let database = try Database(path)
        do {
            // No other process opens the database: with an exclusive lock, SQLite keeps the index of the log in memory
            // instead of a file, and skips the lock at each transaction.
            try database.script(
                """
                PRAGMA locking_mode = EXCLUSIVE;
                PRAGMA foreign_keys = ON;
                PRAGMA secure_delete = ON;
                PRAGMA temp_store = MEMORY;
                PRAGMA cell_size_check = ON;
                PRAGMA wal_autocheckpoint = 8192;
                CREATE TEMP TABLE chosen (id INTEGER PRIMARY KEY);
                """)
            return database
        } catch {
            database.closeUntouched()
            throw error
        }
    }

    private func mark() throws { try createFile(marker, .writeOnly) }

    /// Records an orderly end.
    func unmark() { unsafe unlink(marker) }

    /// Creates a file for this user only, unless it exists.
    private func createFile(_ path: String, _ mode: FileDescriptor.AccessMode) throws(StoreFailure) {
        do throws(Errno) {
            _ = try Descriptor.open(
                FilePath(path), mode, options: [.create, .noFollow], permissions: .ownerReadWrite)
        } catch {
            throw StoreFailure(error, path)
        }
    }

    /// Renames the database and its log.
    func setAside(_ reason: String) throws {
        let aside = "\(path).damaged-\(Self.timestamp())"
        for suffix in Self.suffixes {
            guard unsafe rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw StoreFailure(Errno(rawValue: errno), path)
            }
        }
        notice("the database in \(folder) is damaged (\(reason)); it was set aside as \(aside)")
    }

    /// Returns the present time, such as "20261121T174500Z".
    private static func timestamp() -> String {
        var seconds = time(nil)
        var date = unsafe tm()
        unsafe gmtime_r(&seconds, &date)
        let parts = unsafe [date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec]
        let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits[..<3].joined() + "T" + digits[3...].joined() + "Z"
    }

    // MARK: The contents of the store

    /// Reads the state of the store, repairs what a crash left behind, and marks the store as open.
    private func opening(of database: Database, wasRunning: Bool) throws -> Store.Opening {
        let state = try database.first("SELECT next_entry, paused, unfinished FROM state") { row in
            (next: row.integer(0), isPaused: row.flag(1), isUnfinished: row.flag(2))
        }
        // The first migration inserts the row.
        guard let state else { throw DatabaseError(code: SQLITE_CORRUPT, message: "it has no state") }
        let wasClosed = !wasRunning && !isRebuilt
        needsChecking = !wasClosed || state.isUnfinished
        if wasRunning { try recoverUnlisted(database, from: state.next) }
        try removeMissing(database)
        try removeStaged(database)
        var pasteboards = try Self.storedPasteboards(database)
        var counts = try Self.counts(database)
        let floor = try countFloor(highest: (pasteboards.map(\.count) + counts.values).max() ?? 0)
        if !wasClosed {
            for index in pasteboards.indices { pasteboards[index].count = max(pasteboards[index].count, floor) }
            counts = [:]
        }
        try mark()
        let next = try database.first("SELECT next_entry FROM state") { $0.integer(0) }
        return Store.Opening(
            pasteboards: pasteboards, counts: counts, nextEntry: EntryID(next ?? state.next), isPaused: state.isPaused,
            wasClosed: wasClosed, notices: notices)
    }

    /// Removes the entries of an import that was cut short.
    private func removeStaged(_ database: Database) throws {
        while true {
            let (isDone, unused) = try Store.releaseStaged(in: database)
            for id in unused { blobs.remove(id) }
            if isDone { return }
        }
    }

    /// Returns the bound of the counts, after restoring it from the database if its file was lost.
    private func countFloor(highest: Int) throws -> Int {
        let floor = try CountFloor(at: folder) {
            if highest > 0 {
                self.notice("the file of the change counts in \(self.folder) was lost; counts continue higher")
            }
            return highest
        }
        // If the file was created before the store was opened, without the database, it starts too low.
        if highest > floor.floor { floor.reserve(highest) }
        return floor.floor
    }

    /// Removes entries that pasteboards need but whose files are missing. Maintenance checks the other entries.
    private func removeMissing(_ database: Database) throws {
        let held = try database.rows(
            """
            SELECT DISTINCT content.id, content.size FROM hold JOIN entry ON entry.id = hold.entry
                JOIN content ON content.id = entry.content
            """
        ) { ($0.integer(0), $0.integer(1)) }
        let missing = held.filter { blobs.length(of: $0.0) != $0.1 }.map(\.0)
        guard !missing.isEmpty else { return }
        notice(try Self.removeLost(missing, database, blobs))
    }

    /// Removes contents whose files are missing or incomplete, and sets incomplete files aside.
    ///
    /// - Returns: A sentence for the log.
    static func removeLost(_ contents: [Int], _ database: Database, _ blobs: BlobFolder) throws -> String {
        try database.transaction {
            let tables = EntryTables(database)
            for id in contents { try tables.removeLostContent(id) }
            _ = try tables.collect()
        }
        for id in contents where blobs.length(of: id) != nil { blobs.setAside(id) }
        let verb = contents.count == 1 ? "is" : "are"
        return "\(contents.count.counted("file")) of contents in \(blobs.path) \(verb) lost"
    }

    static func storedPasteboards(_ database: Database) throws -> [StoredPasteboard] {
        var pasteboards = try database.rows(
            """
            SELECT name, count, expires, boot, boot_expires, origin_time, origin_machine, maker FROM board ORDER BY name
            """
        ) { row in
            (try? PasteboardName(validating: row.text(0))).map {
                let boot = row.optionalText(3).map { StoredPasteboard.BootExpiry(boot: $0, time: row.integer(4)) }
                let origin = row.optionalText(6).map { ContentsOrigin(time: row.integer(5), machine: $0) }
                return StoredPasteboard(
                    name: $0, count: row.integer(1), expires: row.optionalInteger(2), bootExpires: boot,
                    origin: origin, maker: row.optionalText(7))
            }
        }.compactMap(\.self)
        for index in pasteboards.indices { try readHolds(of: &pasteboards[index], database) }
        return pasteboards
    }

    private static func readHolds(of pasteboard: inout StoredPasteboard, _ database: Database) throws {
        _ = try database.rows(
            "SELECT place, entry, action FROM hold WHERE board = ? ORDER BY place, position",
            [.text(pasteboard.name.string)]
        ) { row in
            let level = StoredPasteboard.Level(EntryID(row.integer(1)), action: row.optionalText(2))
            switch EntryTables.Place(rawValue: row.integer(0)) {
            case .present: pasteboard.entry = level.entry
            case .deleted: (pasteboard.entry, pasteboard.isDeleted) = (level.entry, true)
            case .undo: pasteboard.undo.append(level)
            case .redo: pasteboard.redo.append(level)
            case .incoming: pasteboard.incoming = level.entry
            case nil: break
            }
        }
    }

    private static func counts(_ database: Database) throws -> [PasteboardName: Int] {
        let rows = try database.rows("SELECT board, count FROM last_count") { row in
            (try? PasteboardName(validating: row.text(0))).map { ($0, row.integer(1)) }
        }
        return Dictionary(rows.compactMap(\.self)) { max($0, $1) }
    }
}

extension Int {
    /// Returns the number with a noun, such as "1 file" or "2 files".
    func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}
