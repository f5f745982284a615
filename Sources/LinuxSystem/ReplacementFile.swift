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
        let (fileDescriptor, temporary) = try Self.makeTemporary(beside: path)
        self.path = path
        self.temporary = temporary
        self.fileDescriptor = fileDescriptor
        if let permissions { try systemCall { fchmod(fileDescriptor.rawValue, permissions.rawValue) } }
    }

    /// Puts the file in its place when it is on its disk, so that no crash leaves an empty one there.
    ///
    /// - Throws: What fsync(2) and close(2) report of earlier writes; what rename(2) says.
    package func commit() throws(Errno) {
        try systemCall { fsync(fileDescriptor.rawValue) }
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

    /// A new file by a name that nobody has. A program that was killed leaves its own behind, so that even a process id
    /// may be taken.
    private static func makeTemporary(beside path: FilePath) throws(Errno) -> (FileDescriptor, FilePath) {
        // Short enough for the file system, however long the name: each byte that is cut off a character makes three.
        let name = String(decoding: (path.lastComponent?.string ?? "").utf8.prefix(32), as: UTF8.self)
        var attempts = 8
        while true {
            let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let temporary = path.removingLastComponent().appending(".\(name).\(suffix).xpb")
            do throws(Errno) {
                let file = try rethrowingErrno {
                    try FileDescriptor.open(
                        temporary, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                        permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
                }
                return (file, temporary)
            } catch {
                attempts -= 1
                guard error == .fileExists, attempts > 0 else { throw error }
            }
        }
    }

    /// realpath(3); nil when nothing is there.
    private static func resolved(_ path: String) -> FilePath? {
        let found = unsafe FilePath(lossless: path).withPlatformString { unsafe realpath($0, nil) }
        guard let found = unsafe found else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(platformString: found)
    }
}
