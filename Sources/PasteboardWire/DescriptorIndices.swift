/// How many descriptors belong to a message.
///
/// The kernel keeps descriptors in order with the bytes of a stream, but not with its messages: one recvmsg(2) may
/// give the end of a message, a whole one, and the descriptors of either. So a message says which it takes: those
/// up to the highest index among its `descriptor` members.
enum DescriptorIndices {
    private static let name = Array("descriptor".utf8)

    /// The highest index and one; 0 for a message that names none. For JSON only; of anything else, something.
    static func count(in message: [UInt8]) -> Int {
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

    /// What stands between the next quotation marks.
    private static func nextString(in message: [UInt8], from position: Int) -> Range<Int>? {
        guard let opening = message[position...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        var end = opening + 1
        while end < message.count, message[end] != UInt8(ascii: "\"") {
            end += message[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return end < message.count ? opening + 1..<end : nil
    }

    /// The number after a colon. Such a number with more than four digits is one no message can have.
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
