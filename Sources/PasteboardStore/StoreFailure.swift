import SystemPackage

/// Why the store could not do what it was asked. It is as it was before.
package enum StoreFailure: Error, Equatable, Sendable {
    /// The disk or the user's quota is full. What is kept can be read and deleted.
    case noRoom(String)
    /// The database is of a later release. Nothing was touched.
    case newer(version: Int, folder: String)
    /// The folder cannot be used: no permission, a read-only file system, something else in its place.
    case unusable(String)
    /// The database or a file cannot be read or written for another reason.
    case broken(String)
    case noSuchEntry(EntryID)
    /// Another process has the store; its id, where that is known.
    case locked(process: Int32?)
    /// A file whose bytes were to be stored has become shorter.
    case sourceCut

    /// A sentence without a full stop.
    package var message: String {
        switch self {
        case .noRoom(let reason): "there is no room to keep contents: \(reason)"
        case .newer(let version, let folder):
            "the store in \(folder) is of version \(version), and this release knows version \(Schema.version)"
        case .unusable(let reason): "the store cannot be used: \(reason)"
        case .broken(let reason): "the store failed: \(reason)"
        case .noSuchEntry(let id): "there is no entry \(id.number)"
        case .sourceCut: "the file became shorter while it was copied"
        case .locked(let process):
            "another process\(process.map { ", \($0)," } ?? "") has the store, a bridge of another runtime folder maybe"
        }
    }

    /// What a system call on a file or folder of the store said.
    init(_ error: Errno, _ path: String) {
        let reason = "\(error.description) (\(path))"
        switch error {
        // The last is of a limit that the process has on the size of files.
        case .noSpace, .diskQuotaExceeded, .fileTooLarge: self = .noRoom(reason)
        case .permissionDenied, .notPermitted, .readOnlyFileSystem, .notDirectory, .tooManySymbolicLinkLevels,
            .isDirectory:
            self = .unusable(reason)
        default: self = .broken(reason)
        }
    }

    /// What the database said, unless that is damage, which the store sees to itself.
    init(_ error: DatabaseError) {
        switch error.kind {
        case .noRoom: self = .noRoom(error.message)
        case .unusable: self = .unusable(error.message)
        case .locked: self = .locked(process: nil)
        case .damaged, .other: self = .broken(error.message)
        }
    }
}
