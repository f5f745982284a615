import CSQLite
import Glibc
import LinuxSystem
import PasteboardModel
import SystemPackage

/// Opens the database of a store, and makes a new one where it is lost or damaged.
final class Opener {
    let folder: String
    let blobs: BlobFolder
    /// Sentences for the log.
    private(set) var notices: [String] = []

    private var path: String { "\(folder)/store.sqlite" }
    /// A file that is there while the store is open. On a full disk, too, it can be made.
    private var marker: String { "\(folder)/open" }
    /// There may be files that the database does not know, or lacks.
    var leftovers = false
    /// The database was made of what the files tell.
    var isRebuilt = false

    /// The database and its log.
    private static let suffixes = ["", "-wal"]

    init(folder: String, blobs: BlobFolder) {
        self.folder = folder
        self.blobs = blobs
    }

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
        let database = try makeDatabase(boards: [:])
        do {
            return (database, try opening(of: database, wasRunning: wasRunning))
        } catch {
            database.closeUntouched()
            throw error
        }
    }

    // MARK: The database

    /// Opens the database, or makes one of what the files tell.
    ///
    /// - Parameter boards: The pasteboards as far as they are known.
    func makeDatabase(boards: [PasteboardName: StoredBoard]) throws -> Database {
        if let file = DatabaseFile(path) {
            try refuse(file.version)
            if file.isCut { throw DatabaseError(code: SQLITE_CORRUPT, message: "it is cut short") }
        }
        let database = try connect()
        do {
            let version = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
            try refuse(version)
            // It writes, and on a full disk nothing could be opened.
            if version == 0 { try database.script("PRAGMA auto_vacuum = INCREMENTAL") }
            try database.script("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            if version == 0 {
                try rebuild(database, boards: boards)
            } else {
                try Self.migrate(database, from: version)
            }
            return database
        } catch {
            database.closeUntouched()
            throw error
        }
    }

    private func refuse(_ version: Int) throws(StoreFailure) {
        guard version <= Schema.version else { throw .newer(version: version, folder: folder) }
    }

    private func connect() throws -> Database {
        // Made here where it is not there, since SQLite's own would be for others to read as well. What SQLite makes
        // beside it has the permissions of this one.
        let file = try rethrowingErrno {
            do {
                return Descriptor(
                    adopting: try FileDescriptor.open(
                        FilePath(path), .readWrite, options: [.create, .closeOnExec, .noFollow],
                        permissions: .ownerReadWrite))
            } catch let error as Errno {
                throw StoreFailure(error, path)
            }
        }
        withExtendedLifetime(file) {}
        let database = try Database(path)
        do {
            // No other process has it, so that the index of the log is no file; the log holds nothing up.
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

    /// Makes a database of a former release one of this release.
    private static func migrate(_ database: Database, from version: Int) throws {
        guard version < Schema.version else { return }
        try database.transaction { try Schema.migrate(database, from: version) }
    }

    func mark() throws {
        do throws(Errno) {
            _ = try rethrowingErrno {
                Descriptor(
                    adopting: try FileDescriptor.open(
                        FilePath(marker), .writeOnly, options: [.create, .closeOnExec, .noFollow],
                        permissions: .ownerReadWrite))
            }
        } catch {
            throw StoreFailure(error, marker)
        }
    }

    /// Says that the end is in order.
    func unmark() { unsafe unlink(marker) }

    /// Moves the database out of the way.
    func setAside(_ reason: String) throws {
        let aside = "\(path).damaged-\(Self.timestamp())"
        for suffix in Self.suffixes {
            guard unsafe rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw StoreFailure(Errno(rawValue: errno), path)
            }
        }
        notice("the database in \(folder) is damaged (\(reason)); it was set aside as \(aside)")
    }

    /// "20261121T174500Z".
    private static func timestamp() -> String {
        var seconds = time(nil)
        var date = unsafe tm()
        unsafe gmtime_r(&seconds, &date)
        let parts = unsafe [date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec]
        let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits[..<3].joined() + "T" + digits[3...].joined() + "Z"
    }

    func notice(_ sentence: String) { notices.append(sentence) }
}

extension Opener {
    /// Forgets contents whose files are missing or not whole. What is left of those is set aside.
    static func lose(_ contents: [Int], _ database: Database, _ blobs: BlobFolder) throws {
        try database.transaction {
            let ledger = Ledger(database)
            for id in contents { try ledger.loseContent(id) }
            _ = try ledger.collect()
        }
        for id in contents where blobs.length(of: id) != nil { blobs.setAside(id) }
    }
}

extension Int {
    /// "1 file", "2 files".
    func counted(_ noun: String, _ nouns: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : nouns ?? noun + "s")"
    }
}
