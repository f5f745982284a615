import Glibc
import LinuxSystem
package import SystemPackage

/// What tells one state of a file from another, without a look inside.
///
/// Two writes within a tick of the kernel's clock (4 ms) that leave the size and the inode alone cannot be told apart.
package struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init(_ stat: Stat) {
        device = UInt64(stat.deviceID.rawValue)
        inode = UInt64(stat.inode.rawValue)
        size = stat.size
        seconds = stat.st_mtim.tv_sec
        nanoseconds = stat.st_mtim.tv_nsec
    }

    /// Nil when nothing is there that can be looked at. Links are followed.
    package init?(ofFileAt path: String) {
        guard let stat = try? Stat(FilePath(lossless: path)) else { return nil }
        self.init(stat)
    }
}

/// Reads files that are meant to be small.
package enum SmallFile {
    /// - Throws: What open(2) and read(2) say; `fileTooLarge` above `limit` bytes, `invalidArgument` for a folder, a pipe
    ///   or a device.
    package static func read(_ path: String, limit: Int) throws(Errno) -> (bytes: [UInt8], stamp: FileStamp) {
        // A pipe without a writer would hold up open(2).
        let file = try rethrowingErrno {
            Descriptor(
                adopting: try FileDescriptor.open(
                    FilePath(lossless: path), .readOnly, options: [.closeOnExec, .nonBlocking]))
        }
        let stat = try rethrowingErrno { try Stat(file.fileDescriptor) }
        guard stat.type == .regular else { throw .invalidArgument }
        guard stat.size <= limit else { throw .fileTooLarge }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(stat.size))
        while true {
            // It may grow while it is read.
            let piece = try file.fileDescriptor.readBytes(atMost: min(limit + 1 - bytes.count, 1 << 16))
            if piece.isEmpty { return (bytes, FileStamp(stat)) }
            bytes += piece
            guard bytes.count <= limit else { throw .fileTooLarge }
        }
    }
}
