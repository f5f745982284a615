import Glibc
package import SystemPackage

/// Owns a file descriptor and closes it in the end.
///
/// An error of close(2) has no one to go to here: what was written to a file that must be on its disk is to be
/// flushed before.
package final class Descriptor: Sendable {
    package let fileDescriptor: FileDescriptor

    /// Takes over a descriptor that nobody else closes.
    package init(adopting fileDescriptor: FileDescriptor) {
        self.fileDescriptor = fileDescriptor
    }

    /// Opens a file to be read, close-on-exec. A pipe that nobody writes to is not waited for. See open(2).
    ///
    /// - Parameter path: Its bytes, up to a NUL.
    package static func open(toRead path: [UInt8]) throws(Errno) -> Descriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let file = try unsafe systemCall(path: path) { unsafe Glibc.open($0, flags) }
        return Descriptor(adopting: FileDescriptor(rawValue: file))
    }

    deinit {
        try? fileDescriptor.close()
    }

    /// Another descriptor of the same open file, close-on-exec. The corresponding C constant is `F_DUPFD_CLOEXEC`.
    ///
    /// The two share their offset: who reads from them must use explicit ones.
    package func duplicate() throws(Errno) -> Descriptor {
        Descriptor(adopting: try fileDescriptor.duplicatedCloseOnExec(atLeast: 0))
    }

    /// Whether it is an end of a pipe.
    package var isPipe: Bool {
        get throws(Errno) {
            var status = stat()
            try systemCall { unsafe fstat(fileDescriptor.rawValue, &status) }
            return status.st_mode & S_IFMT == S_IFIFO
        }
    }
}

extension FileDescriptor {
    /// A duplicate with a number no lower than `lowest`, close-on-exec.
    package func duplicatedCloseOnExec(atLeast lowest: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(rawValue: try systemCall { fcntl(rawValue, F_DUPFD_CLOEXEC, lowest) })
    }
}

extension FileDescriptor {
    /// What is there to read now, at most `limit` bytes; empty at the end. It waits as read(2) does.
    package func readBytes(atMost limit: Int) throws(Errno) -> [UInt8] {
        try rethrowingErrno {
            try unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                unsafe count = try read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }

    /// Writes all of the bytes; a descriptor that does not block is waited for.
    ///
    /// - Throws: What write(2) says: `brokenPipe`, and a SIGPIPE unless it is ignored; `noSpace`.
    package func writeBytes(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(Errno) {
                let count = try rethrowingErrno { try unsafe rest.withUnsafeBytes { try unsafe write($0) } }
                rest = rest.dropFirst(count)
            } catch .wouldBlock {
                _ = try waitWritable(self, until: nil)
            }
        }
    }
}

/// Standard input, output and error.
package enum StandardDescriptors {
    /// Takes the places of those that the caller closed, so that no file or socket opened later is mistaken for one.
    ///
    /// Reading from such an input, or writing to such an output, fails with `badFileDescriptor` as before.
    package static func occupy() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest free number, which is this one: those below it are taken.
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Closes standard output. Some file systems say only then that they could not keep what was written.
    package static func closeOutput() throws(Errno) {
        // Not once more where it was interrupted: on Linux it is closed all the same.
        guard close(STDOUT_FILENO) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Whether it is a terminal. See isatty(3).
    package static func isTerminal(_ fileDescriptor: FileDescriptor) -> Bool {
        isatty(fileDescriptor.rawValue) == 1
    }

    /// Which file it is, as JOURNAL_STREAM names one: the numbers of its device and its inode. See systemd.exec(5).
    package static func identity(_ fileDescriptor: FileDescriptor) -> String? {
        (try? Stat(fileDescriptor)).map { "\($0.deviceID.rawValue):\($0.inode.rawValue)" }
    }

    /// How wide the terminal is, in characters; nil where it is none, or does not tell. See ioctl_tty(2), TIOCGWINSZ.
    package static func columns(_ fileDescriptor: FileDescriptor) -> Int? {
        var size = winsize()
        guard unsafe ioctl(fileDescriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Has standard error go into a file from now on, which is emptied first. It is readable for its owner only.
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
