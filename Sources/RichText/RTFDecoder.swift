/// The characters of RTF: bytes of a code page, and `\u` with what stands behind it for readers that do not know it.
struct RTFDecoder {
    /// Characters still to be passed over.
    private var skips = 0
    /// The first of two units of UTF-16.
    private var surrogate: UInt32?
    private var upperHalves: [CodePage: [[UInt8]]] = [:]

    mutating func endSkipping() { skips = 0 }

    /// Whether the next character is to be passed over.
    mutating func skip() -> Bool {
        guard skips > 0 else { return false }
        skips -= 1
        return true
    }

    /// The rest of a text once that many of its bytes are passed over.
    mutating func skip(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let count = min(skips, bytes.count)
        skips -= count
        return bytes.dropFirst(count)
    }

    /// True when a first unit waits in vain for its second; it is forgotten.
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
        case .unknown: return UTF8Repair.replacement
        }
    }

    /// The character of `\u`; nil while its second half is to come. The number is a signed 16-bit one by the book, and
    /// some write it unsigned or whole.
    mutating func unicode(_ number: Int32, fallback: Int) -> [UInt8]? {
        skips = fallback
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
        // A line of its own to Cocoa.
        case 0x2028: return [0x0A]
        case 0xF020...0xF0FF: if let bullet = RTFCharset.symbol(UInt8(value & 0xFF)) { return bullet }
        default: break
        }
        return Unicode.Scalar(value).map { Array(String($0).utf8) } ?? UTF8Repair.replacement
    }

    private mutating func upper(_ byte: UInt8, _ page: CodePage) -> [UInt8] {
        if let half = upperHalves[page] { return half[Int(byte & 0x7F)] }
        let half = page.upperUTF8
        upperHalves[page] = half
        return half[Int(byte & 0x7F)]
    }
}
