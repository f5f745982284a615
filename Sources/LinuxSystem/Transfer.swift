import CLinux
import Glibc
package import SystemPackage

/// Bytes out of a memory file.
package enum Transfer {
    /// Writes a range of a memory file to a file, pipe, socket or terminal, from where that stands.
    ///
    /// From a file of a disk to another one they are shared between both where the file system can do that, else copied
    /// inside the kernel (copy_file_range(2)). Elsewhere they stay in the kernel where it can do that (sendfile(2)), and are
    /// written from the mapped file where it cannot: to a terminal, or a file opened for appending. A descriptor that does
    /// not block is waited for.
    ///
    /// - Throws: `invalidArgument` for a range that is not of the file; `ioError` where the file has become shorter; what
    ///   write(2) says: `brokenPipe`, and a SIGPIPE unless it is ignored; `noSpace`.
    package static func copy(
        from file: MemoryFile, range: Range<Int>, to destination: FileDescriptor
    ) throws(Errno) {
        guard range.lowerBound >= 0, range.upperBound <= file.length else { throw .invalidArgument }
        var offset = range.lowerBound
        var way = file.kind == .sealed ? Way.send : .share
        while offset < range.upperBound {
            let rest = offset..<range.upperBound
            do throws(Errno) {
                offset += try move(rest, of: file, to: destination, by: way)
            } catch .wouldBlock {
                _ = try waitWritable(destination, until: nil)
            } catch  where way == .share {
                // Between some files it cannot be done, for many reasons; what is wrong otherwise the next way finds, too.
                way = .send
            } catch .invalidArgument where way == .send {
                way = .write
            }
        }
    }

    /// How bytes get from a file to another, the cheapest first.
    private enum Way { case share, send, write }

    private static func move(
        _ range: Range<Int>, of file: MemoryFile, to destination: FileDescriptor, by way: Way
    ) throws(Errno) -> Int {
        switch way {
        case .share: try share(range, of: file.descriptor.fileDescriptor, with: destination)
        case .send: try send(range, of: file.descriptor.fileDescriptor, to: destination)
        case .write: try write(range, of: file, to: destination)
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

    /// Gives another file a range of a file, which is not empty, or copies what the kernel copies at once of it. See
    /// copy_file_range(2).
    ///
    /// - Returns: How many bytes that were.
    /// - Throws: Much for files between which it cannot be done; `ioError` where the file is shorter.
    package static func share(
        _ range: Range<Int>, of file: FileDescriptor, with destination: FileDescriptor
    ) throws(Errno) -> Int {
        var offset = Int64(range.lowerBound)
        let shared = try systemCall {
            unsafe copy_file_range(file.rawValue, &offset, destination.rawValue, nil, min(range.count, 1 << 30), 0)
        }
        if shared == 0 { throw .ioError }
        return shared
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
            var written = 0
            try file.forEachPiece(of: range) { piece in
                written = try unsafe piece.withUnsafeBytes { try unsafe destination.write($0) }
                return false
            }
            return written
        }
    }
}
