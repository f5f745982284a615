import CLinux
import Glibc
package import SystemPackage

/// Stream sockets with a path in the file system. See unix(7).
package enum UnixSocket {
    /// The longest path, in bytes: the kernel's 108 less the terminating NUL.
    package static let longestPath = 107

    /// A socket that listens at a path, close-on-exec and not blocking. A socket file left there is replaced, so
    /// the caller makes sure, by a ``FileLock``, that nobody is listening on it.
    ///
    /// It listens before it appears at its path: who sees it there can connect.
    package static func listen(at path: String, backlog: Int = 4096) throws(UnixSocketError) -> Descriptor {
        guard path.utf8.count <= longestPath else { throw .pathTooLong(path) }
        // As long as the path itself.
        let temporary = String(path.dropLast()) + "~"
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

    /// Which file has a name, to tell later whether it is still the same; nil where there is none.
    package static func identity(of path: String) -> Identity? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
    }

    package struct Identity: Equatable, Sendable {
        let device: UInt64
        let node: UInt64
    }

    /// Takes a socket's name away, if it is still that socket's: nobody connects any more. Connections that are there
    /// go on.
    package static func remove(_ path: String, _ identity: Identity?) {
        guard let identity, Self.identity(of: path) == identity else { return }
        _ = unsafe unlink(path)
    }

    /// A blocking socket connected to a path, close-on-exec.
    ///
    /// - Parameter patience: For how long to wait where the listener, stopped maybe, has its queue full.
    /// - Throws: `noSuchFileOrDirectory` and `connectionRefused` where nobody listens, `wouldBlock` when the
    ///   patience is over, `fileNameTooLong` over ``longestPath``.
    package static func connect(to path: String, patience: Duration = .seconds(5)) throws(Errno) -> Descriptor {
        let socket = try make(nonBlocking: false)
        try limitSending(socket, to: patience)
        try unsafe withAddress(of: path) { address, length throws(Errno) in
            try systemCall { unsafe Glibc.connect(socket.fileDescriptor.rawValue, address, length) }
        }
        return socket
    }

    /// A socket connected to a path, close-on-exec and not blocking.
    ///
    /// - Parameter path: Its bytes.
    /// - Throws: As ``connect(to:patience:)``; `wouldBlock` at once where the listener has its queue full.
    package static func connectAtOnce(to path: [UInt8]) throws(Errno) -> Descriptor {
        let socket = try make(nonBlocking: true)
        try unsafe withAddress(of: path) { address, length throws(Errno) in
            try systemCall { unsafe Glibc.connect(socket.fileDescriptor.rawValue, address, length) }
        }
        return socket
    }

    /// Waits until there is something to receive, or the end of it.
    ///
    /// - Returns: Whether there is, after that many milliseconds at the latest.
    package static func waitReadable(_ socket: FileDescriptor, milliseconds: Int32) throws(Errno) -> Bool {
        var wanted = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        return try systemCall { unsafe poll(&wanted, 1, milliseconds) } > 0
    }

    /// The next connection of a listener, close-on-exec and not blocking; nil when there is none, or when the one
    /// there was is gone again.
    ///
    /// - Throws: `tooManyOpenFiles` and the like: the connection stays in the queue, and the listener readable.
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

    /// Two connected sockets, close-on-exec and blocking.
    package static func pair() throws(Errno) -> (Descriptor, Descriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall { unsafe socketpair(AF_UNIX, type, 0, &ends) }
        return (
            Descriptor(adopting: FileDescriptor(rawValue: ends[0])),
            Descriptor(adopting: FileDescriptor(rawValue: ends[1]))
        )
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
        // An empty path and a leading NUL name sockets outside the file system.
        guard !bytes.isEmpty, !bytes.contains(0) else { throw .invalidArgument }
        guard bytes.count <= longestPath else { throw .fileNameTooLong }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        try rethrowingErrno {
            try unsafe withUnsafePointer(to: &address) { pointer in
                try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    try unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }
}

/// Why a socket cannot listen.
package enum UnixSocketError: Error, Equatable, CustomStringConvertible {
    case pathTooLong(String)
    case cannotListen(String, Errno)

    package var description: String {
        switch self {
        case .pathTooLong(let path):
            "the socket path \(path) is longer than \(UnixSocket.longestPath) bytes"
        case .cannotListen(let path, let error):
            "cannot listen at \(path): \(error)"
        }
    }
}

extension UnixSocket {
    /// What one recvmsg(2) gave.
    package struct Received {
        /// Empty at the end of the stream.
        package var bytes: [UInt8]
        /// Close-on-exec.
        package var descriptors: [Descriptor]
    }

    /// Sends bytes, with descriptors beside the first of them (SCM_RIGHTS). Raises no SIGPIPE.
    ///
    /// - Parameter waits: Whether to wait for room. If not, and there is none, nothing is sent.
    /// - Returns: How many bytes were taken; with the first byte all descriptors were. 0 for `waits: false` and no
    ///   room.
    /// - Throws: `brokenPipe` when the peer is gone; `invalidArgument` for over 253 descriptors.
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

    /// Receives at most `limit` bytes, and the descriptors that were sent beside the first of them. The kernel
    /// gives the descriptors of one message at a time; a call ends before the next.
    ///
    /// - Parameter waits: Whether to wait for the first byte.
    /// - Returns: nil if nothing is there and the call does not wait.
    /// - Throws: `tooManyOpenFiles` if this process could not take all descriptors: those it got are closed, and
    ///   the stream is of no use any more.
    package static func receive(
        from socket: FileDescriptor, limit: Int = 65_536, waits: Bool
    ) throws(Errno) -> Received? {
        var descriptors: [Descriptor] = []
        var isTruncated: Int32 = 0
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        let bytes: [UInt8]
        do {
            bytes = try unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
                var numbers = InlineArray<253, Int32>(repeating: -1)
                var count = 0
                let received = try systemCall {
                    var span = numbers.mutableSpan
                    return unsafe span.withUnsafeMutableBufferPointer { numbers in
                        unsafe linux_receive(
                            socket.rawValue, buffer.baseAddress, limit, numbers.baseAddress, &count, &isTruncated,
                            flags)
                    }
                }
                for index in 0..<count {
                    descriptors.append(Descriptor(adopting: FileDescriptor(rawValue: numbers[index])))
                }
                return unsafe [UInt8](buffer[..<received])
            }
        } catch Errno.wouldBlock where !waits {
            return nil
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
        guard isTruncated == 0 else { throw .tooManyOpenFiles }
        return Received(bytes: bytes, descriptors: descriptors)
    }
}

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
