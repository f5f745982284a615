import CLinux
import Glibc
package import SystemPackage

/// A process by a descriptor of it, which never becomes another one's, as its number does. See pidfd_open(2).
package final class ProcessHandle: Sendable {
    private let descriptor: Descriptor

    /// - Throws: `noSuchProcess` where there is none of that number any more.
    package init(_ process: Int32) throws(Errno) {
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try systemCall { pidfd_open(process, 0) }))
    }

    /// Ends the process where it stands, one that is stopped as well. The corresponding C constant is `SIGKILL`.
    package func kill() throws(Errno) {
        do throws(Errno) {
            try systemCall {
                pidfd_send_signal(descriptor.fileDescriptor.rawValue, SIGKILL, nil, 0)
            }
        } catch .noSuchProcess {
            // It has ended by itself.
        }
    }

    /// - Returns: Whether it has ended, at the deadline.
    package func awaitEnd(until deadline: ContinuousClock.Instant) throws(Errno) -> Bool {
        try waitReadable(descriptor.fileDescriptor, until: deadline)
    }
}
