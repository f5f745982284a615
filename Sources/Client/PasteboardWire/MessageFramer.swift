/// A decoder that splits a stream of bytes into messages, and raw bytes between them. Each message ends with a NUL,
/// which JSON cannot contain. See https://varlink.org/Wire-Protocol.
package struct MessageFramer {
    /// The maximum length of a message, in bytes, without its NUL.
    package var limit: Int
    private var buffer: [UInt8] = []
    /// The index of the first message that has not been taken.
    private var start = 0
    /// The end of the range from ``start`` that is known to have no NUL. Each byte is thus examined once, however small
    /// the pieces.
    private var searched = 0

    /// - Parameter limit: The maximum length of a message, in bytes, without its NUL.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The number of bytes that have not been taken, of complete and incomplete messages.
    package var count: Int { buffer.count - start }

    /// True if there are bytes that ``next()`` has not examined.
    package var mayHaveMessage: Bool { searched < buffer.count }

    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            buffer = bytes
            start = 0
            searched = 0
            return
        }
        // The removal moves at most as many bytes as were taken since the previous removal.
        if start > buffer.count / 2 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Takes the next complete message, without its NUL; nil if there is none.
    package mutating func next() throws(WireFault) -> [UInt8]? {
        guard let end = buffer[searched...].firstIndex(of: 0) else {
            searched = buffer.count
            if count > limit { throw .messageTooLong(limit: limit) }
            return nil
        }
        if end - start > limit { throw .messageTooLong(limit: limit) }
        let message = Array(buffer[start..<end])
        skip(to: end + 1)
        return message
    }

    /// Takes raw bytes, which follow the last message taken: all available bytes, up to the limit.
    package mutating func takeRaw(_ limit: Int) -> [UInt8] {
        if start == 0, buffer.count <= limit {
            defer { releaseBuffer() }
            return buffer
        }
        let end = start + min(limit, count)
        let bytes = Array(buffer[start..<end])
        skip(to: end)
        return bytes
    }

    private mutating func skip(to end: Int) {
        start = end
        searched = end
        // The memory is released, since a connection may be idle for days after a long message.
        if start == buffer.count { releaseBuffer() }
    }

    private mutating func releaseBuffer() {
        buffer = []
        start = 0
        searched = 0
    }
}
