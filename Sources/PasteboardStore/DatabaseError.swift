import CSQLite

/// What SQLite answered in place of a result.
struct DatabaseError: Error, Equatable {
    enum Kind { case noRoom, unusable, locked, damaged, other }

    let kind: Kind
    let message: String
    /// Only the index of the words is damaged.
    let isOfIndex: Bool

    /// - Parameters:
    ///   - code: An extended result code.
    ///   - isOfStatement: A statement could not be prepared. Ours are right, so it is the tables that are others.
    init(code: Int32, message: String, isOfStatement: Bool = false) {
        kind = isOfStatement && code & 0xFF == SQLITE_ERROR ? .damaged : Self.kind(of: code)
        isOfIndex = code == SQLITE_CORRUPT | 1 << 8
        self.message = message
    }

    private static func kind(of code: Int32) -> Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .noRoom
        // A write that failed, for another reason than a full disk: a quota, a limit on the length of files. Which one it
        // was is not told for all statements.
        case SQLITE_IOERR where code >> 8 == 3: .noRoom
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
        // A file that is shorter than its pages.
        case SQLITE_IOERR where code >> 8 == 2: .damaged
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .unusable
        default: .other
        }
    }
}
