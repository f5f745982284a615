import CSQLite

/// A value of a column or a parameter.
enum SQLValue: Equatable {
    case null
    case integer(Int)
    case text(String)
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    init(integerLiteral value: Int) { self = .integer(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .null }

    init(_ value: Int?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

@safe
private struct Statement {
    let pointer: OpaquePointer
}

/// A connection to a database, used by one thread at a time. Statements stay prepared.
@safe
final class Database {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens or makes the file.
    init(_ path: String) throws(DatabaseError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe handle else {
            defer { unsafe sqlite3_close(handle) }
            throw unsafe Self.error(code, handle)
        }
        unsafe self.handle = opened
    }

    deinit { closeUntouched() }

    /// Any statement fails from then on.
    private(set) var isClosed = false

    /// Ends the connection. The log is copied into the database, and removed.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        for statement in statements.values { unsafe sqlite3_finalize(statement.pointer) }
        statements = [:]
        unsafe sqlite3_close(handle)
    }

    /// Ends the connection and leaves the files as they are.
    func closeUntouched() {
        guard !isClosed else { return }
        unsafe xpb_sqlite_keep_log(handle)
        close()
    }

    // MARK: Statements

    /// A statement with the rows it gives.
    func rows<Result>(
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

    func first<Result>(_ sql: String, _ values: [SQLValue] = [], _ row: (Row) throws -> Result) throws -> Result? {
        try rows(sql, values, row).first
    }

    /// A statement that gives no rows, or some that nobody wants.
    func run(_ sql: String, _ values: [SQLValue] = []) throws { _ = try rows(sql, values) { _ in } }

    /// Statements that are run once, separated by semicolons.
    func script(_ sql: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code) }
    }

    /// All that `body` does, or nothing.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Some failures have rolled back already.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// The rows that the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }
    /// The rows changed since the database was opened.
    var totalChanges: Int { Int(unsafe sqlite3_total_changes(handle)) }

    private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if isClosed { throw DatabaseError(code: SQLITE_NOTADB, message: "it is closed") }
        if let statement = statements[sql] { return unsafe statement.pointer }
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code, isOfStatement: true) }
        statements[sql] = unsafe Statement(pointer: statement)
        return unsafe statement
    }

    private func bind(_ value: SQLValue, to index: Int32, of statement: OpaquePointer) throws(DatabaseError) {
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(statement, index)
            case .integer(let number): unsafe sqlite3_bind_int64(statement, index, Int64(number))
            // With its length, since a text may have a NUL. It is copied: SQLITE_TRANSIENT is a cast that Swift cannot
            // import.
            case .text(let text):
                unsafe sqlite3_bind_text(
                    statement, index, text, Int32(text.utf8.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32, isOfStatement: Bool = false) -> DatabaseError {
        unsafe Self.error(code, handle, isOfStatement: isOfStatement)
    }

    private static func error(
        _ code: Int32, _ handle: OpaquePointer?, isOfStatement: Bool = false
    ) -> DatabaseError {
        let message = unsafe handle.map { unsafe String(cString: sqlite3_errmsg($0)) }
        return unsafe DatabaseError(
            code: code, message: message ?? String(cString: sqlite3_errstr(code)), isOfStatement: isOfStatement)
    }
}

/// A row of a result, there until the next one is.
@safe
struct Row {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    func integer(_ column: Int) -> Int { Int(unsafe sqlite3_column_int64(statement, Int32(column))) }

    func flag(_ column: Int) -> Bool { integer(column) != 0 }

    func optionalInteger(_ column: Int) -> Int? { isNull(column) ? nil : integer(column) }

    func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    func text(_ column: Int) -> String {
        guard let start = unsafe sqlite3_column_text(statement, Int32(column)) else { return "" }
        let length = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    private func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }
}
