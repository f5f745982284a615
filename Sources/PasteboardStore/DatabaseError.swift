import CSQLite
import Glibc

/// What SQLite answered in place of a result.
struct DatabaseError: Error, Equatable {
    enum Kind { case noRoom, unusable, locked, damaged, other }

    let kind: Kind
    let message: String

    /// - Parameters:
    ///   - code: An extended result code.
    ///   - systemError: The `errno` of the system call that failed, if one did.
    init(code: Int32, systemError: Int32, message: String) {
        kind = Self.kind(of: code, systemError)
        self.message = kind == .noRoom && systemError != 0 ? "\(message) (error \(systemError))" : message
    }

    private static func kind(of code: Int32, _ systemError: Int32) -> Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .noRoom
        case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemError): .noRoom
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
        // Our statements are right, so it is the schema that has come to be another.
        case SQLITE_ERROR: .damaged
        // A file that is shorter than its pages.
        case SQLITE_IOERR where code >> 8 == 2: .damaged
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .unusable
        default: .other
        }
    }
}
