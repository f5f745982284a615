import CLinux
import Glibc
package import SystemPackage

/// Who is at the other end of a Unix socket, as the kernel noted it when the peer connected. See unix(7).
package struct PeerCredentials: Sendable, Equatable {
    /// The effective user id.
    package var user: UInt32
    /// The process id; the process may have ended since, and the number be another's.
    package var process: Int32

    /// This process.
    package static var own: PeerCredentials { PeerCredentials(user: geteuid(), process: getpid()) }

    /// The corresponding C constant is `SO_PEERCRED`.
    package static func of(_ socket: FileDescriptor) throws(Errno) -> PeerCredentials {
        var credentials = linux_credentials()
        var size = socklen_t(MemoryLayout<linux_credentials>.size)
        try systemCall { unsafe getsockopt(socket.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &size) }
        return PeerCredentials(user: credentials.uid, process: credentials.pid)
    }
}
