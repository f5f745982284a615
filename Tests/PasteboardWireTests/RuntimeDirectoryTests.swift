import Foundation
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

struct RuntimeDirectoryTests {
    let parent: TemporaryFolder
    let user = PeerCredentials.own.user

    init() throws { parent = try TemporaryFolder() }

    var environment: [String: String] { ["XDG_RUNTIME_DIR": parent.path] }
    var folder: String { parent.file("xpb") }

    @Test("The folder is created for its owner only, and found again")
    func makes() throws {
        let runtimeDirectory = try RuntimeDirectory(environment: environment)
        #expect(runtimeDirectory.folder == folder)
        #expect(try Stat(FilePath(folder)).permissions == .ownerReadWriteExecute)
        #expect(try RuntimeDirectory(environment: environment) == runtimeDirectory)
        #expect(runtimeDirectory.socketPath(":0") == "\(folder)/:0.sock")
        #expect(runtimeDirectory.lockPath(":0") == "\(folder)/:0.lock")
    }

    @Test("Without XDG_RUNTIME_DIR, the folder is in the user's session folder", arguments: [nil, "", "relative"])
    func ofSession(runtime: String?) throws {
        func place(user: UInt32) -> String {
            var environment = ["TMPDIR": "/elsewhere"]
            environment["XDG_RUNTIME_DIR"] = runtime
            return RuntimeDirectory.Place(environment: environment, user: user, sessions: parent.path).folder
        }
        #expect(place(user: user) == "/elsewhere/xpb-\(user)")
        // A folder that belongs to another user is not used as a session folder.
        for owner in [user, user + 1] {
            try FileManager.default.createDirectory(
                atPath: parent.file("\(owner)"), withIntermediateDirectories: false)
        }
        #expect(place(user: user) == parent.file("\(user)/xpb"))
        #expect(place(user: user + 1) == "/elsewhere/xpb-\(user + 1)")
        let given = RuntimeDirectory.Place(environment: environment, user: user, sessions: parent.path)
        #expect(given.folder == folder)
    }

    @Test("The keys of existing sockets are found, without locks and unfinished sockets")
    func sockets() throws {
        let runtimeDirectory = try RuntimeDirectory(environment: environment)
        #expect(runtimeDirectory.sockets() == [])
        let listeners = try [":1", "none"].map { try UnixSocket.listen(at: runtimeDirectory.socketPath($0)) }
        _ = try FileLock.open(runtimeDirectory.lockPath(":2"))
        _ = try FileLock.open(parent.file("xpb/:3.soc~"))
        #expect(runtimeDirectory.sockets() == [":1", "none"])
        withExtendedLifetime(listeners) {}
    }

