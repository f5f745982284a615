/// Messages out of a stream of bytes: each ends with a NUL, which JSON cannot contain.
/// See https://varlink.org/Wire-Protocol.
package struct MessageFramer {
    /// The longest message, in bytes, without its NUL.
    package var limit: Int
    private var buffer: [UInt8] = []
    /// Where the first message not yet taken begins.
    private var start = 0
    /// Before here there is no NUL, from ``start`` on. Every byte is looked at once, however small the pieces.
    private var searched = 0

    /// - Parameter limit: The longest message, in bytes, without its NUL.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The bytes of messages not yet taken, whole or not.
    package var count: Int { buffer.count - start }

    /// Whether there are bytes that ``next()`` has not looked at.
    package var mayHaveMessage: Bool { searched < buffer.count }

    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            buffer = bytes
            start = 0
            searched = 0
            return
        }
        // At most as many bytes move as were taken since the last time.
        if start > buffer.count / 2 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    private mutating func letGo() {
        buffer = []
        start = 0
        searched = 0
    }

    /// Takes the next whole message, without its NUL; nil if there is none.
    package mutating func next() throws(WireFault) -> [UInt8]? {
        guard let end = buffer[searched...].firstIndex(of: 0) else {
            searched = buffer.count
            if count > limit { throw .messageTooLong(limit: limit) }
            return nil
        }
        if end - start > limit { throw .messageTooLong(limit: limit) }
        let message = Array(buffer[start..<end])
        start = end + 1
        searched = start
        // A connection may be idle for days after a long message.
        if start == buffer.count { letGo() }
        return message
    }
}
