import Glibc
import LinuxSystem
package import SystemPackage

/// The state of a file according to its metadata, for detecting changes without reading the file.
///
/// Two writes within a tick of the kernel's clock (4 ms) that change neither the size nor the inode cannot be
/// distinguished.
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

    /// Reads the state of a file; nil if the file does not exist or cannot be accessed. Links are followed.
    package init?(ofFileAt path: String) {
        guard let stat = try? Stat(FilePath(lossless: path)) else { return nil }
        self.init(stat)
    }
}

/// A reader of files that are expected to be small.
package enum SmallFile {
    /// Reads a file, and its state at that time.
    ///
    /// - Throws: The errors of open(2) and read(2); `fileTooLarge` above `limit` bytes, `invalidArgument` for a folder,
    ///   a pipe or a device.
    package static func read(_ path: String, limit: Int) throws(Errno) -> (bytes: [UInt8], stamp: FileStamp) {
        // Without .nonBlocking, open(2) would block on a pipe that has no writer.
        let file = try Descriptor.open(FilePath(lossless: path), options: .nonBlocking)
        let stat = try Stat(file.fileDescriptor)
        guard stat.type == .regular else { throw .invalidArgument }
        guard stat.size <= limit else { throw .fileTooLarge }
        // The file may grow while it is read.
        let bytes = try file.fileDescriptor.readToEnd(atMost: limit + 1, expecting: Int(stat.size))
        guard bytes.count <= limit else { throw .fileTooLarge }
        return (bytes, FileStamp(stat))
    }
}
