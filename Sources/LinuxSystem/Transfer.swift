import CLinux
import Glibc
package import SystemPackage

/// Bytes out of a memory file.
package enum Transfer {
    /// Writes a range of a memory file to a file, pipe, socket or terminal, from where that stands.
    ///
    /// The bytes stay in the kernel where it can do that (sendfile(2)), and are written from the mapped file where
    /// it cannot: to a terminal, or a file opened for appending. A descriptor that does not block is waited for.
    ///
    /// - Throws: `invalidArgument` for a range that is not of the file; what write(2) says: `brokenPipe`, and a
    ///   SIGPIPE unless it is ignored; `noSpace`.
    package static func copy(
        from file: MemoryFile, range: Range<Int>, to destination: FileDescriptor
    ) throws(Errno) {
        guard range.lowerBound >= 0, range.upperBound <= file.length else { throw .invalidArgument }
        var offset = range.lowerBound
        var usesSendfile = true
        while offset < range.upperBound {
            let rest = offset..<range.upperBound
            do throws(Errno) {
                let way = usesSendfile ? send : write
                offset += try way(rest, file, destination)
            } catch .wouldBlock {
                _ = try waitWritable(destination, until: nil)
            } catch .invalidArgument where usesSendfile {
                usesSendfile = false
            }
        }
    }

    /// The same of bytes that may be a secret, which is written from where it is.
    package static func copy(
        from bytes: HeldBytes, range: Range<Int>, to destination: FileDescriptor
    ) throws(Errno) {
        switch bytes {
        case .file(let file): try copy(from: file, range: range, to: destination)
        case .secret(let secret): try copy(from: secret, range: range, to: destination)
        }
    }

    private static func copy(
        from secret: SecretMemory, range: Range<Int>, to destination: FileDescriptor
    ) throws(Errno) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            do throws(Errno) {
                offset += try rethrowingErrno {
                    try secret.withBytes(in: offset..<range.upperBound) { span in
                        try unsafe span.withUnsafeBytes { try unsafe destination.write($0) }
                    }
                }
            } catch .wouldBlock {
                _ = try waitWritable(destination, until: nil)
            }
        }
    }

    private static func send(
        _ range: Range<Int>, of file: MemoryFile, to destination: FileDescriptor
    ) throws(Errno) -> Int {
        try send(range, of: file.descriptor.fileDescriptor, to: destination)
    }

    /// Writes what the kernel takes at once of a range of a file, which is not empty. See sendfile(2).
    ///
    /// - Returns: How many bytes that were.
    /// - Throws: What write(2) says; `invalidArgument` also for a destination that the kernel cannot send
    ///   to; `ioError` where the file is shorter.
    package static func send(
        _ range: Range<Int>, of file: FileDescriptor, to destination: FileDescriptor
    ) throws(Errno) -> Int {
        // Not the descriptor's own offset, which all who have the file share.
        var offset = off_t(range.lowerBound)
        let sent = try systemCall {
            unsafe sendfile(destination.rawValue, file.rawValue, &offset, min(range.count, 1 << 30))
        }
        if sent == 0 { throw .ioError }
        return sent
    }

    private static func write(
        _ range: Range<Int>, of file: MemoryFile, to destination: FileDescriptor
    ) throws(Errno) -> Int {
        try rethrowingErrno {
            try file.withBytes(in: range) { span in
                try unsafe span.withUnsafeBytes { try unsafe destination.write($0) }
            }
        }
    }
}