    @Test("A folder of another user is refused, with advice")
    func otherOwner() throws {
        _ = try RuntimeDirectory(environment: environment)
        // If root runs the tests, the parent belongs to root, which every user trusts.
        let refused = user == 0 ? folder : parent.path
        let error = #expect(throws: RuntimeDirectoryError.ownedByAnother(refused, owner: user, user: user + 1)) {
            try RuntimeDirectory(environment: environment, user: user + 1)
        }
        #expect(error?.description.contains("set XDG_RUNTIME_DIR to a folder of your own") == true)
    }

    @Test(
        "A folder that other users can enter, or that its owner cannot use, is refused",
        arguments: [0o701, 0o710, 0o704, 0o777, 0o500, 0o000] as [UInt32])
    func wrongMode(mode: UInt32) throws {
        _ = try RuntimeDirectory(environment: environment)
        try FileManager.default.setAttributes([.posixPermissions: Int(mode)], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        let error = #expect(throws: RuntimeDirectoryError.wrongMode(folder, mode)) {
            try RuntimeDirectory(environment: environment)
        }
        #expect(error?.description.contains("chmod 700 '\(folder)'") == true)
    }

    @Test("A symbolic link at the folder's path is refused, even if it leads to a suitable folder")
    func link() throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: other.path)
        let error = #expect(throws: RuntimeDirectoryError.link(folder)) {
            try RuntimeDirectory(environment: environment)
        }
        #expect(error?.description.contains("remove it") == true)
    }

    @Test("A file at the folder's path is refused")
    func file() throws {
        try Data().write(to: URL(filePath: folder))
        let error = #expect(throws: RuntimeDirectoryError.notAFolder(folder)) {
            try RuntimeDirectory(environment: environment)
        }
        #expect(error?.description.contains("remove it") == true)
    }

    @Test("If XDG_RUNTIME_DIR does not exist, the error names it")
    func missingParent() throws {
        let environment = ["XDG_RUNTIME_DIR": parent.file("none")]
        let error = #expect(throws: RuntimeDirectoryError.self) { try RuntimeDirectory(environment: environment) }
        #expect(error == .unusable(parent.file("none/xpb"), .noSuchFileOrDirectory))
        #expect(error?.description.contains("XDG_RUNTIME_DIR") == true)
    }

    @Test(
        "A parent folder that other users can write to is refused, and no folder is created in it",
        arguments: [0o777, 0o770, 0o720, 0o702] as [UInt32])
    func writableParent(mode: UInt32) throws {
        try FileManager.default.setAttributes([.posixPermissions: Int(mode)], ofItemAtPath: parent.path)
        let error = #expect(throws: RuntimeDirectoryError.writableByOthers(parent.path, mode)) {
            try RuntimeDirectory(environment: environment)
        }
        #expect(error?.description.contains("chmod 700 '\(parent.path)'") == true)
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(throws: RuntimeDirectoryError.writableByOthers(parent.path, mode)) {
            try RuntimeDirectory.existing(environment: environment)
        }
    }

    @Test("A sticky parent folder such as /tmp is accepted: other users cannot rename its entries")
    func stickyParent() throws {
        // FileManager sets only the nine permission bits.
        try #require(unsafe chmod(parent.path, 0o1777) == 0)
        #expect(try RuntimeDirectory(environment: environment).folder == folder)
    }

    @Test(
        "A folder further up that other users can write to is refused, whether it is in the path or behind a link",
        arguments: [0o777, 0o707, 0o1777, 0o755] as [UInt32], [false, true])
    func writableAncestor(mode: UInt32, isLinked: Bool) throws {
        let run = parent.file("above/run")
        try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
        try #require(unsafe chmod(run, 0o700) == 0)
        // FileManager sets only the nine permission bits.
        try #require(unsafe chmod(parent.file("above"), mode) == 0)
        let link = parent.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: run)
        let environment = ["XDG_RUNTIME_DIR": isLinked ? link : run]
        // In a sticky folder nobody can rename the entries of other users.
        guard mode & 0o1002 == 0o002 else {
            #expect(try RuntimeDirectory(environment: environment).folder == (isLinked ? link : run) + "/xpb")
            return
        }
        for make in [
            { _ = try RuntimeDirectory(environment: $0) }, { _ = try RuntimeDirectory.existing(environment: $0) },
        ] {
            let error = #expect(throws: RuntimeDirectoryError.self) { try make(environment) }
            let above = parent.file("above")
            #expect(error == .ancestorWritableByOthers(above, mode & 0o777, above: isLinked ? link : run))
            #expect(error?.description.contains("chmod go-w '\(above)'") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: "\(run)/xpb"))
    }

    @Test(
        "A folder further up that a group can write to is refused, except for root's group",
        .enabled(if: geteuid() == 0))
    func groupAncestor() throws {
        let run = parent.file("above/run")
        try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
        try #require(unsafe chmod(run, 0o700) == 0 && chmod(parent.file("above"), 0o770) == 0)
        _ = try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": run])
        try #require(unsafe chown(parent.file("above"), 0, 65534) == 0)
        #expect(throws: RuntimeDirectoryError.ancestorWritableByOthers(parent.file("above"), 0o770, above: run)) {
            try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": run])
        }
    }

    @Test("A parent folder of another user is refused", .enabled(if: geteuid() == 0, "only root can change owners"))
    func otherParent() throws {
        try #require(unsafe chown(parent.path, 65534, 65534) == 0)
        #expect(throws: RuntimeDirectoryError.ownedByAnother(parent.path, owner: 65534, user: 1)) {
            try RuntimeDirectory(environment: environment, user: 1)
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("Root does not use the folder of the user who started the program", .enabled(if: geteuid() == 0))
    func folderOfCaller() throws {
        try #require(unsafe chown(parent.path, 65534, 65534) == 0)
        let place = RuntimeDirectory.Place(
            environment: ["XDG_RUNTIME_DIR": parent.path, "TMPDIR": "/elsewhere"], user: 0, sessions: "/none")
        #expect(place.folder == "/elsewhere/xpb-0")
    }

    @Test("A link of another user is refused, even if it leads to a suitable folder", .enabled(if: geteuid() == 0))
    func linkOfAnother() throws {
        let link = parent.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: parent.path)
        #expect(try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": link]).folder == "\(link)/xpb")
        try #require(unsafe lchown(link, 65534, 65534) == 0)
        #expect(throws: RuntimeDirectoryError.ownedByAnother(link, owner: 65534, user: 0)) {
            try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": link])
        }
    }

    @Test("Looking for an existing folder does not create it, and reports the same faults")
    func looks() throws {
        #expect(try RuntimeDirectory.existing(environment: environment) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
        let missing = ["XDG_RUNTIME_DIR": parent.file("none")]
        #expect(throws: RuntimeDirectoryError.unusable(parent.file("none/xpb"), .noSuchFileOrDirectory)) {
            try RuntimeDirectory.existing(environment: missing)
        }
        let made = try RuntimeDirectory(environment: environment)
        #expect(try RuntimeDirectory.existing(environment: environment) == made)
        try #require(unsafe chmod(folder, 0o755) == 0)
        #expect(throws: RuntimeDirectoryError.wrongMode(folder, 0o755)) {
            try RuntimeDirectory.existing(environment: environment)
        }
    }
}
