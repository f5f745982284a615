import Glibc
package import SystemPackage

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
