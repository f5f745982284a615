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
        let place = Place(environment: environment, user: user)
        folder = place.folder
        try Self.checkParent(place.parent, user: user)
        try Self.check(folder, try Self.statusMaking(folder), user: user)
    }

    /// The same without making the folder.
    ///
    /// - Returns: nil where it is not there, and can be made.
    package static func existing(
        environment: [String: String], user: UInt32 = PeerCredentials.own.user
    ) throws(RendezvousError) -> Rendezvous? {
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
        return Rendezvous(folder: place.folder)
    }

    private init(folder: String) { self.folder = folder }

    /// Where the folder is to be.
    package struct Place {
        package let parent: String
        package let folder: String

        package init(environment: [String: String], user: UInt32 = PeerCredentials.own.user) {
            func absolute(_ variable: String) -> String? {
                environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            }
            if let runtime = absolute("XDG_RUNTIME_DIR") {
                parent = FilePath(runtime).string
                folder = FilePath(runtime).appending("xpb").string
            } else {
                parent = FilePath(absolute("TMPDIR") ?? "/tmp").string
                folder = FilePath(parent).appending("xpb-\(user)").string
            }
        }
    }

    package func socketPath(_ key: String) -> String { "\(folder)/\(key)\(Self.socketSuffix)" }

    /// The key of a socket's path; nil where it is none of this folder.
    package func key(ofSocket path: String) -> String? {
        let name = FilePath(path).lastComponent?.string ?? ""
        guard name.hasSuffix(Self.socketSuffix), name != Self.socketSuffix else { return nil }
        let key = String(name.dropLast(Self.socketSuffix.count))
        return FilePath(socketPath(key)) == FilePath(path) ? key : nil
    }

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

    /// Who may write to the folder around ours could put another one in its place. A sticky folder such as /tmp lets nobody
    /// do that but the owner of what is in it.
    private static func checkParent(_ folder: String, user: UInt32) throws(RendezvousError) {
        // What is not there, or cannot be looked at, shows when the folder in it is made.
        guard let link = try? status(of: folder), let status = try? FileStatus(ofPath: folder, followsLink: true)
        else { return }
        for owner in [link.user, status.user] where owner != user && owner != 0 {
            throw .ownedByAnother(folder, owner: owner, user: user)
        }
        guard status.isFolder else { throw .notAFolder(folder) }
        let mode = status.permissions
        if mode & 0o022 != 0, mode & 0o1000 == 0 { throw .writableByOthers(folder, mode & 0o777) }
        try checkAncestors(of: folder)
    }

    /// Who may rename a folder further up could put another one in its place, with all that leads to ours. Each that the path
    /// names is looked at, and each that it leads to by links.
    private static func checkAncestors(of folder: String) throws(RendezvousError) {
        var seen: Set<String> = []
        for path in [folder, (try? Folder.resolved(folder)) ?? folder] {
            var ancestor = Folder.containing(path)
            // The root folder, and what was seen above another path, end it.
            while seen.insert(ancestor).inserted {
                defer { ancestor = Folder.containing(ancestor) }
                guard let status = try? FileStatus(ofPath: ancestor, followsLink: true) else { continue }
                let mode = status.permissions
                if mode & 0o1000 == 0, isWritableByOthers(status) {
                    throw .ancestorWritableByOthers(ancestor, mode & 0o777, above: folder)
                }
            }
        }
    }

    /// A group of the user's own has that number, and nobody else in it: many systems make such, and folders that it can
    /// write to. Root's has nobody who could not do so in any case.
    private static func isWritableByOthers(_ status: FileStatus) -> Bool {
        if status.permissions & 0o002 != 0 { return true }
        return status.permissions & 0o020 != 0 && status.group != 0 && status.group != PeerCredentials.own.user
    }

    private static func check(_ folder: String, _ status: FileStatus, user: UInt32) throws(RendezvousError) {
        if status.isLink { throw .link(folder) }
        guard status.isFolder else { throw .notAFolder(folder) }
        // A folder of ours that others cannot write to stays what it is, in a sticky /tmp as well.
        if status.user != user { throw .ownedByAnother(folder, owner: status.user, user: user) }
        let mode = status.permissions & 0o777
        if mode != 0o700 { throw .wrongMode(folder, mode) }
    }

    private static func statusMaking(_ folder: String) throws(RendezvousError) -> FileStatus {
        do throws(Errno) {
            do throws(Errno) {
                return try status(of: folder)
            } catch .noSuchFileOrDirectory {
                do throws(Errno) {
                    try Folder.makePrivate(folder)
                } catch .fileExists {
                    // Someone else was faster; the check is for that, too.
                }
                return try status(of: folder)
            }
        } catch {
            throw .unusable(folder, error)
        }
    }

    /// Of the folder itself, which a link to it is not.
    private static func status(of folder: String) throws(Errno) -> FileStatus {
        try FileStatus(ofPath: folder, followsLink: false)
    }
}

/// Why bridges cannot be found in a folder.
package enum RendezvousError: Error, Equatable, CustomStringConvertible {
    case unusable(String, Errno)
    case link(String)
    case notAFolder(String)
    case ownedByAnother(String, owner: UInt32, user: UInt32)
    case wrongMode(String, UInt32)
    case writableByOthers(String, UInt32)
    /// A folder further up, above that one.
    case ancestorWritableByOthers(String, UInt32, above: String)

    package var description: String { "\(problem); \(advice)" }

    /// What is wrong.
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
            "others can write to the folder \(folder) (mode \(String(mode, radix: 8))), and could put themselves in the "
                + "bridge's place"
        case .ancestorWritableByOthers(let folder, let mode, let below):
            "others can write to \(folder) (mode \(String(mode, radix: 8))), and could put another folder in the place of "
                + below
        }
    }

    /// What to do about it.
    package var advice: String {
        switch self {
        case .unusable, .ownedByAnother: Self.elsewhere
        case .link, .notAFolder: "remove it"
        case .wrongMode(let folder, _): "run: chmod 700 '\(folder)'"
        case .ancestorWritableByOthers(let folder, _, _): "run: chmod go-w '\(folder)', or \(Self.elsewhere)"
        case .writableByOthers(let folder, _): "run: chmod 700 '\(folder)', or \(Self.elsewhere)"
        }
    }

    private static let elsewhere = "set XDG_RUNTIME_DIR to a folder of your own"
}
