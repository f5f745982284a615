import LinuxSystem
import PasteboardModel
import PasteboardStore

/// Contents whose bytes are still in a file of their owner's, which may change at any time. The store copies them: they
/// are the contents of a pasteboard only as the store has them, so that a long file is copied once.
extension Draft {
    var isBorrowed: Bool { backings.contains { $0.file?.kind == .borrowed } }

    /// The same with the bytes where the store has them.
    func settled(in stored: StoredContents) -> Draft {
        var draft = self
        draft.replaceBackings(stored.files.map { .file($0) }, for: stored.contents)
        return draft
    }
}

extension MemoryFile {
    /// A file that is borrowed: one of that file system. It is then no slower than the store's own disk, and never one
    /// that a program or another machine has to answer for.
    convenience init?(borrowing descriptor: Descriptor, of fileSystem: UInt64) {
        guard let status = try? FileStatus(of: descriptor.fileDescriptor), status.fileSystem == fileSystem else {
            return nil
        }
        try? self.init(.borrowed, onDisk: descriptor)
    }
}
