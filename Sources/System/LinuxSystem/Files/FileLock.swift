import Glibc
package import SystemPackage

/// A lock between processes on a dedicated file, which contains the id of the process that holds it. See flock(2).
///
/// The lock is released on deinitialization or when the process ends, for any reason. The file is never removed:
/// otherwise two processes could lock two different files of the same name.
package final class FileLock: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // The lock is released explicitly rather than by the last close: a child between its fork(2) and its exec also
        // has the file open.
        _ = flock(descriptor.fileDescriptor.rawValue, LOCK_UN)
    }

    /// Opens or creates the lock file, accessible to this user only. A link is not followed.
    package static func open(_ path: String) throws(Errno) -> FileLock {
        FileLock(
            try Descriptor.open(
                FilePath(path), .readWrite, options: [.create, .noFollow], permissions: .ownerReadWrite))
    }

    /// Takes the lock if it is free, and writes this process's id into the file. Does not block.
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

    /// Waits until the lock of the given file is free. Another process may take the lock again a moment later.
    ///
    /// - Returns: true if the lock was free before the deadline.
    package static func awaitRelease(of path: String, until deadline: ContinuousClock.Instant) throws(Errno) -> Bool {
        let lock = try open(path)
        let (released, signal) = try Descriptor.pipe()
        // No system call waits for a lock with a timeout. If the deadline passes, the thread is left waiting; it
        // releases the lock as soon as it gets it.
        _ = try WorkerThread.start(name: "xpb-lock") {
            _ = flock(lock.descriptor.fileDescriptor.rawValue, LOCK_EX)
            _ = flock(lock.descriptor.fileDescriptor.rawValue, LOCK_UN)
            _ = try? signal.fileDescriptor.writeAll([0])
        }
        return try waitReadable(released.fileDescriptor, until: deadline)
    }

    /// Returns the process that took the lock last, without opening the file for writing.
    ///
    /// - Throws: `noSuchFileOrDirectory` if the file does not exist.
    package static func holder(of path: String) throws(Errno) -> Int32? {
        FileLock(try Descriptor.open(FilePath(path), options: .noFollow)).holder()
    }

    /// Returns the process that took the lock last; nil if no process has written its id yet. That process still holds
    /// the lock if ``tryLock()`` has just returned false.
    package func holder() -> Int32? { descriptor.firstLine().flatMap { Int32($0) } }
}
