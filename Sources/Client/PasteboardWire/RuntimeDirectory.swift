import LinuxSystem
package import SystemPackage

/// The folder with the sockets of a user's bridges: `$XDG_RUNTIME_DIR/xpb`. If that variable is unset, as in cron(8)
/// jobs and under su(1), or if this user is root and the variable names another user's folder, the folder is
/// `/run/user/UID/xpb` if the user's session has made `/run/user/UID`, or else `$TMPDIR/xpb-UID` or `/tmp/xpb-UID`.
package struct RuntimeDirectory: Sendable, Equatable {
    package let folder: String

    /// Creates the folder if it does not exist, and checks it: a user who can write to it could pose as the bridge.
    ///
    /// - Parameters:
    ///   - environment: The environment variables. Relative paths in them are ignored, as the XDG Base Directory
    ///     Specification requires.
    ///   - user: The id of the user who must own the folder.
    package init(environment: [String: String], user: UInt32 = PeerCredentials.own.user) throws(RuntimeDirectoryError) {
        let place = Place(environment: environment, user: user)
        folder = place.folder
        try Self.checkParent(place.parent, user: user)
        try Self.check(folder, try Self.statusCreatingIfMissing(folder), user: user)
    }

    /// Checks the folder without creating it. Returns nil if it does not exist, but can be created.
    package static func existing(
        environment: [String: String], user: UInt32 = PeerCredentials.own.user
    ) throws(RuntimeDirectoryError) -> RuntimeDirectory? {
        let place = Place(environment: environment, user: user)
        try checkParent(place.parent, user: user)
        let status: FileStatus
        do throws(Errno) {
            status = try Self.status(of: place.folder)
        } catch .noSuchFileOrDirectory {
            guard (try? Self.status(of: place.parent)) != nil else {
                throw .unusable(place.folder, .noSuchFileOrDirectory)
            }
            return nil
        } catch {
            throw .unusable(place.folder, error)
        }
        try check(place.folder, status, user: user)
        return RuntimeDirectory(folder: place.folder)
    }

    private init(folder: String) { self.folder = folder }

    /// The path of the folder, which has not been checked.
    package struct Place {
        package let parent: String
        package let folder: String

        /// - Parameter sessions: The folder with the folders of the users' sessions (pam_systemd(8)).
        package init(
            environment: [String: String], user: UInt32 = PeerCredentials.own.user, sessions: String = "/run/user"
        ) {
            func absolute(_ variable: String) -> String? {
                environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            }
            func ofSession() -> String? {
                let path = "\(sessions)/\(user)"
                let status = try? FileStatus(ofPath: path, followsSymlink: false)
                return status?.isFolder == true && status?.user == user ? path : nil
            }
            // A program that runs as root by sudo(8) or su(1) may have inherited the variable of the user who started
            // it.
            func isForeign(_ path: String) -> Bool {
                user == 0 && (try? FileStatus(ofPath: path, followsSymlink: true)).map { $0.user != 0 } ?? false
            }
            let named = absolute("XDG_RUNTIME_DIR").flatMap { isForeign($0) ? nil : $0 }
            if let runtime = named ?? ofSession() {
                parent = FilePath(runtime).string
                folder = FilePath(runtime).appending("xpb").string
            } else {
                parent = FilePath(absolute("TMPDIR") ?? "/tmp").string
                folder = FilePath(parent).appending("xpb-\(user)").string
            }
        }
    }

    package func socketPath(_ key: String) -> String { "\(folder)/\(key)\(Self.socketSuffix)" }

    /// Returns the key in the path of a socket; nil if the socket is not in this folder.
    package func key(ofSocket path: String) -> String? {
        let name = FilePath(path).lastComponent?.string ?? ""
        guard name.hasSuffix(Self.socketSuffix), name != Self.socketSuffix else { return nil }
        let key = String(name.dropLast(Self.socketSuffix.count))
        return FilePath(socketPath(key)) == FilePath(path) ? key : nil
    }

    /// Returns the path of the log of a bridge that was started on demand.
    package func logPath(_ key: String) -> String { "\(folder)/\(key).log" }

    package func lockPath(_ key: String) -> String { "\(folder)/\(key).lock" }

    /// Returns the path of a subfolder, which is created if it does not exist, and checked like this folder.
    package func privateFolder(_ name: String) throws(RuntimeDirectoryError) -> String {
        let path = "\(folder)/\(name)"
        let user = PeerCredentials.own.user
        try Self.check(path, try Self.statusCreatingIfMissing(path), user: user)
        return path
    }

    /// Returns the keys of the existing sockets, sorted. A bridge that was killed leaves its socket behind.
    package func sockets() -> [String] {
        let names = (try? Folder.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(Self.socketSuffix) }.map { String($0.dropLast(Self.socketSuffix.count)) }
            .sorted()
    }

    package static let socketSuffix = ".sock"

    /// Checks the parent folder: a user who can write to it could replace the folder in it. In a sticky folder such as
    /// /tmp only the owner of an entry can replace it.
    private static func checkParent(_ folder: String, user: UInt32) throws(RuntimeDirectoryError) {
        // If the parent does not exist or cannot be examined, creating the folder fails.
        guard let link = try? status(of: folder), let status = try? FileStatus(ofPath: folder, followsSymlink: true)
        else { return }
        for owner in [link.user, status.user] where owner != user && owner != 0 {
            throw .ownedByAnother(folder, owner: owner, user: user)
        }
        guard status.isFolder else { throw .notAFolder(folder) }
        let mode = status.permissions
        if mode & 0o022 != 0, mode & 0o1000 == 0 { throw .writableByOthers(folder, mode & 0o777) }
        try checkAncestors(of: folder)
    }

    /// Checks the folders further up: a user who can rename one of them could replace everything below it. Both the
    /// folders that the path names and the folders that its links lead to are checked.
    private static func checkAncestors(of folder: String) throws(RuntimeDirectoryError) {
        var seen: Set<String> = []
        for path in [folder, (try? Folder.resolved(folder)) ?? folder] {
            var ancestor = Folder.containing(path)
            // The loop ends at the root folder, or at a folder that was checked for the other path.
            while seen.insert(ancestor).inserted {
                defer { ancestor = Folder.containing(ancestor) }
                guard let status = try? FileStatus(ofPath: ancestor, followsSymlink: true) else { continue }
                let mode = status.permissions
                if mode & 0o1000 == 0, isWritableByOthers(status) {
                    throw .ancestorWritableByOthers(ancestor, mode & 0o777, above: folder)
                }
            }
        }
    }

    /// Returns true if users other than this one and root can write to the folder. Two groups are trusted: root's, and
    /// the group with the user's own number, since many systems create a private group for each user, and folders that
    /// this group can write to.
    private static func isWritableByOthers(_ status: FileStatus) -> Bool {
        if status.permissions & 0o002 != 0 { return true }
        return status.permissions & 0o020 != 0 && status.group != 0 && status.group != PeerCredentials.own.user
    }

    private static func check(_ folder: String, _ status: FileStatus, user: UInt32) throws(RuntimeDirectoryError) {
        if status.isLink { throw .link(folder) }
        guard status.isFolder else { throw .notAFolder(folder) }
        // Other users cannot replace a folder that this user owns, not even in a sticky /tmp.
        if status.user != user { throw .ownedByAnother(folder, owner: status.user, user: user) }
        let mode = status.permissions & 0o777
        if mode != 0o700 { throw .wrongMode(folder, mode) }
    }

    private static func statusCreatingIfMissing(_ folder: String) throws(RuntimeDirectoryError) -> FileStatus {
        do throws(Errno) {
            do throws(Errno) {
                return try status(of: folder)
            } catch .noSuchFileOrDirectory {
                do throws(Errno) {
                    try Folder.makePrivate(folder)
                } catch .fileExists {
                    // Another process was faster; the check covers its folder, too.
                }
                return try status(of: folder)
            }
        } catch {
            throw .unusable(folder, error)
        }
    }

    /// Returns the status of the folder, or of the link itself if the path is a link.
    private static func status(of folder: String) throws(Errno) -> FileStatus {
        try FileStatus(ofPath: folder, followsSymlink: false)
    }
}

