/// A decoder that splits a stream of bytes, which arrive in pieces of any size, into messages.
package struct FrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    /// The index of the first message that has not been taken.
    private var start = 0

    package init() {}

    /// The number of bytes that have not been taken, of complete and incomplete messages.
    package var count: Int { buffer.count - start }

    package mutating func append(_ bytes: [UInt8]) {
        // Only bytes that were not taken are moved: less than one message once `next()` has returned nil.
        buffer.removeFirst(start)
        start = 0
        buffer += bytes
    }

    /// Takes the next complete message; nil if there is none.
    package mutating func next() throws(WireError) -> WireFrame? {
        guard count >= WaylandWire.headerLength else { return nil }
        let second = WireWord.read(buffer, at: start + 4)
        let size = Int(second >> 16)
        guard (WaylandWire.headerLength...WaylandWire.maxMessageLength).contains(size), size.isMultiple(of: 4) else {
            throw .size(size)
        }
        guard let object = ObjectID(WireWord.read(buffer, at: start)) else { throw .noObject }
        guard count >= size else { return nil }
        let arguments = Array(buffer[start + WaylandWire.headerLength..<start + size])
        start += size
        // The memory is released, since a connection may be idle for days after a burst.
        if start == buffer.count {
            buffer = []
            start = 0
        }
        return WireFrame(object: object, opcode: UInt16(truncatingIfNeeded: second), arguments: arguments)
    }
}
