import CLinux
import Glibc
package import SystemPackage

/// Functions for stream sockets with a path in the file system. See unix(7).
package enum UnixSocket {
    /// The limit on the length of a path, in bytes: the kernel's 108 minus the terminating NUL.
    package static let maxPathLength = 107

    /// Returns a socket that listens at a path, close-on-exec and non-blocking. An existing socket file is replaced, so
    /// the caller must make sure, by a ``FileLock``, that no process is listening on it.
    ///
    /// The socket starts to listen under a temporary name and is then renamed, so that clients can connect as soon as
    /// it appears at its path.
    package static func listen(at path: String, backlog: Int = 4096) throws(UnixSocketError) -> Descriptor {
        guard path.utf8.count <= maxPathLength else { throw .pathTooLong(path) }
        let temporary = temporaryPath(of: path)
        do throws(Errno) {
            let listener = try make(nonBlocking: true)
            unsafe unlink(temporary)
            try unsafe withAddress(of: temporary) { address, length throws(Errno) in
                try systemCall { unsafe bind(listener.fileDescriptor.rawValue, address, length) }
            }
            do throws(Errno) {
                try systemCall { Glibc.listen(listener.fileDescriptor.rawValue, Int32(clamping: backlog)) }
                try systemCall { unsafe rename(temporary, path) }
            } catch {
                unsafe unlink(temporary)
                throw error
            }
            return listener
        } catch {
            throw .cannotListen(path, error)
        }
    }

    /// Returns the temporary path of a socket, which is not longer than the path itself.
    private static func temporaryPath(of path: String) -> String { String(path.dropLast()) + "~" }

    /// Returns the identity of the file with the given name, to detect later whether it has been replaced; nil if there
    /// is no such file.
    package static func identity(of path: String) -> Identity? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
    }

    package struct Identity: Equatable, Sendable {
        let device: UInt64
        let node: UInt64
    }

    /// Removes the name of a socket if it still has the given identity, so that no client can connect. Existing
    /// connections continue.
    package static func remove(_ path: String, _ identity: Identity?) {
        guard let identity, Self.identity(of: path) == identity else { return }
        _ = unsafe unlink(path)
    }

    /// Returns a blocking socket connected to a path, close-on-exec.
    ///
    /// - Parameter timeout: The maximum wait if the listener's queue is full, for example because the listener is
    ///   stopped.
    /// - Throws: `noSuchFileOrDirectory` and `connectionRefused` if nothing listens, `wouldBlock` after the timeout,
    ///   `fileNameTooLong` if the path exceeds ``maxPathLength``.
    package static func connect(to path: String, timeout: Duration = .seconds(5)) throws(Errno) -> Descriptor {
        let socket = try make(nonBlocking: false)
        try limitSending(socket, to: timeout)
        try unsafe withAddress(of: path) { address, length throws(Errno) in
            try systemCall { unsafe Glibc.connect(socket.fileDescriptor.rawValue, address, length) }
        }
        return socket
    }

    /// Returns a non-blocking socket connected to a path, close-on-exec.
    ///
    /// - Parameter path: The bytes of the path.
    /// - Throws: The errors of ``connect(to:timeout:)``; `wouldBlock` at once if the listener's queue is full.
    package static func connectAtOnce(to path: [UInt8]) throws(Errno) -> Descriptor {
        let socket = try make(nonBlocking: true)
        try unsafe withAddress(of: path) { address, length throws(Errno) in
            try systemCall { unsafe Glibc.connect(socket.fileDescriptor.rawValue, address, length) }
        }
        return socket
    }

    /// Waits until there is data to receive, or the end of the stream.
    ///
    /// - Returns: false if neither arrived within the given number of milliseconds.
    package static func waitReadable(_ socket: FileDescriptor, milliseconds: Int32) throws(Errno) -> Bool {
        var wanted = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        return try systemCall { unsafe poll(&wanted, 1, milliseconds) } > 0
    }

    /// Accepts the next connection of a listener, close-on-exec and non-blocking. Returns nil if there is none, or if
    /// the client has disconnected again.
    ///
    /// - Throws: `tooManyOpenFiles` and similar errors: the connection stays queued, and the listener stays readable.
    package static func accept(_ listener: FileDescriptor) throws(Errno) -> Descriptor? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        do {
            return Descriptor(
                adopting: FileDescriptor(
                    rawValue: try systemCall { accept4(listener.rawValue, nil, nil, flags) }))
        } catch .wouldBlock, .connectionAbort {
            return nil
        }
    }

    /// Returns the paths of the sockets with this file name, in any folder of this machine, that
    /// ``listen(at:backlog:)`` made. The kernel lists the temporary paths (proc(5), `/proc/net/unix`).
    package static func paths(named name: String) -> [String] {
        let end = temporaryPath(of: "/\(name)")
        let list = ProcessState.contents("/proc/net/unix", limit: 16 << 20) ?? []
        return String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line in
            // The path is the last field, and no field before it has a slash.
            guard line.hasSuffix(end), let start = line.firstIndex(of: "/") else { return nil }
            return line[start...].dropLast(end.count) + "/" + name
        }
    }

    /// Ends one direction of a connection: the peer sees the end of the stream, and may still send. See shutdown(2).
    package static func endSending(_ socket: FileDescriptor) {
        // This fails only if the connection has ended anyway.
        _ = Glibc.shutdown(socket.rawValue, Int32(SHUT_WR))
    }

    /// Ends a connection in both directions, and the calls that wait on it in other threads. See shutdown(2).
    package static func end(_ socket: FileDescriptor) {
        // This fails only if the connection has ended anyway.
        _ = Glibc.shutdown(socket.rawValue, Int32(SHUT_RDWR))
    }

    /// Returns two connected sockets, close-on-exec and blocking.
    package static func pair() throws(Errno) -> (Descriptor, Descriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall { unsafe socketpair(AF_UNIX, type, 0, &ends) }
        return (
            Descriptor(adopting: FileDescriptor(rawValue: ends[0])),
            Descriptor(adopting: FileDescriptor(rawValue: ends[1]))
        )
    }

    /// Requests room, in bytes, for data sent and not yet received. The kernel grants as much as its limit allows.
    package static func setRoom(_ count: Int32, of socket: FileDescriptor) {
        unsafe withUnsafeBytes(of: count) { value in
            _ = unsafe setsockopt(
                socket.rawValue, SOL_SOCKET, SO_SNDBUF, value.baseAddress, socklen_t(value.count))
        }
    }

    private static func make(nonBlocking: Bool) throws(Errno) -> Descriptor {
        var type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        if nonBlocking { type |= SOCK_NONBLOCK.rawValue }
        return Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { socket(AF_UNIX, Int32(type), 0) }))
    }

    private static func withAddress(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Void
    ) throws(Errno) {
        try unsafe withAddress(of: Array(path.utf8), body)
    }

    private static func withAddress(
        of bytes: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Void
    ) throws(Errno) {
        // An empty path or a leading NUL would name a socket outside the file system.
        guard !bytes.isEmpty, !bytes.contains(0) else { throw .invalidArgument }
        guard bytes.count <= maxPathLength else { throw .fileNameTooLong }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        try unsafe withSocketAddress(address, body)
    }
}

