import Glibc
package import SystemPackage

/// A file written beside the one it replaces: who looks at the path sees the old contents or all of the new ones.
///
/// Given up without ``commit()``, it leaves nothing behind.
package final class ReplacementFile {
    package let fileDescriptor: FileDescriptor
    private let path: FilePath
    private let temporary: FilePath
    private var isOpen = true
    private var isCommitted = false

    /// - Parameter path: A regular file, a link to one, or nothing yet. The file's permissions are kept.
    package init(replacing path: String) throws(Errno) {
        // Renaming would replace a link, and not what it leads to.
        let path = Self.resolved(path) ?? FilePath(lossless: path)
        let permissions = (try? Stat(path))?.permissions
        // Short enough for the file system, however long the name.
        let name = path.lastComponent?.string.prefix(32) ?? ""
        let temporary = path.removingLastComponent().appending(".\(name).\(getpid()).xpb")
        let fileDescriptor = try rethrowingErrno {
            try FileDescriptor.open(
                temporary, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        }
        self.path = path
        self.temporary = temporary
        self.fileDescriptor = fileDescriptor
        if let permissions { try systemCall { fchmod(fileDescriptor.rawValue, permissions.rawValue) } }
    }

    /// Puts the file in its place.
    ///
    /// - Throws: What close(2) reports of earlier writes, on network file systems; what rename(2) says.
    package func commit() throws(Errno) {
        isOpen = false
        try rethrowingErrno { try fileDescriptor.close() }
        try systemCall {
            unsafe temporary.withPlatformString { source in
                unsafe path.withPlatformString { unsafe rename(source, $0) }
            }
        }
        isCommitted = true
    }

    deinit {
        if isOpen { try? fileDescriptor.close() }
        if !isCommitted { _ = unsafe temporary.withPlatformString { unsafe unlink($0) } }
    }

    /// realpath(3); nil when nothing is there.
    private static func resolved(_ path: String) -> FilePath? {
        let found = unsafe FilePath(lossless: path).withPlatformString { unsafe realpath($0, nil) }
        guard let found = unsafe found else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(platformString: found)
    }
}
