import CLinux
import Glibc
package import SystemPackage

/// Wakes up a loop from another thread: an eventfd(2), readable from ``signal()`` until ``drain()``.
package final class EventDescriptor: Sendable {
    private let descriptor: Descriptor

    package init() throws(Errno) {
        let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try systemCall { eventfd(0, flags) }))
    }

    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    package func signal() {
        // It fails only when 2^64 - 2 signals are outstanding, and then it is readable anyway.
        _ = eventfd_write(fileDescriptor.rawValue, 1)
    }

    /// Takes all signals so far. Does not wait.
    package func drain() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(fileDescriptor.rawValue, &count)
    }
}