/// The reason why a socket cannot listen.
package enum UnixSocketError: Error, Equatable, CustomStringConvertible {
    case pathTooLong(String)
    case cannotListen(String, Errno)

    package var description: String {
        switch self {
        case .pathTooLong(let path):
            "the socket path \(path) is longer than \(UnixSocket.maxPathLength) bytes"
        case .cannotListen(let path, let error):
            "cannot listen at \(path): \(error)"
        }
    }
}

extension UnixSocket {
    /// The result of one recvmsg(2) call.
    package struct Received {
        /// The received bytes; empty at the end of the stream.
        package var bytes: [UInt8]
        /// The received descriptors, close-on-exec.
        package var descriptors: [Descriptor]
    }

    /// Sends bytes, with descriptors attached to the first one (SCM_RIGHTS). Raises no SIGPIPE.
    ///
    /// - Parameter waits: If true, waits for room; if false and there is no room, nothing is sent.
    /// - Returns: The number of bytes sent; all descriptors are sent with the first byte. 0 if there is no room and
    ///   `waits` is false.
    /// - Throws: `brokenPipe` if the peer is gone; `invalidArgument` for more than 253 descriptors.
    package static func send(
        _ bytes: ArraySlice<UInt8>, descriptors: [Descriptor] = [], to socket: FileDescriptor, waits: Bool
    ) throws(Errno) -> Int {
        let numbers = descriptors.map(\.fileDescriptor.rawValue)
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        do throws(Errno) {
            return try rethrowingErrno {
                try unsafe bytes.withUnsafeBytes { bytes in
                    try systemCall {
                        unsafe linux_send(
                            socket.rawValue, bytes.baseAddress, bytes.count, numbers, numbers.count, flags)
                    }
                }
            }
        } catch .wouldBlock where !waits {
            return 0
        }
    }