/// The reason why a folder cannot be trusted with the sockets of bridges.
package enum RuntimeDirectoryError: Error, Equatable, CustomStringConvertible {
    case unusable(String, Errno)
    case link(String)
    case notAFolder(String)
    case ownedByAnother(String, owner: UInt32, user: UInt32)
    case wrongMode(String, UInt32)
    case writableByOthers(String, UInt32)
    /// The first path is a folder above the second.
    case ancestorWritableByOthers(String, UInt32, above: String)

    package var description: String { "\(problem); \(advice)" }

    /// The fault, without the advice.
    package var problem: String {
        switch self {
        case .unusable(let folder, let error):
            "cannot use the folder \(folder): \(error)"
        case .link(let folder):
            "\(folder) is a symbolic link, and could lead to another user's folder"
        case .notAFolder(let folder):
            "\(folder) is not a folder"
        case .ownedByAnother(let folder, let owner, let user):
            "the folder \(folder) belongs to user \(owner), not to \(user)"
        case .wrongMode(let folder, let mode):
            "the folder \(folder) has mode \(String(mode, radix: 8)), not 700"
        case .writableByOthers(let folder, let mode):
            "other users can write to the folder \(folder) (mode \(String(mode, radix: 8))), "
                + "and could pose as the bridge"
        case .ancestorWritableByOthers(let folder, let mode, let below):
            "other users can write to \(folder) (mode \(String(mode, radix: 8))), and could replace the folder \(below)"
        }
    }

    /// The next step for the user.
    package var advice: String {
        switch self {
        case .unusable: Self.elsewhere
        case .ownedByAnother:
            "\(Self.elsewhere), or in a container, run the program as the user who owns the folder outside"
        case .link, .notAFolder: "remove it"
        case .wrongMode(let folder, _): "run: chmod 700 '\(folder)'"
        case .ancestorWritableByOthers(let folder, _, _): "run: chmod go-w '\(folder)', or \(Self.elsewhere)"
        case .writableByOthers(let folder, _): "run: chmod 700 '\(folder)', or \(Self.elsewhere)"
        }
    }

    private static let elsewhere = "set XDG_RUNTIME_DIR to a folder of your own"
}
