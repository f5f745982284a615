import CLinux
import Glibc
package import SystemPackage

/// A file that atomically replaces another: readers of the path see either the old contents or all of the new ones.
///
/// Without ``commit()`` nothing is left behind. The same holds if the process is killed, provided that the file system
/// supports unnamed files.
package final class ReplacementFile {
    package let fileDescriptor: FileDescriptor
    private let path: FilePath
    /// The temporary name; nil while the file has none.
    private var temporary: FilePath?
    private var isOpen = true
    private var isCommitted = false

    /// - Parameter path: The path of a regular file, of a link to one, or of nothing yet. The permissions of an
    ///   existing file are kept.
    package init(replacing path: String) throws(Errno) {
        // rename(2) would replace the link itself instead of its target.
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

    /// Flushes the file to disk and then puts it in place, so that a crash cannot leave an empty file there.
    ///
    /// - Throws: The errors of earlier writes that fsync(2) and close(2) report; the errors of rename(2).
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

    /// Creates an unnamed file (open(2), O_TMPFILE). Returns nil if the file system does not support it, or if the file
    /// could not be given a name later.
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

    /// Gives the file a temporary name, from which it can be renamed; linkat(2) cannot replace an existing file.
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

    /// Creates something under an unused name. The name is random: a killed process may have left its file behind, so
    /// not even a process id guarantees a free name.
    private static func naming<Made>(
        beside path: FilePath, _ make: (FilePath) throws(Errno) -> Made
    ) throws(Errno) -> (Made, FilePath) {
        // Some file systems limit the length of names. The bytes of a character cut in two become three bytes each.
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

    /// Returns the path without links; nil if nothing exists there. See realpath(3).
    private static func resolved(_ path: String) -> FilePath? {
        let found = unsafe FilePath(lossless: path).withPlatformString { unsafe realpath($0, nil) }
        guard let found = unsafe found else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(platformString: found)
    }
}

/// A new folder that appears with all of its files: readers of the path see none of them or, once the last one exists,
/// all of them.
///
/// Without ``commit(last:)`` nothing is left behind. A process that is killed before leaves a folder whose name begins
/// with a dot.
package final class ReplacementFolder {
    private let path: FilePath
    /// The folder that holds the files until all are complete: beside the target, or inside it if the target already
    /// exists.
    private let workplace: FilePath
    private let isThere: Bool
    private var names: [String] = []
    private var moved: [FilePath] = []
    private var isCommitted = false

    /// - Parameter path: The path of nothing yet, or of an empty folder, which is then filled.
    /// - Throws: `directoryNotEmpty` or `notDirectory` if something else exists; the errors of mkdir(2).
    package init(path: String) throws(Errno) {
        var place = FilePath(lossless: path)
        // "." and ".." exist, and nothing can be created beside them.
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

    /// Creates a file in the folder. `name` is a single path component, different from all others.
    package func makeFile(_ name: String) throws(Errno) -> Descriptor {
        let file = try rethrowingErrno {
            try FileDescriptor.open(
                workplace.appending(name), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        }
        names.append(name)
        return Descriptor(adopting: file)
    }

    /// Puts the files in place. `last` is the name of the file that is moved last if the folder already existed.
    package func commit(last: String) throws(Errno) {
        if isThere {
            for name in names.filter({ $0 != last }) + [last] {
                try Self.move(workplace.appending(name), to: path.appending(name))
                moved.append(path.appending(name))
            }
            _ = unsafe workplace.withPlatformString { unsafe rmdir($0) }
        } else {
            // rename(2) replaces an empty folder that was created in the meantime, but no other.
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
        // The entries "." and ".." are always present.
        while count < 3, unsafe readdir(stream) != nil { count += 1 }
        return count < 3
    }

    /// Returns a path that stays valid if the working folder changes. See realpath(3).
    private static func resolved(_ path: FilePath) -> FilePath? {
        let found = unsafe path.withPlatformString { unsafe realpath($0, nil) }
        guard let found = unsafe found else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(platformString: found)
    }
}
