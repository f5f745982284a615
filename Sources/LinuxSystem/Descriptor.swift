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
