import CLinux
import Glibc
package import SystemPackage

/// A file written beside the one it replaces: who looks at the path sees the old contents or all of the new ones.
///
/// Given up without ``commit()``, it leaves nothing behind, and neither does a process that is killed, where the file system
/// has files without a name.
package final class ReplacementFile {
    package let fileDescriptor: FileDescriptor
    private let path: FilePath
    /// Nil as long as it has no name.
    private var temporary: FilePath?
    private var isOpen = true
    private var isCommitted = false

    /// - Parameter path: A regular file, a link to one, or nothing yet. The file's permissions are kept.
    package init(replacing path: String) throws(Errno) {
        // Renaming would replace a link, and not what it leads to.
        let path = Self.resolved(path) ?? FilePath(lossless: path)
        let permissions = (try? Stat(path))?.permissions
        self.path = path
        if let nameless = Self.makeNameless(beside: path) {
            fileDescriptor = nameless
        } else {
            (fileDescriptor, temporary) = try Self.naming(beside: path, Self.make)
        }
        if let permissions { try systemCall { fchmod(fileDescriptor.rawValue, permissions.rawValue) } }
    }

    /// Puts the file in its place when it is on its disk, so that no crash leaves an empty one there.
    ///
    /// - Throws: What fsync(2) and close(2) report of earlier writes; what rename(2) says.
    package func commit() throws(Errno) {
        try systemCall { fsync(fileDescriptor.rawValue) }
        let temporary = if let temporary { temporary } else { try name() }
        isOpen = false
        try rethrowingErrno { try fileDescriptor.close() }
        try systemCall {
            unsafe temporary.withPlatformString { source in
                unsafe path.withPlatformString { unsafe rename(source, $0) }
            }
        }
        isCommitted = true
    }

    deinit {
        if isOpen { try? fileDescriptor.close() }
        if !isCommitted { _ = unsafe temporary?.withPlatformString { unsafe unlink($0) } }
    }

    private static let usual: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]

    /// See open(2), O_TMPFILE. Nil where there is no such thing, or no way to name the file in the end.
    private static func makeNameless(beside path: FilePath) -> FileDescriptor? {
        let folder = path.removingLastComponent()
        let file = try? FileDescriptor.open(
            folder.isEmpty ? "." : folder, .readWrite, options: [.closeOnExec, .init(rawValue: xpb_o_tmpfile)],
            permissions: usual)
        guard let file else { return nil }
        if (try? Stat(Self.door(of: file))) != nil { return file }
        try? file.close()
        return nil
    }

    private static func make(_ name: FilePath) throws(Errno) -> FileDescriptor {
        try rethrowingErrno {
            try FileDescriptor.open(
                name, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: usual)
        }
    }

    private static func door(of file: FileDescriptor) -> FilePath { FilePath("/proc/self/fd/\(file.rawValue)") }

    /// Gives the file a name, by which it is moved to its place: a link cannot replace anything.
    private func name() throws(Errno) -> FilePath {
        let (_, name) = try Self.naming(beside: path) { name throws(Errno) -> Void in
            _ = try systemCall {
                unsafe Self.door(of: fileDescriptor).withPlatformString { source in
                    unsafe name.withPlatformString { unsafe linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
                }
            }
        }
        temporary = name
        return name
    }

    /// Makes something by a name that nobody has. A program that was killed may have left its own behind, so that even a
    /// process id may be taken.
    private static func naming<Made>(
        beside path: FilePath, _ make: (FilePath) throws(Errno) -> Made
    ) throws(Errno) -> (Made, FilePath) {
        // Short enough for the file system, however long the name: each byte that is cut off a character makes three.
        let name = String(decoding: (path.lastComponent?.string ?? "").utf8.prefix(32), as: UTF8.self)
        var attempts = 8
        while true {
            let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let temporary = path.removingLastComponent().appending(".\(name).\(suffix).xpb")
            do throws(Errno) {
                return (try make(temporary), temporary)
            } catch {
                attempts -= 1
                guard error == .fileExists, attempts > 0 else { throw error }
            }
        }
    }

    /// realpath(3); nil when nothing is there.
    private static func resolved(_ path: String) -> FilePath? {
        let found = unsafe FilePath(lossless: path).withPlatformString { unsafe realpath($0, nil) }
        guard let found = unsafe found else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(platformString: found)
    }
}

