import Glibc
package import SystemPackage

/// The owner of a file descriptor, which closes it on deinitialization.
///
/// An error of close(2) cannot be reported from here, so a file that must be on disk has to be flushed first.
package final class Descriptor: Sendable {
    package let fileDescriptor: FileDescriptor

    /// Takes ownership of a descriptor that nothing else closes.
    package init(adopting fileDescriptor: FileDescriptor) {
        self.fileDescriptor = fileDescriptor
    }

    /// Opens a file for reading, close-on-exec. Opening a pipe that has no writer does not block. See open(2).
    ///
    /// - Parameter path: The bytes of the path, up to a NUL.
    package static func open(toRead path: [UInt8]) throws(Errno) -> Descriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let file = try unsafe systemCall(path: path) { unsafe Glibc.open($0, flags) }
        return Descriptor(adopting: FileDescriptor(rawValue: file))
    }

    /// Opens a file, close-on-exec. Without `nonBlocking`, opening a pipe waits for its other end. See open(2).
    ///
    /// - Parameter permissions: The permissions of a file that is created.
    package static func open(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly, options: FileDescriptor.OpenOptions = [],
        permissions: FilePermissions? = nil
    ) throws(Errno) -> Descriptor {
        let file = try rethrowingErrno {
            try FileDescriptor.open(path, mode, options: options.union(.closeOnExec), permissions: permissions)
        }
        return Descriptor(adopting: file)
    }

    /// Returns the first line of a file of proc(5), as ``firstLine()`` does; nil if the file cannot be opened.
    static func firstLine(of path: String) -> String? { (try? open(FilePath(path)))?.firstLine() }

    /// Returns the first line of the file without its newline, cut after 64 bytes; nil if the file cannot be read.
    package func firstLine() -> String? {
        let bytes = try? fileDescriptor.readBytes(at: 0, atMost: 64)
        return bytes.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    }

    /// Opens /dev/null for reading and writing.
    package static func null() throws(Errno) -> Descriptor { try open(FilePath("/dev/null"), .readWrite) }

    deinit {
        try? fileDescriptor.close()
    }

    /// Returns another descriptor of the same open file, close-on-exec. The corresponding C constant is
    /// `F_DUPFD_CLOEXEC`.
    ///
    /// Both descriptors share one file offset, so readers must use explicit offsets.
    package func duplicate() throws(Errno) -> Descriptor {
        Descriptor(adopting: try fileDescriptor.duplicatedCloseOnExec(atLeast: 0))
    }

    package var isPipe: Bool {
        get throws(Errno) { try Stat(fileDescriptor).type == .fifo }
    }

    package var isSocket: Bool {
        get throws(Errno) { try Stat(fileDescriptor).type == .socket }
    }
}

extension FileDescriptor {
    /// Returns a duplicate with a number not lower than `lowest`, close-on-exec.
    package func duplicatedCloseOnExec(atLeast lowest: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(rawValue: try systemCall { fcntl(rawValue, F_DUPFD_CLOEXEC, lowest) })
    }

    /// Reads at most `limit` bytes at an offset of a file.
    package func readBytes(at offset: Int, atMost limit: Int) throws(Errno) -> [UInt8] {
        try rethrowingErrno {
            try unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                count = try unsafe read(
                    fromAbsoluteOffset: Int64(offset), into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }

    /// Reads the bytes that are available, at most `limit`; empty at the end of the file. Blocks as read(2) does.
    package func readBytes(atMost limit: Int) throws(Errno) -> [UInt8] {
        try rethrowingErrno {
            try unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                unsafe count = try read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }

    /// Reads to the end of the file, or until there are `limit` bytes. Blocks as read(2) does.
    ///
    /// - Parameter length: The expected number of bytes, for which room is reserved.
    package func readToEnd(atMost limit: Int = .max, expecting length: Int = 0) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        while bytes.count < limit {
            let piece = try readBytes(atMost: min(limit - bytes.count, 1 << 16))
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Writes all of the bytes, and waits for room if the descriptor is non-blocking.
    ///
    /// - Parameter deadline: The end of waiting on a non-blocking descriptor; nil for no limit.
    /// - Throws: `timedOut`, after some or none of the bytes were written; the errors of write(2), such as `noSpace`
    ///   and `brokenPipe`. A SIGPIPE comes with `brokenPipe` unless that signal is ignored.
    package func writeBytes(_ bytes: [UInt8], until deadline: ContinuousClock.Instant? = nil) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(Errno) {
                let count = try rethrowingErrno { try unsafe rest.withUnsafeBytes { try unsafe write($0) } }
                rest = rest.dropFirst(count)
            } catch .wouldBlock {
                guard try waitWritable(self, until: deadline) else { throw .timedOut }
            }
        }
    }
}

/// The standard input, output and error of this process.
package enum StandardDescriptors {
    /// Opens /dev/null for each standard descriptor that the caller closed, so that no file or socket opened later gets
    /// its number.
    ///
    /// Reading from such an input, or writing to such an output, still fails with `badFileDescriptor`.
    package static func openMissing() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is `number`, because all lower numbers are in use.
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Closes standard output. Some file systems report only on close that they could not store the data.
    package static func closeOutput() throws(Errno) {
        // close(2) is not repeated after EINTR: on Linux the descriptor is closed even then.
        guard close(STDOUT_FILENO) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Returns true if the descriptor is a terminal. See isatty(3).
    package static func isTerminal(_ fileDescriptor: FileDescriptor) -> Bool {
        isatty(fileDescriptor.rawValue) == 1
    }

    /// Returns true if the descriptor is a pipe or a FIFO with bytes to read, or with a writer that has written nothing
    /// within the time.
    package static func isPipeWithWriter(_ fileDescriptor: FileDescriptor, after time: Duration) -> Bool {
        guard (try? Stat(fileDescriptor))?.type == .fifo else { return false }
        var set = PollSet()
        set.append(fileDescriptor, .input)
        guard let ready = try? set.wait(until: .now + time) else { return false }
        return ready == 0 || set.result(at: 0).contains(.input)
    }

    /// Returns true if standard input is a file with bytes, or a pipe as in
    /// ``isPipeWithWriter(_:after:)``.
    package static func hasUnreadInput(after time: Duration) -> Bool {
        if let status = try? FileStatus(of: .standardInput), status.isRegular { return status.length > 0 }
        return isPipeWithWriter(.standardInput, after: time)
    }

    /// Returns the identity of the open file in the format of JOURNAL_STREAM: its device and inode numbers. See
    /// systemd.exec(5).
    package static func identity(_ fileDescriptor: FileDescriptor) -> String? {
        (try? Stat(fileDescriptor)).map { "\($0.deviceID.rawValue):\($0.inode.rawValue)" }
    }

    /// Redirects standard error to a file, which is emptied first and is readable by its owner only.
    package static func writeError(toFile path: String) throws(Errno) {
        try rethrowingErrno {
            let file = try FileDescriptor.open(
                FilePath(lossless: path), .writeOnly, options: [.create, .truncate, .append, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
            defer { try? file.close() }
            _ = try file.duplicate(as: .standardError)
        }
    }
}
