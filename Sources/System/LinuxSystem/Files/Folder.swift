import CLinux
import Glibc
package import SystemPackage

package enum Folder {
    /// Creates a folder that only its owner may enter. The path is encoded by ``LosslessText``.
    package static func makePrivate(_ path: String) throws(Errno) { try makePrivate(FilePath(lossless: path)) }

    /// Returns the path of the folder that contains the given path; the root folder for its own entries and for itself.
    ///
    /// At the start of a program, this takes a fifth of the time of `FilePath`.
    ///
    /// - Parameter path: An absolute path.
    package static func containing(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        guard let end = path.utf8.lastIndex(where: { $0 != slash }),
            let mark = path.utf8[..<end].lastIndex(of: slash),
            let last = path.utf8[..<mark].lastIndex(where: { $0 != slash })
        else { return "/" }
        return String(path[...last])
    }

    /// Returns the nearest existing folder at or above an absolute path, with its owner.
    package static func existing(above path: String) -> (folder: String, user: UInt32)? {
        var folder = path
        while folder != "/" {
            if let status = try? FileStatus(ofPath: folder, followsSymlink: true) { return (folder, status.user) }
            folder = containing(folder)
        }
        return nil
    }

    /// Returns the last part of a path.
    package static func name(of path: String) -> String { FilePath(path).lastComponent?.string ?? "" }

    /// Creates a folder that only its owner may enter. The corresponding C function is `mkdir`.
    package static func makePrivate(_ path: FilePath) throws(Errno) {
        try systemCall { unsafe path.withPlatformString { unsafe mkdir($0, 0o700) } }
        // The umask may have taken permissions from the owner.
        try systemCall { unsafe path.withPlatformString { unsafe chmod($0, 0o700) } }
    }

    /// Takes an advisory lock on a folder, which is held until the returned descriptor is closed. Waits without limit
    /// while another process holds the lock. See flock(2).
    ///
    /// - Throws: The errors of open(2); `noLocks` and similar errors if the file system does not support locks.
    package static func lock(_ path: FilePath) throws(Errno) -> Descriptor {
        let folder = try Descriptor.open(path, options: .directory)
        try systemCall { flock(folder.fileDescriptor.rawValue, LOCK_EX) }
        return folder
    }

    /// Returns the path of a file or folder without links, `.` and `..`. See realpath(3).
    package static func resolved(_ path: String) throws(Errno) -> String {
        guard let resolved = unsafe FilePath(lossless: path).withPlatformString({ unsafe realpath($0, nil) }) else {
            throw Errno(rawValue: errno)
        }
        defer { unsafe free(resolved) }
        return LosslessText.string(of: unsafe Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))))
    }

    /// Throws unless the permissions of a folder and its file system allow files to be created in it. See access(2).
    package static func checkWritable(_ path: String) throws(Errno) {
        try systemCall { unsafe FilePath(lossless: path).withPlatformString { unsafe access($0, W_OK | X_OK) } }
    }

    /// The space left on a file system.
    package struct Room: Equatable, Sendable {
        package var bytes: Int
        /// The number of files that can still be created; nil if the file system does not limit their number.
        package var files: Int?

        package init(bytes: Int, files: Int?) {
            self.bytes = bytes
            self.files = files
        }
    }

    /// Returns the space left for this user on the file system of a folder. See statvfs(3).
    package static func room(in path: String) throws(Errno) -> Room {
        var status = statvfs()
        try systemCall {
            unsafe FilePath(lossless: path).withPlatformString { unsafe statvfs($0, &status) }
        }
        // File systems reserve some blocks and files for root.
        let isRoot = geteuid() == 0
        let blocks = isRoot ? status.f_bfree : status.f_bavail
        let files = isRoot ? status.f_ffree : status.f_favail
        // A file system that reports no blocks does not limit them.
        let isLimited = status.f_blocks > 0
        let (bytes, isOver) = Int(clamping: blocks).multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
        return Room(bytes: isOver || !isLimited ? .max : bytes, files: status.f_files == 0 ? nil : Int(clamping: files))
    }

    /// Makes a symbolic link. See symlink(2).
    package static func makeLink(_ link: String, to target: String) throws(Errno) {
        try systemCall { unsafe symlink(target, link) }
    }

    /// Removes a file or link, if there is one.
    package static func removeFile(_ path: String) { _ = unsafe unlink(path) }

    /// Returns true if a folder has an entry with this name.
    package static func contains(_ name: String, in folder: String) -> Bool {
        guard !name.contains("/") else { return false }
        return unsafe access("\(folder)/\(name)", F_OK) == 0
    }

    /// Returns the names of the entries of a folder, in unspecified order, without `.` and `..`.
    package static func names(in path: String) throws(Errno) -> [String] {
        guard let stream = unsafe opendir(path) else { throw Errno(rawValue: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// A watch for new entries of a folder. See inotify(7).
package final class FolderWatch {
    private let descriptor: Descriptor
    private let folder: FilePath

    /// - Throws: `noSuchFileOrDirectory` if the folder does not exist.
    package init(folder: String) throws(Errno) {
        self.folder = FilePath(folder)
        let flags = Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)
        let descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { inotify_init1(flags) }))
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF)
        try systemCall { unsafe inotify_add_watch(descriptor.fileDescriptor.rawValue, folder, events) }
        self.descriptor = descriptor
    }

    /// A descriptor that is readable after an entry appeared, until ``drain()``.
    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// Waits until the folder has an entry with the given name.
    ///
    /// - Returns: true if the entry exists, false if the deadline passed.
    package func waitForEntry(named name: String, until deadline: ContinuousClock.Instant?) throws(Errno) -> Bool {
        let entry = folder.appending(name)
        // The watch was added before this check, so an entry created after the check makes the descriptor readable.
        while unsafe access(entry.string, F_OK) != 0 {
            guard try waitReadable(descriptor.fileDescriptor, until: deadline) else { return false }
            try drain()
        }
        return true
    }

    /// Discards the events. They carry no information except that the folder should be checked again.
    package func drain() throws(Errno) {
        try rethrowingErrno {
            try unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                do {
                    while unsafe try descriptor.fileDescriptor.read(into: buffer) > 0 {}
                } catch Errno.wouldBlock {}
            }
        }
    }
}
