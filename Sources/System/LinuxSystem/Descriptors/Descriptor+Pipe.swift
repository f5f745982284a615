import CLinux
import Glibc
package import SystemPackage

extension Descriptor {
    /// Returns the reading and the writing end of a new pipe, both close-on-exec and blocking.
    package static func pipe() throws(Errno) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        try systemCall { unsafe pipe2(&ends, O_CLOEXEC) }
        return (
            Descriptor(adopting: FileDescriptor(rawValue: ends[0])),
            Descriptor(adopting: FileDescriptor(rawValue: ends[1]))
        )
    }
}
