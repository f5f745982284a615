import SystemPackage

/// The reason why an operation of the store failed. The store is unchanged.
package enum StoreFailure: Error, Equatable, Sendable {
    /// The disk or the user's quota is full. Stored contents can still be read and deleted.
    case noRoom(String)
    /// A later release wrote the database. Nothing was changed.
    case newer(version: Int, folder: String)
    /// The folder cannot be used: permissions, a read-only file system, or a file in its place.
    case unusable(String)
    /// The database or a file cannot be read or written, for another reason.
    case broken(String)
    case noSuchEntry(EntryID)
    /// Another process has the store. The value is its id, if known.
    case locked(process: Int32?)
    /// A file became shorter while its bytes were stored.
    case sourceCut
    /// The pattern of a search takes too long on several lines.
    case slowPattern

    /// A sentence without a period.
    package var message: String {
        switch self {
        case .noRoom(let reason): "there is no room to store contents: \(reason)"
        case .newer(let version, let folder):
            "the store in \(folder) has version \(version), and this release reads versions up to \(Schema.version)"
        case .unusable(let reason): "the store cannot be used: \(reason)"
        case .broken(let reason): "the store failed: \(reason)"
        case .noSuchEntry(let id): "there is no entry \(id.number)"
        case .sourceCut: "the file became shorter while it was copied"
        case .slowPattern:
            "the pattern takes too long on some of the text; leave out nested repetitions such as (a+)+"
        case .locked(let process):
            "another process\(process.map { ", \($0)," } ?? "") has the store, "
                + "possibly a bridge of another runtime folder"
        }
    }

    /// Converts the error of a system call on a file or folder of the store.
    init(_ error: Errno, _ path: String) {
        let reason = "\(error.description) (\(path))"
        switch error {
        // EFBIG: the process has a limit on the size of files.
        case .noSpace, .diskQuotaExceeded, .fileTooLarge: self = .noRoom(reason)
        case .permissionDenied, .notPermitted, .readOnlyFileSystem, .notDirectory, .tooManySymbolicLinkLevels,
            .isDirectory:
            self = .unusable(reason)
        default: self = .broken(reason)
        }
    }

    /// Converts an error of the database. Damage arrives here only if the store could not repair it.
    init(_ error: DatabaseError) {
        switch error.kind {
        case .noRoom: self = .noRoom(error.message)
        case .unusable: self = .unusable(error.message)
        case .locked: self = .locked(process: nil)
        case .damaged, .other: self = .broken(error.message)
        }
    }
}
