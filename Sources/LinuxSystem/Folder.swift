import CLinux
import Glibc
package import SystemPackage

/// Folders of the file system.
package enum Folder {
    /// As for a `FilePath`, of the bytes that ``LosslessText`` has for the path.
    package static func makePrivate(_ path: String) throws(Errno) { try makePrivate(FilePath(lossless: path)) }

    /// The folder that something is in, by the path to it: the root folder for what is in that, and for itself.
    ///
    /// It does what `FilePath` does in a fifth of the time that this takes at the start of a program.
    ///
    /// - Parameter path: An absolute one.
    package static func containing(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        guard let end = path.utf8.lastIndex(where: { $0 != slash }),
            let mark = path.utf8[..<end].lastIndex(of: slash),
            let last = path.utf8[..<mark].lastIndex(where: { $0 != slash })
        else { return "/" }
        return String(path[...last])
    }

    /// Makes a folder that only its owner may enter. The corresponding C function is `mkdir`.
    package static func makePrivate(_ path: FilePath) throws(Errno) {
        try systemCall { unsafe path.withPlatformString { unsafe mkdir($0, 0o700) } }
    }

    /// Locks a folder against others that do so, until the descriptor goes, and waits for them as long as it takes. See
    /// flock(2).
    ///
    /// - Throws: What open(2) says; `noLocks` and the like where the file system has no locks.
    package static func lock(_ path: FilePath) throws(Errno) -> Descriptor {
        let folder = try rethrowingErrno {
            Descriptor(adopting: try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .directory]))
        }
        try systemCall { flock(folder.fileDescriptor.rawValue, LOCK_EX) }
        return folder
    }

    /// The path of a file or folder without links, and without `.` and `..`. See realpath(3).
    package static func resolved(_ path: String) throws(Errno) -> String {
        guard let resolved = unsafe FilePath(lossless: path).withPlatformString({ unsafe realpath($0, nil) }) else {
            throw Errno(rawValue: errno)
        }
        defer { unsafe free(resolved) }
        return LosslessText.string(of: unsafe Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))))
    }

    /// Sees whether files can be made in a folder, as far as its file system and its permissions tell. See access(2).
    package static func checkWritable(_ path: String) throws(Errno) {
        try systemCall { unsafe FilePath(lossless: path).withPlatformString { unsafe access($0, W_OK | X_OK) } }
    }

    /// How much can still be written to the file system that a folder is in.
    package struct Room: Equatable, Sendable {
        package var bytes: Int
        /// How many files can still be made; nil where the file system has no such limit.
        package var files: Int?

        package init(bytes: Int, files: Int?) {
            self.bytes = bytes
            self.files = files
        }
    }

    /// Of this user's. See statvfs(3).
    package static func room(in path: String) throws(Errno) -> Room {
        var status = statvfs()
        try systemCall {
            unsafe FilePath(lossless: path).withPlatformString { unsafe statvfs($0, &status) }
        }
        // Some is put by for root.
        let isRoot = geteuid() == 0
        let blocks = isRoot ? status.f_bfree : status.f_bavail
        let files = isRoot ? status.f_ffree : status.f_favail
        let (bytes, isOver) = Int(clamping: blocks).multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
        return Room(bytes: isOver ? .max : bytes, files: status.f_files == 0 ? nil : Int(clamping: files))
    }

    /// The names in a folder, in no order, without `.` and `..`.
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

/// Awaits the appearance of a file. See inotify(7).
package final class FolderWatch {
    private let descriptor: Descriptor
    private let folder: FilePath

    /// - Throws: `noSuchFileOrDirectory` if the folder is not there.
    package init(folder: String) throws(Errno) {
        self.folder = FilePath(folder)
        let flags = Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)
        let descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { inotify_init1(flags) }))
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF)
        try systemCall { unsafe inotify_add_watch(descriptor.fileDescriptor.rawValue, folder, events) }
        self.descriptor = descriptor
    }

    /// Readable when an entry has appeared, until ``drain()``.
    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// Waits until the folder has an entry of that name.
    ///
    /// - Returns: Whether it has it at `deadline`.
    package func waitForEntry(named name: String, until deadline: ContinuousClock.Instant?) throws(Errno) -> Bool {
        let entry = folder.appending(name)
        // The watch is older than this look: an entry made after it wakes us up.
        while unsafe access(entry.string, F_OK) != 0 {
            guard try waitReadable(descriptor.fileDescriptor, until: deadline) else { return false }
            try drain()
        }
        return true
    }

    /// The events only say that it is worth while to look again.
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
