import Glibc
package import SystemPackage

/// A lock between processes on a file of its own, which says who holds it. See flock(2).
///
/// It is given back when the lock is released by its deinit or its process ends, however it ends. The file stays:
/// removing it would let two processes lock two files of one name.
package final class FileLock {
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
