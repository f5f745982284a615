import Formats

/// The division of RTF into tokens (RTF 1.9.1, "RTF Syntax"). Line ends of the source, which have no meaning, are
/// skipped, and so is the data after `\bin`. The time is linear in the length of the source.
struct RTFTokenizer {
    enum Token {
        case open
        case close
        /// `\b0`: a control word, and its parameter if it has one, clamped to 32 bits.
        case word(MarkupName, Int32?)
        /// `\~`: a backslash before a byte that is not a letter.
        case symbol(UInt8)
        /// `\'e9`: a byte in the encoding of the font.
        case hex(UInt8)
        /// A range of text in the encoding of the font.
        case text(Range<Int>)
    }

    let bytes: [UInt8]
    private var position: Int

    /// Returns nil if the bytes are not RTF, which begins with `{\rtf`, after optional white space and an optional byte
    /// order mark.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = UTF8Text.hasMark(bytes) ? 3 : 0
        while position < bytes.count, bytes[position].isHTMLSpace { position += 1 }
        guard bytes[position...].starts(with: Array(#"{\rtf"#.utf8)) else { return nil }
    }

    mutating func next() -> Token? {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "{"):
                position += 1
                return .open
            case UInt8(ascii: "}"):
                position += 1
                return .close
            case UInt8(ascii: "\\"):
                position += 1
                if let token = control() { return token }
            case 0x0A, 0x0D, 0:
                position += 1
            default:
                return text()
            }
        }
        return nil
    }

    private mutating func text() -> Token {
        let start = position
        while position < bytes.count, !Self.endsText(bytes[position]) { position += 1 }
        return .text(start..<position)
    }

    private static func endsText(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"), 0x0A, 0x0D, 0: true
        default: false
        }
    }

    private mutating func control() -> Token? {
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        if byte.isASCIILetter { return word() }
        position += 1
        return byte == UInt8(ascii: "'") ? hex() : .symbol(byte)
    }

    private mutating func hex() -> Token? {
        guard position + 1 < bytes.count, let high = bytes[position].hexDigitValue,
            let low = bytes[position + 1].hexDigitValue
        else { return nil }
        position += 2
        return .hex(high << 4 | low)
    }

    private mutating func word() -> Token {
        let start = position
        while position < bytes.count, bytes[position].isASCIILetter { position += 1 }
        let name = MarkupName(bytes[start..<position])
        let parameter = number()
        if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        if name == Self.binary { position += min(max(0, Int(parameter ?? 0)), bytes.count - position) }
        return .word(name, parameter)
    }

    private mutating func number() -> Int32? {
        var index = position
        let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard index < bytes.count, bytes[index].isASCIIDigit else { return nil }
        var value: Int64 = 0
        while index < bytes.count, bytes[index].isASCIIDigit {
            value = min(value * 10 + Int64(bytes[index] - 0x30), Int64(Int32.max))
            index += 1
        }
        position = index
        return Int32(isNegative ? -value : value)
    }

    private static let binary = MarkupName("bin")
}
