import CLinux
import Glibc
package import SystemPackage

/// Functions that copy the bytes of a memory file or secret to a descriptor.
package enum Transfer {
    /// Writes a range of a memory file to the current position of a file, pipe, socket or terminal.
    ///
    /// If both are files on disk, they share the bytes if the file system supports sharing; otherwise the kernel copies
    /// the bytes (copy_file_range(2)). For any other destination, the kernel copies the bytes if it can (sendfile(2)).
    /// For terminals and files opened for appending, it cannot, so this process writes the bytes. If the descriptor is
    /// non-blocking, this function waits for room.
    ///
    /// - Throws: `invalidArgument` if the range exceeds the file; `ioError` if the file has become shorter; the errors
    ///   of write(2), such as `noSpace` and `brokenPipe`. A SIGPIPE comes with `brokenPipe` unless that signal is
    ///   ignored.
    package static func copy(from file: MemoryFile, range: Range<Int>, to destination: FileDescriptor) throws(Errno) {
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
                // copy_file_range(2) fails for many pairs of files and for many reasons. If the cause is a real error,
                // the next way meets it too.
                way = .send
            } catch .invalidArgument where way == .send {
                way = .write
            }
        }
    }

    /// The ways to move bytes from one file to another, cheapest first.
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

    /// Writes a range of bytes. The bytes of a secret are written directly from locked memory.
    package static func copy(
        from bytes: ImmutableBytes, range: Range<Int>, to destination: FileDescriptor
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

    /// Shares a non-empty range of a file with another file, or copies as much of it as the kernel copies in one call.
    /// See copy_file_range(2).
    ///
    /// - Returns: The number of bytes shared or copied.
    /// - Throws: Various errors for pairs of files that the kernel does not support; `ioError` if the file is shorter.
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

    /// Shares a whole non-empty range of a file with another file, at the current position of that file.
    ///
    /// - Returns: false if the file systems do not support sharing. In that case, nothing has been written.
    package static func clone(
        _ range: Range<Int>, of file: FileDescriptor, to destination: FileDescriptor
    ) throws(Errno) -> Bool {
        let position = try rethrowingErrno { try destination.seek(offset: 0, from: .current) }
        let offset = UInt64(range.lowerBound)
        guard
            linux_clone_range(
                file.rawValue, offset, UInt64(range.count), destination.rawValue, UInt64(position)) == 0
        else { return false }
        _ = try rethrowingErrno { try destination.seek(offset: Int64(range.count), from: .current) }
        return true
    }

    /// Writes as much of a non-empty range of a file as the kernel accepts in one call. See sendfile(2).
    ///
    /// - Returns: The number of bytes written.
    /// - Throws: The errors of write(2); `invalidArgument` also for a destination that sendfile(2) does not support;
    ///   `ioError` if the file is shorter.
    package static func send(
        _ range: Range<Int>, of file: FileDescriptor, to destination: FileDescriptor
    ) throws(Errno) -> Int {
        // The offset is explicit, because every holder of the file shares the descriptor's own offset.
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
