import Glibc
package import SystemPackage

/// The kind, owner, permissions and length of a file. See inode(7).
///
/// Reading the status costs only the system call. A `Stat` of a `FilePath` takes measurably longer at the start of a
/// program.
package struct FileStatus: Sendable, Equatable {
    package let isRegular: Bool
    package let isFolder: Bool
    package let isLink: Bool
    /// True for a pipe, with or without a name.
    package let isPipe: Bool
    package let user: UInt32
    package let group: UInt32
    /// The permission bits, including set-user-id, set-group-id and sticky.
    package let permissions: UInt32
    /// The length in bytes.
    package let length: Int
    /// The time of the last change, in nanoseconds since the Unix epoch.
    package let changeTime: Int
    /// The number of the device that contains the file. Each Btrfs subvolume has its own number.
    package let fileSystem: UInt64

    /// - Parameters:
    ///   - path: The bytes of the path, up to a NUL.
    ///   - followsSymlink: If the path is a link, true for the status of its target, false for the status of the link.
    package init(ofPath path: [UInt8], followsSymlink: Bool) throws(Errno) {
        var status = stat()
        try unsafe systemCall(path: path) { path in
            unsafe followsSymlink ? stat(path, &status) : lstat(path, &status)
        }
        self.init(status)
    }

    /// - Parameter path: The path, encoded by ``LosslessText``.
    package init(ofPath path: String, followsSymlink: Bool) throws(Errno) {
        try self.init(ofPath: LosslessText.bytes(of: path), followsSymlink: followsSymlink)
    }

    package init(of file: FileDescriptor) throws(Errno) {
        var status = stat()
        try systemCall { unsafe fstat(file.rawValue, &status) }
        self.init(status)
    }

    private init(_ status: stat) {
        let kind = status.st_mode & S_IFMT
        isRegular = kind == S_IFREG
        isFolder = kind == S_IFDIR
        isLink = kind == S_IFLNK
        isPipe = kind == S_IFIFO
        user = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o7777
        length = Int(status.st_size)
        changeTime = status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
        fileSystem = UInt64(status.st_dev)
    }
}
