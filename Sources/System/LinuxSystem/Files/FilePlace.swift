import CLinux
import Glibc
package import SystemPackage

/// The place of a file: an open folder, and a name in it.
///
/// In a sticky folder that others can write to, such as /tmp, another user may have planted a link to a file of this
/// user, or a pipe or file that receives the written bytes. Whether the kernel refuses these files depends on its
/// settings `fs.protected_symlinks`, `fs.protected_fifos` and `fs.protected_regular`, and on the flags of the call (see
/// proc_sys_fs(5)). The path is therefore followed here, link by link, and every later step begins at the open folder,
/// so that nothing can be exchanged between a check and the use.
package struct FilePlace: Sendable {
    let folder: Descriptor
    let name: [UInt8]
    /// The status of the file, which is not a link; nil if nothing has the name.
    package let status: FileStatus?
    /// True if the name is a link of proc(5) to an open file that has no path, such as a pipe.
    var isOpenFile = false

    /// Follows a path.
    ///
    /// - Parameter path: The path, encoded by ``LosslessText``. Slashes at its end are ignored.
    package static func find(_ path: String) throws(FilePlaceError) -> FilePlace {
        var walk = try PathWalk(LosslessText.bytes(of: path))
        while true {
            if let place = try walk.step() { return place }
        }
    }

    /// Opens a device or pipe for writing, and checks the open file, since another file may have the name by now.
    /// Opening a pipe waits for its reader.
    package func openForWriting() throws(FilePlaceError) -> Descriptor {
        let file = try system { () throws(Errno) in
            try folder.open(name, O_WRONLY | (isOpenFile ? 0 : O_NOFOLLOW))
        }
        let status = try system { () throws(Errno) in try FileStatus(of: file.fileDescriptor) }
        if !isOpenFile { try status.check(in: folder) }
        guard !status.isRegular else { throw .system(.resourceBusy) }
        return file
    }

    /// Throws the error of opening the file for writing, without opening it.
    func checkWritable() throws(Errno) {
        try unsafe systemCall(path: name) { unsafe faccessat(folder.fileDescriptor.rawValue, $0, W_OK, AT_EACCESS) }
    }
}

/// The reason why a path leads to no place for a file.
package enum FilePlaceError: Error, Equatable, CustomStringConvertible {
    case system(Errno)
    /// Another user's file, in a sticky folder that others can write to.
    case foreign(FileStatus)

    package var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .foreign(let status):
            "in a folder that everybody can write to, it leads to a \(status.isLink ? "link" : status.isPipe ? "pipe" : "file") "
                + "of another user (\(status.user))"
        }
    }

    /// The error for callers that report system errors only.
    var errno: Errno {
        if case .system(let error) = self { error } else { .permissionDenied }
    }
}

/// The rest of a path, and the folder at which it begins.
private struct PathWalk {
    private var folder: Descriptor
    private var names: ArraySlice<[UInt8]>
    /// The kernel's limit on links in one path is 40.
    private var linksLeft = 40

    init(_ path: [UInt8]) throws(FilePlaceError) {
        guard !path.isEmpty else { throw .system(.noSuchFileOrDirectory) }
        folder = try Self.start(of: path)
        names = Self.names(in: path)
    }

    /// Follows the next name. Returns the place if the name is the last one and not the name of a link.
    mutating func step() throws(FilePlaceError) -> FilePlace? {
        guard let name = names.popFirst() else {
            return FilePlace(folder: folder, name: [UInt8(ascii: ".")], status: try Self.status(of: folder))
        }
        // O_DIRECTORY also makes autofs mount the file system at the name.
        if !names.isEmpty || name == Array("..".utf8), let next = try? folder.open(name, Self.identifying | O_DIRECTORY)
        {
            folder = next
            return nil
        }
        guard let entry = try entry(name) else { return FilePlace(folder: folder, name: name, status: nil) }
        let status = try Self.status(of: entry)
        try status.check(in: folder)
        guard status.isLink else {
            guard names.isEmpty else { throw .system(.notDirectory) }
            return FilePlace(folder: folder, name: name, status: status)
        }
        linksLeft -= 1
        guard linksLeft >= 0 else { throw .system(.tooManySymbolicLinkLevels) }
        return try follow(entry, named: name)
    }

    private mutating func follow(_ link: Descriptor, named name: [UInt8]) throws(FilePlaceError) -> FilePlace? {
        if isInProc {
            let target = try system { () throws(Errno) in try folder.open(name, LINUX_O_PATH) }
            let status = try Self.status(of: target)
            if status.isFolder {
                folder = target
                return nil
            }
            guard names.isEmpty else { throw .system(.notDirectory) }
            if !status.isRegular { return FilePlace(folder: folder, name: name, status: status, isOpenFile: true) }
        }
        let target = try system { () throws(Errno) in try link.linkTarget() }
        if target.first == UInt8(ascii: "/") { folder = try Self.start(of: target) }
        names = Self.names(in: target) + names
        return nil
    }

    /// Opens the entry only to identify it; nil if it is the last entry of the path and does not exist.
    private func entry(_ name: [UInt8]) throws(FilePlaceError) -> Descriptor? {
        do throws(Errno) {
            return try folder.open(name, Self.identifying)
        } catch {
            if error == .noSuchFileOrDirectory, names.isEmpty { return nil }
            throw .system(error)
        }
    }

