package import LinuxSystem
package import SystemPackage

/// Messages on their way out, in order, each with its descriptors.
package struct Outbox {
    private struct Part {
        var bytes: [UInt8]
        var descriptors: [Descriptor]
    }

    private var parts: [Part] = []
    /// Of the first part.
    private var sent = 0
    /// What is still to be sent, in bytes.
    package private(set) var count = 0

    package init() {}

    /// Gives up what is still to be sent.
    mutating func removeAll() { self = Outbox() }

    package mutating func append(_ bytes: [UInt8], descriptors: [Descriptor] = []) {
        count += bytes.count
        // Small messages share a system call. Descriptors go with the first byte of a part, so those begin one.
        if descriptors.isEmpty, let last = parts.indices.last, parts[last].bytes.count < 1 << 16 {
            parts[last].bytes += bytes
        } else {
            parts.append(Part(bytes: bytes, descriptors: descriptors))
        }
    }

    /// Sends what there is room for now.
    ///
    /// - Throws: `brokenPipe` and the like.
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
                // They went with the first byte.
                parts[0].descriptors = []
            }
        }
    }
}
