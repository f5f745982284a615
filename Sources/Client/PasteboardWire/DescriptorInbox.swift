package import LinuxSystem

/// The descriptors received with a stream of messages, kept until the messages that name them are taken.
package struct DescriptorInbox {
    /// The maximum number of descriptors of one message.
    package var limit: Int
    private var descriptors: [Descriptor] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// True if there are more descriptors than one message may have.
    package var isOverfull: Bool { descriptors.count > limit }

    /// True if some descriptors are from the ``DescriptorReserve``.
    var takesReserve: Bool { descriptors.contains(where: DescriptorReserve.contains) }

    package mutating func append(_ received: [Descriptor]) {
        descriptors += received
    }

    /// - Throws: `tooManyDescriptors` if ``isOverfull``.
    package func check() throws(WireFault) {
        if isOverfull { throw .tooManyDescriptors(limit: limit) }
    }

    /// Takes the descriptors that a message names.
    ///
    /// - Parameter isLast: True if no byte of the next message has been received. Descriptors arrive with the first
    ///   byte of their message at the latest, so in that case the remaining descriptors belong to no message.
    /// - Throws: `tooManyDescriptors`, `strayDescriptors`.
    package mutating func take(for message: [UInt8], isLast: Bool) throws(WireFault) -> [Descriptor] {
        // Few messages have descriptors, and the search for the names takes time.
        guard !descriptors.isEmpty else { return [] }
        let count = DescriptorIndices.count(in: message)
        guard count <= limit else { throw .tooManyDescriptors(limit: limit) }
        let taken = Array(descriptors.prefix(count))
        descriptors.removeFirst(taken.count)
        guard !isLast || descriptors.isEmpty else { throw .strayDescriptors(descriptors.count) }
        return taken
    }
}

/// The number of descriptors that belong to a message.
///
/// The kernel keeps descriptors in order with the bytes of a stream, but not with its messages: one recvmsg(2) may
/// return the end of one message, another whole message, and the descriptors of both. So a message takes the
/// descriptors up to the highest index among its `descriptor` members.
package enum DescriptorIndices {
    private static let name = Array("descriptor".utf8)

    /// Returns the highest index plus one, or 0 for a message that names no descriptor. The result is undefined if the
    /// message is not JSON.
    package static func count(in message: [UInt8]) -> Int {
        var count = 0
        var position = 0
        while let string = nextString(in: message, from: position) {
            position = string.upperBound + 1
            if message[string].elementsEqual(name), let index = memberIndex(in: message, after: position) {
                count = max(count, index + 1)
            }
        }
        return count
    }

    /// Returns the range between the next quotation marks.
    private static func nextString(in message: [UInt8], from position: Int) -> Range<Int>? {
        guard let opening = message[position...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        var end = opening + 1
        while end < message.count, message[end] != UInt8(ascii: "\"") {
            end += message[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return end < message.count ? opening + 1..<end : nil
    }

    /// Returns the number after a colon. Only the first five digits count: no message can have that many descriptors.
    private static func memberIndex(in message: [UInt8], after position: Int) -> Int? {
        var rest = message[position...].drop(while: isSpace)
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        let digits = rest.drop(while: isSpace).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        return digits.prefix(5).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
