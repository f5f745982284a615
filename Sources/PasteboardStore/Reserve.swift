import Glibc
import LinuxSystem
import SystemPackage

/// Some room on the disk that is put by, in a file, `reserve`: to delete is to write as well, and on a full disk that is
/// what has to go on.
struct Reserve {
    /// In bytes. To delete a line changes some twenty pages.
    private static let length = 1 << 20

    private let path: String

    init(in folder: String) { path = "\(folder)/reserve" }

    /// Puts it by, where that is not done and there is room.
    func take() {
        guard
            let file = try? FileDescriptor.open(
                FilePath(path), .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
        else { return }
        let descriptor = Descriptor(adopting: file)
        if posix_fallocate(descriptor.fileDescriptor.rawValue, 0, off_t(Self.length)) != 0 { give() }
    }

    /// Gives the room back to the disk.
    ///
    /// - Returns: Whether it was put by.
    @discardableResult
    func give() -> Bool { unsafe unlink(path) == 0 }
}
