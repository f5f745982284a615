import LinuxSystem
package import SystemPackage

/// The folder where the bridges of a user are found: `$XDG_RUNTIME_DIR/xpb`, or where that is not set
/// `$TMPDIR/xpb-<user id>`, in /tmp if need be.
package struct Rendezvous: Sendable, Equatable {
    package let folder: String

    /// Makes the folder if it is not there, and checks it: who may write to it could pose as the bridge.
    ///
    /// - Parameters:
    ///   - environment: Relative paths in it are ignored, as the XDG Base Directory Specification asks.
    ///   - user: The id of the user who must own the folder.
    package init(
        environment: [String: String], user: UInt32 = PeerCredentials.own.user
    ) throws(RendezvousError) {
        func absolute(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let runtime = absolute("XDG_RUNTIME_DIR") {
            folder = FilePath(runtime).appending("xpb").string
        } else {
            folder = FilePath(absolute("TMPDIR") ?? "/tmp").appending("xpb-\(user)").string
        }
        try Self.makeAndCheck(folder, user: user)
    }

    package func socketPath(_ key: String) -> String { "\(folder)/\(key)\(Self.socketSuffix)" }

    /// Where a bridge that was started on demand writes its log.
    package func logPath(_ key: String) -> String { "\(folder)/\(key).log" }

    package func lockPath(_ key: String) -> String { "\(folder)/\(key).lock" }

    /// The keys of the sockets that are there, sorted. A bridge that was killed leaves its socket.
    package func sockets() -> [String] {
        let names = (try? Folder.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(Self.socketSuffix) }.map { String($0.dropLast(Self.socketSuffix.count)) }
            .sorted()
    }

    private static let socketSuffix = ".sock"

    private static func makeAndCheck(_ folder: String, user: UInt32) throws(RendezvousError) {
        let status: Stat
        do throws(Errno) {
            status = try self.status(of: folder)
        } catch {
            throw .unusable(folder, error)
        }
        switch status.type {
        case .directory: break
        case .symbolicLink: throw .link(folder)
        default: throw .notAFolder(folder)
        }
        // A folder of ours that others cannot write to stays what it is, in a sticky /tmp as well.
        if status.userID.rawValue != user { throw .ownedByAnother(folder, owner: status.userID.rawValue, user: user) }
        let mode = UInt32(status.permissions.rawValue)
        if mode & 0o777 != 0o700 { throw .wrongMode(folder, mode & 0o777) }
    }

    /// Of the folder itself, which a link to it is not.
    private static func status(of folder: String) throws(Errno) -> Stat {
        do {
            return try Stat(FilePath(folder), followTargetSymlink: false)
        } catch .noSuchFileOrDirectory {
            do {
                try Folder.makePrivate(folder)
            } catch .fileExists {
                // Someone else was faster; the check is for that, too.
            }
            return try Stat(FilePath(folder), followTargetSymlink: false)
        }
    }
}

/// Why bridges cannot be found in a folder.
package enum RendezvousError: Error, Equatable, CustomStringConvertible {
    case unusable(String, Errno)
    case link(String)
    case notAFolder(String)
    case ownedByAnother(String, owner: UInt32, user: UInt32)
    case wrongMode(String, UInt32)

    package var description: String {
        switch self {
        case .unusable(let folder, let error):
            "cannot use the folder \(folder): \(error); \(Self.elsewhere)"
        case .link(let folder):
            "\(folder) is a symbolic link, and could lead to another user's folder; remove it"
        case .notAFolder(let folder):
            "\(folder) is not a folder; remove it"
        case .ownedByAnother(let folder, let owner, let user):
            "the folder \(folder) belongs to user \(owner), not to \(user); \(Self.elsewhere)"
        case .wrongMode(let folder, let mode):
            "the folder \(folder) has mode \(String(mode, radix: 8)), not 700; run: chmod 700 '\(folder)'"
        }
    }

    private static let elsewhere = "set XDG_RUNTIME_DIR to a folder of your own"
}