/// A new folder with its files: who looks at the path sees none of them or, once the last one is there, all of them.
///
/// Given up without ``commit(last:)``, it leaves nothing behind. A program that is killed meanwhile leaves a folder whose
/// name begins with a dot.
package final class ReplacementFolder {
    private let path: FilePath
    /// Where the files are until all are whole: beside the folder, or in it where it was there before.
    private let workplace: FilePath
    private let isThere: Bool
    private var names: [String] = []
    private var moved: [FilePath] = []
    private var isCommitted = false

    /// - Parameter path: Of nothing yet, or of an empty folder, which stays the one it is.
    /// - Throws: `directoryNotEmpty`, `notDirectory` where something else is there; what mkdir(2) says.
    package init(path: String) throws(Errno) {
        var place = FilePath(lossless: path)
        // "." and ".." are folders that are there, and nothing is made beside them.
        isThere = (try? Stat(place)) != nil
        if isThere {
            guard try Self.isEmpty(place) else { throw .directoryNotEmpty }
            place = Self.resolved(place) ?? place
        }
        self.path = place
        let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let name = ".\(suffix).xpb"
        workplace = isThere ? place.appending(name) : place.removingLastComponent().appending(name)
        try Self.make(workplace)
    }

    /// A new file in it.
    ///
    /// - Parameter name: One component, which no other file of it has.
    package func makeFile(_ name: String) throws(Errno) -> Descriptor {
        let file = try rethrowingErrno {
            try FileDescriptor.open(
                workplace.appending(name), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        }
        names.append(name)
        return Descriptor(adopting: file)
    }

    /// Puts the files in their place.
    ///
    /// - Parameter last: The name of the file that comes last where the folder was there before.
    package func commit(last: String) throws(Errno) {
        if isThere {
            for name in names.filter({ $0 != last }) + [last] {
                try Self.move(workplace.appending(name), to: path.appending(name))
                moved.append(path.appending(name))
            }
            _ = unsafe workplace.withPlatformString { unsafe rmdir($0) }
        } else {
            // An empty folder that was made meanwhile is replaced, another one is not.
            try Self.move(workplace, to: path)
        }
        isCommitted = true
    }

    deinit {
        guard !isCommitted else { return }
        for file in names.map({ workplace.appending($0) }) + moved {
            _ = unsafe file.withPlatformString { unsafe unlink($0) }
        }
        _ = unsafe workplace.withPlatformString { unsafe rmdir($0) }
    }

    private static func make(_ path: FilePath) throws(Errno) {
        try systemCall { unsafe path.withPlatformString { unsafe mkdir($0, 0o777) } }
    }

    private static func move(_ source: FilePath, to target: FilePath) throws(Errno) {
        try systemCall {
            unsafe source.withPlatformString { source in
                unsafe target.withPlatformString { unsafe rename(source, $0) }
            }
        }
    }

    private static func isEmpty(_ path: FilePath) throws(Errno) -> Bool {
        guard let stream = unsafe path.withPlatformString({ unsafe opendir($0) }) else { throw Errno(rawValue: errno) }
        defer { unsafe closedir(stream) }
        var count = 0
        // Itself and its parent are always there.
        while count < 3, unsafe readdir(stream) != nil { count += 1 }
        return count < 3
    }

    /// Stays the same when the working folder changes. See realpath(3).
    private static func resolved(_ path: FilePath) -> FilePath? {
        let found = unsafe path.withPlatformString { unsafe realpath($0, nil) }
        guard let found = unsafe found else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(platformString: found)
    }
}
