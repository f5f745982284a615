import CLinux
import Glibc
import SystemPackage

/// The service manager that started this program: systemd, or another manager that implements its protocol. See
/// sd_notify(3) and sd_listen_fds(3).
package struct ServiceManager: Sendable {
    /// The environment variables that are meant for this program only, not for programs that it starts.
    package static let variables: Set = ["NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    private let noticeAddress: String?

    package init(environment: [String: String]) {
        noticeAddress = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Sends a state such as `READY=1`, with several assignments on separate lines. Does nothing if no service manager
    /// asked for notifications.
    package func notify(_ state: String) {
        guard let noticeAddress else { return }
        // A service must not fail because its manager has gone away.
        try? Self.send(Array(state.utf8), to: noticeAddress)
    }

    /// Returns the listening Unix sockets that the manager passed, by path. They are made non-blocking and
    /// close-on-exec. This must be called once, before the program opens any file.
    package static func listeners(environment: [String: String]) -> [String: Descriptor] {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...64).contains(count)
        else { return [:] }
        var listeners: [String: Descriptor] = [:]
        for number in 3..<3 + count where fcntl(number, F_SETFD, FD_CLOEXEC) == 0 {
            guard let path = listeningPath(number) else { continue }
            _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
            listeners[path] = Descriptor(adopting: FileDescriptor(rawValue: number))
        }
        return listeners
    }

    /// Returns the path of a listening Unix socket; nil for other descriptors and for sockets without a path.
    private static func listeningPath(_ socket: Int32) -> String? {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0 else {
            return nil
        }
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length) == 0
            }
        }
        guard isNamed, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let bytes = unsafe withUnsafeBytes(of: &address.sun_path) { unsafe Array($0.prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : LosslessText.string(of: bytes)
    }

    /// Sends a single datagram. An address that begins with `@` is an abstract address rather than a path: see unix(7).
    private static func send(_ bytes: [UInt8], to name: String) throws(Errno) {
        var path = LosslessText.bytes(of: name)
        guard path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "@") else { throw .invalidArgument }
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        guard path.count <= UnixSocket.maxPathLength else { throw .fileNameTooLong }
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { Glibc.socket(AF_UNIX, type, 0) }))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        // The length must be exact, because every further byte would be part of an abstract name.
        let length = MemoryLayout<sa_family_t>.size + path.count
        try unsafe withSocketAddress(address, length: length) { address, length throws(Errno) in
            try systemCall {
                unsafe sendto(
                    socket.fileDescriptor.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
