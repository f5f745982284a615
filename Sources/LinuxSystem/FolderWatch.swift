import CLinux
import Glibc
package import SystemPackage

/// Awaits the appearance of a file. See inotify(7).
package final class FolderWatch {
    private let descriptor: Descriptor
    private let folder: FilePath

    /// - Throws: `noSuchFileOrDirectory` if the folder is not there.
    package init(folder: String) throws(Errno) {
        self.folder = FilePath(folder)
        let flags = Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)
        let descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { inotify_init1(flags) }))
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF)
        try systemCall { unsafe inotify_add_watch(descriptor.fileDescriptor.rawValue, folder, events) }
        self.descriptor = descriptor
    }

    /// Readable when an entry has appeared, until ``drain()``.
    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// Waits until the folder has an entry of that name.
    ///
    /// - Returns: Whether it has it at `deadline`.
    package func waitForEntry(named name: String, until deadline: ContinuousClock.Instant?) throws(Errno) -> Bool {
        let entry = folder.appending(name)
        // The watch is older than this look: an entry made after it wakes us up.
        while unsafe access(entry.string, F_OK) != 0 {
            guard try waitReadable(descriptor.fileDescriptor, until: deadline) else { return false }
            try drain()
        }
        return true
    }

    /// The events only say that it is worth while to look again.
    package func drain() throws(Errno) {
        try rethrowingErrno {
            try unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                do {
                    while unsafe try descriptor.fileDescriptor.read(into: buffer) > 0 {}
                } catch Errno.wouldBlock {}
            }
        }
    }
}
