import Glibc
package import SystemPackage

/// What kind of file something is, and who may use it. See inode(7).
///
/// Reading it takes nothing but the system call, where a `Stat` of a `FilePath` takes longer than that at the start of a
/// program.
package struct FileStatus: Sendable, Equatable {
    package let isRegular: Bool
    package let isFolder: Bool
    package let isLink: Bool
    /// The id of the user it belongs to.
    package let user: UInt32
    /// The id of its group.
    package let group: UInt32
    /// With the bits beside them: set-user-id, set-group-id, sticky.
    package let permissions: UInt32
    /// In bytes.
    package let length: Int
    /// The number of the device it is on. A volume of Btrfs has one of its own.
    package let fileSystem: UInt64

    /// - Parameters:
    ///   - path: Its bytes, up to a NUL.
    ///   - followsLink: Whether that of the file is meant, where a link is at the path.
    package init(ofPath path: [UInt8], followsLink: Bool) throws(Errno) {
        var status = stat()
        try unsafe systemCall(path: path) { path in
            unsafe followsLink ? stat(path, &status) : lstat(path, &status)
        }
        self.init(status)
    }

    /// - Parameter path: With the bytes that ``LosslessText`` has for it.
    package init(ofPath path: String, followsLink: Bool) throws(Errno) {
        try self.init(ofPath: LosslessText.bytes(of: path), followsLink: followsLink)
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
        user = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o7777
        length = Int(status.st_size)
        fileSystem = UInt64(status.st_dev)
    }
}