    /// True in proc(5), where a link to an open file cannot be followed by its text alone.
    private var isInProc: Bool {
        var fileSystem = statfs()
        return unsafe fstatfs(folder.fileDescriptor.rawValue, &fileSystem) == 0
            && fileSystem.f_type == Int(PROC_SUPER_MAGIC)
    }

    private static let identifying = LINUX_O_PATH | O_NOFOLLOW

    private static func start(of path: [UInt8]) throws(FilePlaceError) -> Descriptor {
        let flags = LINUX_O_PATH | O_DIRECTORY | O_CLOEXEC
        let start = path.first == UInt8(ascii: "/") ? "/" : "."
        return try system { () throws(Errno) in
            Descriptor(adopting: FileDescriptor(rawValue: try systemCall { unsafe Glibc.open(start, flags) }))
        }
    }

    private static func names(in path: [UInt8]) -> ArraySlice<[UInt8]> {
        path.prefix { $0 != 0 }.split(separator: UInt8(ascii: "/")).map(Array.init)
            .filter { $0 != [UInt8(ascii: ".")] }[...]
    }

    private static func status(of file: Descriptor) throws(FilePlaceError) -> FileStatus {
        try system { () throws(Errno) in try FileStatus(of: file.fileDescriptor) }
    }
}

private func system<Result>(_ body: () throws(Errno) -> Result) throws(FilePlaceError) -> Result {
    do {
        return try body()
    } catch {
        throw .system(error)
    }
}

extension FileStatus {
    /// Throws if the file is another user's link, pipe or regular file in a sticky folder that others can write to.
    fileprivate func check(in folder: Descriptor) throws(FilePlaceError) {
        guard isLink || isPipe || isRegular, user != geteuid() else { return }
        let parent = try system { () throws(Errno) in try FileStatus(of: folder.fileDescriptor) }
        if parent.permissions & 0o1000 != 0, parent.permissions & 0o022 != 0 { throw .foreign(self) }
    }
}

/// System calls whose paths begin at an open folder.
extension Descriptor {
    /// Opens a file, close-on-exec. See openat(2).
    func open(_ name: [UInt8], _ flags: Int32, permissions: mode_t = 0o666) throws(Errno) -> Descriptor {
        let file = try unsafe systemCall(path: name) {
            unsafe openat(fileDescriptor.rawValue, $0, flags | O_CLOEXEC, permissions)
        }
        return Descriptor(adopting: FileDescriptor(rawValue: file))
    }

    /// Creates a new file for reading and writing.
    func create(_ name: [UInt8]) throws(Errno) -> Descriptor { try open(name, O_RDWR | O_CREAT | O_EXCL) }

    func makeFolder(_ name: [UInt8]) throws(Errno) {
        try unsafe systemCall(path: name) { unsafe mkdirat(fileDescriptor.rawValue, $0, 0o777) }
    }

    /// Moves a file to another folder, where it replaces any file with that name. See renameat(2).
    func move(_ name: [UInt8], to folder: Descriptor, as newName: [UInt8]) throws(Errno) {
        try unsafe systemCall(paths: name, newName) { name, newName in
            unsafe renameat(fileDescriptor.rawValue, name, folder.fileDescriptor.rawValue, newName)
        }
    }

    /// Moves a file to another folder under its name. See renameat2(2).
    ///
    /// - Throws: `fileExists` if the folder has a file of that name.
    func moveUnlessExists(_ name: [UInt8], to folder: Descriptor) throws(Errno) {
        do throws(Errno) {
            try unsafe systemCall(path: name) { name in
                unsafe renameat2(
                    fileDescriptor.rawValue, name, folder.fileDescriptor.rawValue, name, xpb_rename_noreplace)
            }
        } catch .invalidArgument {
            // The file system, such as NFS, does not support the flag.
            try unsafe systemCall(path: name) { name in
                unsafe linkat(fileDescriptor.rawValue, name, folder.fileDescriptor.rawValue, name, 0)
            }
            remove(name)
        }
    }

    /// Gives a name in this folder to a file, the target of a link of proc(5). See linkat(2).
    func link(_ file: [UInt8], as name: [UInt8]) throws(Errno) {
        try unsafe systemCall(paths: file, name) { file, name in
            unsafe linkat(AT_FDCWD, file, fileDescriptor.rawValue, name, AT_SYMLINK_FOLLOW)
        }
    }

    /// Removes a file or an empty folder. Nothing can be done about an error.
    func remove(_ name: [UInt8], isFolder: Bool = false) {
        _ = try? unsafe systemCall(path: name) {
            unsafe unlinkat(fileDescriptor.rawValue, $0, isFolder ? AT_REMOVEDIR : 0)
        }
    }

    /// Returns the target of a symbolic link that was opened only to identify it. See readlinkat(2).
    fileprivate func linkTarget() throws(Errno) -> [UInt8] {
        // Paths are limited to PATH_MAX, 4096 bytes.
        var bytes = [CChar](repeating: 0, count: 4_096)
        let count = try systemCall { unsafe readlinkat(fileDescriptor.rawValue, "", &bytes, bytes.count) }
        return bytes[..<count].map(UInt8.init(bitPattern:))
    }
}

extension Descriptor {
    /// Opens a file only to identify it, close-on-exec: it can be neither read nor written (open(2), O_PATH).
    package static func openPath(_ path: [UInt8]) throws(Errno) -> Descriptor {
        try open(FilePath(lossless: LosslessText.string(of: path)), options: .init(rawValue: LINUX_O_PATH))
    }
}
