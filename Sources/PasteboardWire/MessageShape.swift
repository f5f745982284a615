/// How a message is built, looked at before it is read: an object of a hundred thousand members takes a second to read, and
/// no message of the interface is like that. Lists may be long.
enum MessageShape {
    /// Objects and lists in one another.
    static let mostLevels = 32
    /// Members of one object.
    static let mostMembers = 64

    /// Whether it can be read in a time that its length bounds. Of what is no JSON it says something.
    static func isSound(_ message: [UInt8]) -> Bool {
        let bytes = message.span
        // The members that came to an end in each object that is open; nil for a list.
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
                if members + 2 > mostMembers { return false }
            default: break
            }
            if open.count > mostLevels { return false }
            position += 1
        }
        return true
    }

    /// Where its closing quotation mark is.
    private static func endOfString(in bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position
    }
}
