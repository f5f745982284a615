/// The tokens of JSON with `//` and `/* */` comments, and with strings in either kind of quotes.
///
/// A token has its range and its line. `JSONDecoder` decodes strings and numbers.
struct JSONTokens {
    enum Token: Equatable {
        /// `{` or `[`.
        case open(UInt8)
        /// `}` or `]`.
        case close(UInt8)
        case colon
        case comma
        case string
        /// A string without its closing quote on the line.
        case brokenString
        /// A number, a word such as `true`, or a word unknown to JSON.
        case word
        case end
    }

    private let bytes: [UInt8]
    private let end: Int
    /// The index after the last token.
    private(set) var position: Int
    /// The line of ``position``, counted from 1.
    private(set) var line: Int
    /// The range of the last token.
    private(set) var range = 0..<0
    /// The line on which the last token begins.
    private(set) var tokenLine = 1
    /// The line on which an unclosed comment begins.
    private(set) var openComment: Int?

    init(_ bytes: [UInt8], in range: Range<Int>, line: Int) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.line = line
    }

    mutating func next() -> Token {
        skipBlanks()
        let start = position
        tokenLine = line
        let token = take()
        range = start..<position
        return token
    }

    mutating func skipToEnd() {
        position = end
    }

    /// Returns the next token without consuming it.
    func peek() -> Token {
        var copy = self
        return copy.next()
    }

    private mutating func take() -> Token {
        guard position < end else { return .end }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .open(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return .close(byte)
        case UInt8(ascii: ":"): return .colon
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return takeString(quote: byte)
        default:
            while position < end, !Self.endsWord(bytes[position]) { position += 1 }
            return .word
        }
    }

    /// Consumes a string up to its closing quote, or, if there is none, up to the end of the line, since the next line
    /// is probably correct.
    private mutating func takeString(quote: UInt8) -> Token {
        while position < end {
            switch bytes[position] {
            case quote:
                position += 1
                return .string
            case let byte where Self.endsLine(byte): return .brokenString
            case UInt8(ascii: "\\") where position + 1 < end:
                if bytes[position + 1] == UInt8(ascii: "\n") { line += 1 }
                position += 2
            default: position += 1
            }
        }
        return .brokenString
    }

    private mutating func skipBlanks() {
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\n"):
                line += 1
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "/") where position + 1 < end && bytes[position + 1] == UInt8(ascii: "/"):
                while position < end, !Self.endsLine(bytes[position]) { position += 1 }
            case UInt8(ascii: "/") where position + 1 < end && bytes[position + 1] == UInt8(ascii: "*"):
                skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() {
        let start = line
        position += 2
        while position < end {
            if bytes[position] == UInt8(ascii: "*"), position + 1 < end, bytes[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        openComment = start
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "{}[]:,\"'/".utf8.contains(byte)
    }
}
