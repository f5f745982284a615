import CLinux
import Glibc
package import SystemPackage

/// Functions for stream sockets over IP. See tcp(7).
package enum TCPSocket {
    /// The IP address of a machine.
    package enum Address: Equatable, Sendable {
        /// Four bytes, most significant first.
        case v4([UInt8])
        /// Sixteen bytes, most significant first.
        case v6([UInt8])

        /// - Parameter text: An address such as `127.0.0.1`, `::1` or `[::1]`; other text, such as a host name, gives
        ///   nil. See inet_pton(3).
        package init?(_ text: String) {
            guard !text.utf8.contains(0) else { return nil }
            var bytes = [UInt8](repeating: 0, count: 16)
            if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
                self = .v4(Array(bytes.prefix(4)))
                return
            }
            let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
            guard unsafe inet_pton(AF_INET6, isBracketed ? String(text.dropFirst().dropLast()) : text, &bytes) == 1
            else { return nil }
            self = .v6(bytes)
        }

        package var bytes: [UInt8] {
            switch self {
            case .v4(let bytes), .v6(let bytes): bytes
            }
        }

        /// True if the address is a loopback address of this machine, which other machines cannot reach.
        package var isLoopback: Bool {
            switch self {
            case .v4(let bytes): bytes.first == 127
            case .v6(let bytes): bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
            }
        }
    }

    /// Returns a blocking socket connected to a port, close-on-exec.
    ///
    /// - Throws: `connectionRefused` if nothing listens on the port, `wouldBlock` after the timeout, and the other
    ///   errors of connect(2).
    package static func connect(to address: Address, port: UInt16, timeout: Duration) throws(Errno) -> Descriptor {
        let (family, type) = (address.isOfVersion4 ? AF_INET : AF_INET6, SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { socket(family, Int32(type), 0) }))
        try limitSending(descriptor, to: timeout)
        do throws(Errno) {
            try unsafe withAddress(address, port) { pointer, length throws(Errno) in
                try systemCall { unsafe Glibc.connect(descriptor.fileDescriptor.rawValue, pointer, length) }
            }
        } catch {
            // With SO_SNDTIMEO, connect(2) reports a timeout as EINPROGRESS: see socket(7).
            throw error == Errno(rawValue: EINPROGRESS) ? .wouldBlock : error
        }
        return descriptor
    }

    private static func withAddress(
        _ address: Address, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Void
    ) throws(Errno) {
        switch address {
        case .v4(let bytes):
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &name.sin_addr) { unsafe $0.copyBytes(from: bytes) }
            try unsafe withSocketAddress(name, body)
        case .v6(let bytes):
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &name.sin6_addr) { unsafe $0.copyBytes(from: bytes) }
            try unsafe withSocketAddress(name, body)
        }
    }

}

extension TCPSocket.Address {
    fileprivate var isOfVersion4: Bool { if case .v4 = self { true } else { false } }
}

/// Sets the timeout for sending on a socket and for connecting it. See socket(7), `SO_SNDTIMEO`.
func limitSending(_ socket: Descriptor, to timeout: Duration) throws(Errno) {
    // A timeout of zero would mean no timeout.
    let (seconds, attoseconds) = max(timeout, .milliseconds(1)).components
    var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    let size = socklen_t(MemoryLayout<timeval>.size)
    try systemCall { unsafe setsockopt(socket.fileDescriptor.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, size) }
}

package enum HostAddresses {
    /// Resolves a host name with getent(1), which uses the resolver of the C library. That resolver has no timeout and
    /// loads shared libraries, which a static program cannot do.
    ///
    /// - Returns: The addresses in the order in which to try them; empty if there are none, nil after the deadline.
    package static func of(
        _ host: String, environment: [String: String], until deadline: ContinuousClock.Instant
    ) -> [TCPSocket.Address]? {
        if let address = TCPSocket.Address(host) { return [address] }
        guard
            let nothing = try? Descriptor.null(),
            let program = try? ChildProcess.spawnPiped(
                command: ["getent", "ahosts", "--", host], environment: environment,
                standardInput: nothing.fileDescriptor, keepsWorkingDirectory: false)
        else { return [] }
        let text = output(of: program, until: deadline)
        // The program has ended or is no longer needed.
        ChildProcess.send(.kill, to: program.process)
        _ = try? ChildProcess.wait(for: program.process)
        return text.map { addresses(in: $0) }
    }

    /// Returns each address once; getent(1) prints a line for each type of socket.
    static func addresses(in text: String) -> [TCPSocket.Address] {
        text.split(separator: "\n").reduce(into: []) { addresses, line in
            let word = line.prefix { $0 != " " && $0 != "\t" }
            guard let address = TCPSocket.Address(String(word)), !addresses.contains(address) else { return }
            addresses.append(address)
        }
    }

    /// Returns the complete output; nil if its end does not arrive before the deadline.
    private static func output(of program: PipedProgram, until deadline: ContinuousClock.Instant) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 1 << 16 {
            guard let isReadable = try? waitReadable(program.output.fileDescriptor, until: deadline), isReadable,
                let piece = try? program.output.fileDescriptor.readBytes(atMost: 4096)
            else { return nil }
            if piece.isEmpty { break }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
