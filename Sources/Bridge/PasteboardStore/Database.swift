import CSQLite

/// A connection to an SQLite database, for one thread at a time. Statements stay prepared.
@safe
package final class Database {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// True after the connection was closed; every statement then fails.
    private(set) var isClosed = false

    /// Opens the file, or creates it.
    package init(_ path: String) throws(DatabaseError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe handle else {
            // SQLite allocates a handle even if it cannot open the file, for the error message.
            defer { unsafe sqlite3_close(handle) }
            throw unsafe Self.error(code, handle)
        }
        unsafe self.handle = opened
        unsafe try SearchTokenizer.register(on: opened)
    }

    deinit { closeUntouched() }

    /// Closes the connection. SQLite copies the write-ahead log into the database and removes the log.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        for statement in statements.values { unsafe sqlite3_finalize(statement.pointer) }
        statements = [:]
        unsafe sqlite3_close(handle)
    }

    /// Closes the connection and leaves the database and its log as they are.
    func closeUntouched() {
        guard !isClosed else { return }
        unsafe xpb_sqlite_keep_log(handle)
        close()
    }

    // MARK: Statements

    package func rows<Result>(
        _ sql: String, _ values: [SQLValue] = [], _ row: (Row) throws -> Result
    ) throws -> [Result] {
        let statement = unsafe try prepared(sql)
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { unsafe try bind(value, to: Int32(index + 1), of: statement) }
        var results: [Result] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: results.append(try row(unsafe Row(statement)))
            case SQLITE_DONE: return results
            case let code: throw error(code)
            }
        }
    }

    /// Begins a statement whose rows are read one by one. One statement has one cursor at a time.
    func cursor(_ sql: String, _ values: [SQLValue] = []) throws -> Cursor {
        let cursor = unsafe Cursor(try prepared(sql), of: self)
        for (index, value) in values.enumerated() { unsafe try bind(value, to: Int32(index + 1), of: cursor.statement) }
        return cursor
    }

    /// The rows of a statement that has begun, and that ends with this object.
    @safe
    final class Cursor {
        fileprivate let statement: OpaquePointer
        private let database: Database

        fileprivate init(_ statement: OpaquePointer, of database: Database) {
            unsafe self.statement = statement
            self.database = database
        }

        deinit {
            guard !database.isClosed else { return }
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }

        /// Returns the next row, which is valid until the next call; nil after the last one.
        func next() throws -> Row? {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: return unsafe Row(statement)
            case SQLITE_DONE: return nil
            case let code: throw database.error(code)
            }
        }
    }

    package func first<Result>(
        _ sql: String, _ values: [SQLValue] = [], _ row: (Row) throws -> Result
    ) throws -> Result? {
        try rows(sql, values, row).first
    }

    /// Runs a statement, and ignores its rows if it has any.
    package func run(_ sql: String, _ values: [SQLValue] = []) throws { _ = try rows(sql, values) { _ in } }

    /// Runs statements separated by semicolons, without keeping them prepared.
    package func script(_ sql: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code) }
    }

    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // After some errors, such as SQLITE_FULL and SQLITE_IOERR, SQLite has already rolled back.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// The number of rows that were changed since the connection was opened.
    package var totalChanges: Int { Int(unsafe sqlite3_total_changes(handle)) }

    private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if isClosed { throw DatabaseError(code: SQLITE_NOTADB, message: "it is closed") }
        if let statement = statements[sql] { return unsafe statement.pointer }
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code, isOfPreparation: true) }
        statements[sql] = unsafe Statement(pointer: statement)
        return unsafe statement
    }

    private func bind(_ value: SQLValue, to index: Int32, of statement: OpaquePointer) throws(DatabaseError) {
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(statement, index)
            case .integer(let number): unsafe sqlite3_bind_int64(statement, index, Int64(number))
            // The length is given because text may contain NUL. The cast is SQLITE_TRANSIENT, which Swift cannot
            // import: SQLite copies the text.
            case .text(let text):
                unsafe sqlite3_bind_text(
                    statement, index, text, Int32(text.utf8.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32, isOfPreparation: Bool = false) -> DatabaseError {
        unsafe Self.error(code, handle, isOfPreparation: isOfPreparation)
    }

    private static func error(_ code: Int32, _ handle: OpaquePointer?, isOfPreparation: Bool = false) -> DatabaseError {
        let message = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) }
        return unsafe DatabaseError(
            code: code, message: message ?? String(cString: sqlite3_errstr(code)), isOfPreparation: isOfPreparation)
    }
}

@safe
private struct Statement {
    let pointer: OpaquePointer
}

/// A value of a column or a parameter.
package enum SQLValue: Equatable {
    case null
    case integer(Int)
    case text(String)

    init(_ value: Int?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

/// A row of a result, valid until the statement steps to the next one.
@safe
package struct Row {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    package func integer(_ column: Int) -> Int { Int(unsafe sqlite3_column_int64(statement, Int32(column))) }

    func flag(_ column: Int) -> Bool { integer(column) != 0 }

    func optionalInteger(_ column: Int) -> Int? { isNull(column) ? nil : integer(column) }

    func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    package func text(_ column: Int) -> String {
        guard let start = unsafe sqlite3_column_text(statement, Int32(column)) else { return "" }
        let length = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    private func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }
}

package struct DatabaseError: Error, Equatable {
    /// The classes of errors by what the store can do about them.
    enum Kind { case noRoom, unusable, locked, damaged, other }

    let kind: Kind
    let message: String
    /// True if only the search index is damaged.
    let isOfIndex: Bool

    /// - Parameters:
    ///   - code: An extended result code. See "Result and Error Codes" in SQLite's documentation.
    ///   - isOfPreparation: True if a statement could not be prepared. The statements of this module are valid, so an
    ///     error then means that the tables are not as they should be.
    init(code: Int32, message: String, isOfPreparation: Bool = false) {
        kind = isOfPreparation && code & 0xFF == SQLITE_ERROR ? .damaged : Self.kind(of: code)
        // SQLITE_CORRUPT_VTAB; the search index is the only virtual table.
        isOfIndex = code == SQLITE_CORRUPT | 1 << 8
        self.message = message
    }

    private static func kind(of code: Int32) -> Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .noRoom
        // SQLITE_IOERR_WRITE: a write failed because of a quota or a limit on the size of files. SQLite does not
        // report the error of write(2) for all statements.
        case SQLITE_IOERR where code >> 8 == 3: .noRoom
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
        // SQLITE_IOERR_SHORT_READ: the file is shorter than its pages.
        case SQLITE_IOERR where code >> 8 == 2: .damaged
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .unusable
        default: .other
        }
    }
}
