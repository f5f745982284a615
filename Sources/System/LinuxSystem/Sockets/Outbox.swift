package import SystemPackage

/// A queue of messages to send through a Unix socket, in order, each with its descriptors. Ranges of files may come
/// between the messages: the bytes of a range are read when the socket has room.
package struct Outbox {
    private struct Part {
        var bytes: [UInt8]
        var descriptors: [Descriptor]
        /// The range to send instead of a message.
        var file: (bytes: MemoryFile, rest: Range<Int>)?
    }

    private var parts: [Part] = []
    /// The number of bytes of the first part that have been sent, if it is a message.
    private var sent = 0
    /// The number of bytes of messages still to be sent.
    package private(set) var count = 0
    /// The number of bytes of files still to be sent.
    package private(set) var fileCount = 0

    /// The limit on the bytes of files that one call of ``send(to:)`` sends: a reader may be as fast as this process,
    /// and an event loop has other work to do.
    private static let maxFileBytes = 1 << 20
    /// The number of bytes read from a file at a time.
    private static let filePiece = 1 << 16

    package init() {}

    package var isEmpty: Bool { count == 0 && fileCount == 0 }

    package mutating func removeAll() { self = Outbox() }

    package mutating func append(_ bytes: [UInt8], descriptors: [Descriptor] = []) {
        count += bytes.count
        // Small messages share a system call. Descriptors go with the first byte of a part, so they begin a new part.
        if descriptors.isEmpty, let last = parts.indices.last, parts[last].bytes.count < 1 << 16,
            parts[last].file == nil
        {
            parts[last].bytes += bytes
        } else {
            parts.append(Part(bytes: bytes, descriptors: descriptors))
        }
    }

    /// Appends the bytes of a range of a file.
    package mutating func append(_ file: MemoryFile, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        fileCount += range.count
        parts.append(Part(bytes: [], descriptors: [], file: (file, range)))
    }

    /// Sends as much as the socket has room for, with at most 1 MiB of files.
    ///
    /// - Throws: The errors of sendmsg(2), such as `brokenPipe`; `ioError` if a file has become shorter.
    package mutating func send(to socket: FileDescriptor) throws(Errno) {
        let end = fileCount - Self.maxFileBytes
        while let part = parts.first {
            if let file = part.file {
                let piece = min(Self.filePiece, fileCount - end)
                guard try send(file.bytes, file.rest, atMost: piece, to: socket) else { return }
                continue
            }
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

    /// Sends a piece of the first part, which is a range of a file. Returns false if the socket has no room, or `limit`
    /// is 0.
    private mutating func send(
        _ file: MemoryFile, _ rest: Range<Int>, atMost limit: Int, to socket: FileDescriptor
    ) throws(Errno) -> Bool {
        // sendfile(2) would wait for room unless the socket is non-blocking.
        let piece = try file.bytes(in: rest.prefix(limit))
        let taken = try UnixSocket.send(piece[...], to: socket, waits: false)
        if taken == 0 { return false }
        fileCount -= taken
        if taken == rest.count {
            parts.removeFirst()
        } else {
            parts[0].file?.rest = rest.dropFirst(taken)
        }
        return true
    }
}
