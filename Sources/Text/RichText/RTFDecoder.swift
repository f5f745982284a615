import Formats

/// A decoder of the characters of RTF: bytes of a code page, and `\u`, followed by alternative text for readers that do
/// not know `\u`.
struct RTFDecoder {
    /// The number of characters of alternative text that are still to be skipped.
    private var skipCount = 0
    /// The first half of a surrogate pair.
    private var surrogate: UInt32?
    private var upperHalves: [CodePage: [[UInt8]]] = [:]

    mutating func endSkipping() { skipCount = 0 }

    /// Returns true if the next character is alternative text, which must be skipped.
    mutating func skip() -> Bool {
        guard skipCount > 0 else { return false }
        skipCount -= 1
        return true
    }

    /// Skips alternative text and returns the remaining bytes.
    mutating func skip(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let count = min(skipCount, bytes.count)
        skipCount -= count
        return bytes.dropFirst(count)
    }

    /// Forgets the first half of a surrogate pair. Returns true if there was a first half, whose second half is then
    /// missing.
    mutating func endSurrogate() -> Bool {
        defer { surrogate = nil }
        return surrogate != nil
    }

    mutating func decode(_ byte: UInt8, _ charset: RTFCharset) -> [UInt8] {
        if byte == 0 { return [] }
        switch charset {
        case .utf8: return [byte]
        case _ where byte < 0x80: return [byte]
        case .page(let page): return upper(byte, page)
        case .symbol: return RTFCharset.symbol(byte) ?? upper(byte, .windows1252)
        case .unknown: return UTF8Text.replacement
        }
    }

    /// Decodes `\u`. The specification says that its parameter is a signed 16-bit number; some programs write an
    /// unsigned number, or a whole code point.
    ///
    /// - Parameter fallbackLength: The number of characters of alternative text that follow.
    /// - Returns: nil for the first half of a surrogate pair.
    mutating func unicode(_ number: Int32, fallbackLength: Int) -> [UInt8]? {
        skipCount = fallbackLength
        let value = UInt32(truncatingIfNeeded: number < 0 ? Int(number) + 0x1_0000 : Int(number))
        if (0xD800..<0xDC00).contains(value), surrogate == nil {
            surrogate = value
            return nil
        }
        if let high = surrogate, (0xDC00..<0xE000).contains(value) {
            surrogate = nil
            return Self.utf8(0x1_0000 + (high - 0xD800) << 10 + (value - 0xDC00))
        }
        return Self.utf8(value)
    }

    private static func utf8(_ value: UInt32) -> [UInt8] {
        switch value {
        case 0: return []
        // U+2028 is a line break in Cocoa's RTF.
        case 0x2028: return [0x0A]
        case 0xF020...0xF0FF: if let bullet = RTFCharset.symbol(UInt8(value & 0xFF)) { return bullet }
        default: break
        }
        return Unicode.Scalar(value).map { Array(String($0).utf8) } ?? UTF8Text.replacement
    }

    private mutating func upper(_ byte: UInt8, _ page: CodePage) -> [UInt8] {
        if let half = upperHalves[page] { return half[Int(byte & 0x7F)] }
        let half = page.upperUTF8
        upperHalves[page] = half
        return half[Int(byte & 0x7F)]
    }
}

/// The encoding of the bytes of text in a font.
enum RTFCharset: Equatable, Sendable {
    case page(CodePage)
    case utf8
    /// A font of pictures. Only its bullets appear in text.
    case symbol
    /// A charset with two bytes per character, or an unknown charset. Word also writes such text in Unicode.
    case unknown

    /// Reads the parameter of `\ansicpg` and `\cpg`.
    init(codePage number: Int32) {
        switch number {
        case 65001: self = .utf8
        case 42: self = .symbol
        case 0, 28591: self = .page(.windows1252)
        default: self = CodePage(rawValue: Int(number)).map(Self.page) ?? .unknown
        }
    }

    /// Reads the parameter of `\fcharset`; nil for the charset of the document.
    init?(fontCharset number: Int32) {
        let pages: [Int32: CodePage] = [
            0: .windows1252, 77: .macRoman, 161: .windows1253, 162: .windows1254, 163: .windows1258,
            177: .windows1255, 178: .windows1256, 186: .windows1257, 204: .windows1251, 222: .windows874,
            238: .windows1250, 254: .ibm437, 255: .ibm850,
        ]
        switch number {
        case 1: return nil
        case 2: self = .symbol
        default: self = pages[number].map(Self.page) ?? .unknown
        }
    }

    /// Returns the character for a bullet of Symbol or Wingdings. Word also writes these bytes as code points from
    /// U+F000.
    static func symbol(_ byte: UInt8) -> [UInt8]? {
        switch byte {
        case 0xB7: Array("•".utf8)
        case 0xA7: Array("▪".utf8)
        case 0xD8: Array("➢".utf8)
        case 0xFC: Array("✓".utf8)
        default: nil
        }
    }
}
