import Glibc
package import SystemPackage

/// A lock between processes on a file of its own, which says who holds it. See flock(2).
///
/// It is given back when the lock is released by its deinit or its process ends, however it ends. The file stays:
/// removing it would let two processes lock two files of one name.
package final class FileLock: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // Said rather than left to the last close: a child between its fork(2) and its exec has the file open as well.
        _ = flock(descriptor.fileDescriptor.rawValue, LOCK_UN)
    }

    /// Opens or makes the file, for this user only. A link is not followed.
    package static func open(_ path: String) throws(Errno) -> FileLock {
        let file = try rethrowingErrno {
            try FileDescriptor.open(
                FilePath(path), .readWrite, options: [.create, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
        }
        return FileLock(Descriptor(adopting: file))
    }

    /// Takes the lock if nobody has it, and writes this process's id into the file. Does not wait.
    package func tryLock() throws(Errno) -> Bool {
        let file = descriptor.fileDescriptor
        do throws(Errno) {
            try systemCall { flock(file.rawValue, LOCK_EX | LOCK_NB) }
        } catch .wouldBlock {
            return false
        }
        try systemCall { ftruncate(file.rawValue, 0) }
        try rethrowingErrno { _ = try file.writeAll(toAbsoluteOffset: 0, "\(getpid())\n".utf8) }
        return true
    }

    /// Waits until nobody has the lock of that file, which may be taken by another again a moment later.
    ///
    /// - Returns: Whether that was so before the deadline.
    package static func awaitRelease(of path: String, until deadline: ContinuousClock.Instant) throws(Errno) -> Bool {
        let lock = try open(path)
        let release = try rethrowingErrno { try FileDescriptor.pipe(options: .closeOnExec) }
        let released = Descriptor(adopting: release.readEnd)
        let signal = Descriptor(adopting: release.writeEnd)
        // No call waits for a lock and for a time: where the deadline passes, the thread is left behind, and lets go of what
        // it gets some day at once.
        _ = try WorkerThread.start(name: "xpb-lock") {
            _ = flock(lock.descriptor.fileDescriptor.rawValue, LOCK_EX)
            _ = flock(lock.descriptor.fileDescriptor.rawValue, LOCK_UN)
            _ = try? signal.fileDescriptor.writeAll([0])
        }
        return try waitReadable(released.fileDescriptor, until: deadline)
    }

    /// The same of a file that is only looked at.
    ///
    /// - Throws: `noSuchFileOrDirectory` where there is none.
    package static func holder(of path: String) throws(Errno) -> Int32? {
        let file = try rethrowingErrno {
            try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .noFollow])
        }
        return FileLock(Descriptor(adopting: file)).holder()
    }

    /// The process that took the lock last; nil if none wrote itself in yet. It holds the lock if
    /// ``tryLock()`` has just returned false.
    package func holder() -> Int32? {
        var bytes: [UInt8] = Array(repeating: 0, count: 16)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe (try? descriptor.fileDescriptor.read(fromAbsoluteOffset: 0, into: buffer)) ?? 0
        }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
