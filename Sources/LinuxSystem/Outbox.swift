package import SystemPackage

/// A queue of messages to send through a Unix socket, in order, each with its descriptors.
package struct Outbox {
    private struct Part {
        var bytes: [UInt8]
        var descriptors: [Descriptor]
    }

    private var parts: [Part] = []
    /// The number of bytes of the first part that have been sent.
    private var sent = 0
    /// The number of bytes still to be sent.
    package private(set) var count = 0

    package init() {}

    package mutating func removeAll() { self = Outbox() }

    package mutating func append(_ bytes: [UInt8], descriptors: [Descriptor] = []) {
        count += bytes.count
        // Small messages share a system call. Descriptors go with the first byte of a part, so they begin a new one.
        if descriptors.isEmpty, let last = parts.indices.last, parts[last].bytes.count < 1 << 16 {
            parts[last].bytes += bytes
        } else {
            parts.append(Part(bytes: bytes, descriptors: descriptors))
        }
    }

    /// Sends as much as the socket has room for. Throws the errors of sendmsg(2), such as `brokenPipe`.
    package mutating func send(to socket: FileDescriptor) throws(Errno) {
        while let part = parts.first {
            let taken = try UnixSocket.send(
                part.bytes[sent...], descriptors: part.descriptors, to: socket, waits: false)
            if taken == 0 { return }
            count -= taken
            sent += taken
            if sent == part.bytes.count {
                parts.removeFirst()
                sent = 0
            } else {
                // The descriptors went with the first byte.
                parts[0].descriptors = []
            }
        }
    }
}
