import Glibc

/// Klipper's database, which SQLite's library reads. The library is loaded only here: no other command needs it.
struct KlipperDatabase {
    private let path: String

    init(_ path: String) { self.path = path }

    private struct Line {
        let folder: String
        let created: Int
        let isPinned: Bool
        let text: String?
        var parts: [(type: String, file: String)] = []
    }

    func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        let database = try SQLiteLibrary().open(path)
        var lines: [Line] = []
        // Before Plasma 6.5 there are no stars.
        let hasStars = try database.rows("SELECT 1 FROM pragma_table_info('main') WHERE name = 'starred'").count > 0
        let rows = try database.rows(
            """
            SELECT uuid, coalesce(last_used_time, added_time), \(hasStars ? "starred" : "0"), text FROM main
            ORDER BY last_used_time, added_time
            """)
        for row in rows {
            lines.append(
                Line(
                    folder: row[0] ?? "", created: Int((Double(row[1] ?? "") ?? 0) * 1_000), isPinned: row[2] == "1",
                    text: row[3]))
        }
        let places = Dictionary(lines.indices.map { (lines[$0].folder, $0) }) { $1 }
        for row in try database.rows("SELECT uuid, mimetype, data_uuid FROM aux ORDER BY rowid") {
            guard let uuid = row[0], let type = row[1], let file = row[2], let index = places[uuid] else { continue }
            lines[index].parts.append((type, file))
        }
        var missing = 0
        for line in lines {
            guard let entry = entry(line) else {
                missing += 1
                continue
            }
            try body(entry)
        }
        source.noteMissing(missing)
    }

    private func entry(_ line: Line) -> TransferredEntry? {
        let folder = (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + "data/\(line.folder)/"
        let parts = line.parts.compactMap { part in
            ImportSource.bytes(ofFile: folder + part.file).flatMap {
                TransferredEntry.Representation(named: part.type, bytes: $0)
            }
        }
        guard parts.isEmpty else {
            return TransferredEntry(items: [parts], created: line.created, isPinned: line.isPinned)
        }
        guard let text = line.text, !text.isEmpty else { return nil }
        return .text(text, created: line.created, isPinned: line.isPinned)
    }
}

/// The functions of SQLite's library that read a table as text.
@safe private struct SQLiteLibrary {
    typealias Open =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafePointer<CChar>?) ->
        Int32
    typealias Prepare =
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<CChar>?
        ) -> Int32
    typealias OfStatement = @convention(c) (OpaquePointer?) -> Int32
    typealias Text = @convention(c) (OpaquePointer?, Int32) -> UnsafePointer<CChar>?

    private static let readOnly: Int32 = 1
    private static let row: Int32 = 100
    private static let done: Int32 = 101

    private let openFile: Open
    private let prepare: Prepare
    private let step: OfStatement
    private let columnCount: OfStatement
    private let finalize: OfStatement
    private let text: Text
    private let close: OfStatement

    init() throws(TransferFault) {
        guard let library = unsafe dlopen("libsqlite3.so.0", RTLD_NOW) else {
            throw TransferFault("SQLite is needed for Klipper's history: install libsqlite3-0")
        }
        func function<Function>(_ name: String, _ type: Function.Type) throws(TransferFault) -> Function {
            guard let address = unsafe dlsym(library, name) else {
                throw TransferFault("SQLite has no function \(name)")
            }
            return unsafe unsafeBitCast(address, to: type)
        }
        unsafe openFile = try function("sqlite3_open_v2", Open.self)
        unsafe prepare = try function("sqlite3_prepare_v2", Prepare.self)
        unsafe step = try function("sqlite3_step", OfStatement.self)
        unsafe columnCount = try function("sqlite3_column_count", OfStatement.self)
        unsafe finalize = try function("sqlite3_finalize", OfStatement.self)
        unsafe text = try function("sqlite3_column_text", Text.self)
        unsafe close = try function("sqlite3_close", OfStatement.self)
    }

    /// A database that is open until this value is released.
    @safe final class Database {
        private let library: SQLiteLibrary
        private var handle: OpaquePointer?
        private let path: String

        fileprivate init(_ library: SQLiteLibrary, _ path: String) throws(TransferFault) {
            self.library = library
            self.path = path
            guard unsafe library.openFile(path, &handle, SQLiteLibrary.readOnly, nil) == 0 else { throw unreadable }
        }

        deinit { _ = unsafe library.close(handle) }

        private var unreadable: TransferFault { TransferFault("\(path) is not a database of Klipper, or is in use") }

        /// Returns the rows of a statement, each column as text; nil for NULL.
        func rows(_ sql: String) throws(TransferFault) -> [[String?]] {
            var statement: OpaquePointer?
            guard unsafe library.prepare(handle, sql, -1, &statement, nil) == 0 else { throw unreadable }
            defer { _ = unsafe library.finalize(statement) }
            var rows: [[String?]] = []
            while true {
                let result = unsafe library.step(statement)
                if result == SQLiteLibrary.done { return rows }
                guard result == SQLiteLibrary.row else { throw unreadable }
                let columns = unsafe library.columnCount(statement)
                rows.append((0..<columns).map { unsafe library.text(statement, $0).map { unsafe String(cString: $0) } })
            }
        }
    }

    func open(_ path: String) throws(TransferFault) -> Database { try Database(self, path) }
}