    /// Receives at most `limit` bytes, and the descriptors attached to the first of them. The kernel delivers the
    /// descriptors of one message at a time, so a call returns before the bytes of the next such message.
    ///
    /// - Parameter waits: If true, waits for the first byte.
    /// - Returns: nil if nothing is available and `waits` is false.
    /// - Throws: `tooManyOpenFiles` if this process could not receive all of the descriptors. The received descriptors
    ///   are closed, and the stream cannot be used further.
    package static func receive(
        from socket: FileDescriptor, limit: Int = 65_536, waits: Bool
    ) throws(Errno) -> Received? {
        do throws(Errno) {
            return try rethrowingErrno {
                try unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
                    try unsafe receive(into: buffer, from: socket, flags: waits ? 0 : Int32(MSG_DONTWAIT))
                }
            }
        } catch .wouldBlock where !waits {
            return nil
        }
    }

    private static func receive(
        into buffer: UnsafeMutableRawBufferPointer, from socket: FileDescriptor, flags: Int32
    ) throws(Errno) -> Received {
        var numbers = InlineArray<253, Int32>(repeating: -1)
        var count = 0
        var isTruncated: Int32 = 0
        let length = try systemCall {
            var span = numbers.mutableSpan
            return unsafe span.withUnsafeMutableBufferPointer { numbers in
                unsafe linux_receive(
                    socket.rawValue, buffer.baseAddress, buffer.count, numbers.baseAddress, &count, &isTruncated, flags)
            }
        }
        // The descriptors are adopted before anything is thrown, so that they are closed.
        let descriptors = (0..<count).map { Descriptor(adopting: FileDescriptor(rawValue: numbers[$0])) }
        guard isTruncated == 0 else { throw .tooManyOpenFiles }
        return Received(bytes: unsafe [UInt8](buffer[..<length]), descriptors: descriptors)
    }
}

/// The credentials of the peer of a Unix socket, as recorded by the kernel when the peer connected. See unix(7).
package struct PeerCredentials: Sendable, Equatable {
    /// The effective user id.
    package var user: UInt32
    /// The process id. The process may have ended since, and the number may belong to another process.
    package var process: Int32

    package static var own: PeerCredentials { PeerCredentials(user: geteuid(), process: getpid()) }

    /// Returns the credentials of a socket's peer. If the peer is a service, these are the credentials of the process
    /// that began to listen. The corresponding C constant is `SO_PEERCRED`.
    package static func of(_ socket: FileDescriptor) throws(Errno) -> PeerCredentials {
        var credentials = linux_credentials()
        var size = socklen_t(MemoryLayout<linux_credentials>.size)
        try systemCall { unsafe getsockopt(socket.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &size) }
        return PeerCredentials(user: credentials.uid, process: credentials.pid)
    }
}
