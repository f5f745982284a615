/// A check of a message's structure before it is decoded: an object of a hundred thousand members would take a second
/// to decode. Messages of the interface have few members, but lists may be long.
package enum MessageShape {
    /// The maximum nesting of objects and lists.
    package static let maxDepth = 32
    /// The maximum number of members of one object.
    package static let maxMembers = 64

    /// Returns true if the message can be decoded in a time proportional to its length. The result is undefined if the
    /// message is not JSON.
    package static func isSound(_ message: [UInt8]) -> Bool {
        let bytes = message.span
        // The number of complete members of each open object; nil for a list.
        var open: [Int?] = []
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): position = endOfString(in: bytes, from: position + 1)
            case UInt8(ascii: "{"): open.append(0)
            case UInt8(ascii: "["): open.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: ","):
                guard let last = open.last, let members = last else { break }
                open[open.count - 1] = members + 1
                if members + 2 > maxMembers { return false }
            default: break
            }
            if open.count > maxDepth { return false }
            position += 1
        }
        return true
    }

    /// Returns the index of the closing quotation mark.
    private static func endOfString(in bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position
    }
}
