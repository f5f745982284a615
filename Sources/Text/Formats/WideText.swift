package enum UTF16Text {
    /// Decodes text to UTF-8, and throws at the first invalid character.
    ///
    /// - Parameter order: The declared byte order. A byte order mark overrides it. Without either, the position of NULs
    ///   decides, and otherwise the byte order of this machine.
    static func utf8(from bytes: [UInt8], order: ByteOrder?) throws(InvalidTextError) -> [UInt8] {
        let mark = mark(of: bytes)
        let start = mark == nil ? 0 : 2
        let order = mark ?? order ?? pattern(of: bytes[...]) ?? .native
        let end = bytes.count & ~1
        let (low, high) = order == .little ? (0, 1) : (1, 0)
        let span = bytes.span
        // A unit of two bytes becomes at most three bytes.
        let text = try [UInt8](capacity: (end - start) / 2 * 3) { output throws(InvalidTextError) in
            var index = start
            while index < end {
                let unit = UInt32(span[index + high]) << 8 | UInt32(span[index + low])
                index += 2
                if unit < 0x80 {
                    output.append(UInt8(unit))
                    continue
                }
                if let scalar = Unicode.Scalar(unit) {
                    output.append(scalar)
                    continue
                }
                guard unit < 0xDC00, index < end else { throw InvalidTextError(offset: index - 2) }
                let next = UInt32(span[index + high]) << 8 | UInt32(span[index + low])
                guard next & 0xFC00 == 0xDC00,
                    let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + next & 0x3FF)
                else { throw InvalidTextError(offset: index - 2) }
                output.append(scalar)
                index += 2
            }
        }
        guard end == bytes.count else { throw InvalidTextError(offset: end) }
        return text
    }

    /// Decodes text in the given byte order, without its byte order mark, and replaces each unpaired surrogate with
    /// U+FFFD. An odd byte at the end is ignored.
    package static func repaired(_ bytes: [UInt8], order: ByteOrder) -> String {
        let (low, high) = order == .little ? (0, 1) : (1, 0)
        let units = (0..<bytes.count / 2).lazy.map { index in
            UInt16(bytes[2 * index + high]) << 8 | UInt16(bytes[2 * index + low])
        }
        return String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
    }

    /// Returns the byte order that a byte order mark at the beginning declares.
    package static func mark(of bytes: [UInt8]) -> ByteOrder? {
        if bytes.starts(with: [0xFF, 0xFE]) { return .little }
        return bytes.starts(with: [0xFE, 0xFF]) ? .big : nil
    }

    /// Guesses the byte order from NULs in the first 4,096 bytes: the high byte of each ASCII character is NUL. The low
    /// byte of some other characters is also NUL, but rarely.
    ///
    /// - Returns: nil unless one side has more than three times as many NULs as the other.
    static func pattern(of bytes: ArraySlice<UInt8>) -> ByteOrder? {
        var nulls = (even: 0, odd: 0)
        for (index, byte) in bytes.prefix(4096).enumerated() where byte == 0 {
            if index.isMultiple(of: 2) { nulls.even += 1 } else { nulls.odd += 1 }
        }
        if nulls.odd > 3 * nulls.even { return .little }
        return nulls.even > 3 * nulls.odd ? .big : nil
    }
}

enum UTF32Text {
    /// Decodes text to UTF-8, and throws at the first invalid character.
    ///
    /// - Parameter order: The declared byte order. A byte order mark overrides it. Without either, the order in which
    ///   the first number is a character decides, and otherwise the byte order of this machine.
    static func utf8(from bytes: [UInt8], order: ByteOrder?) throws(InvalidTextError) -> [UInt8] {
        let mark = mark(of: bytes)
        let order = mark ?? order ?? guess(bytes)
        let end = bytes.count & ~3
        let text = try [UInt8](capacity: end) { output throws(InvalidTextError) in
            for index in stride(from: mark == nil ? 0 : 4, to: end, by: 4) {
                guard let scalar = Unicode.Scalar(number(in: bytes.span, at: index, order)) else {
                    throw InvalidTextError(offset: index)
                }
                output.append(scalar)
            }
        }
        guard end == bytes.count else { throw InvalidTextError(offset: end) }
        return text
    }

    /// Returns the byte order that a byte order mark at the beginning declares.
    static func mark(of bytes: [UInt8]) -> ByteOrder? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return .little }
        return bytes.starts(with: [0, 0, 0xFE, 0xFF]) ? .big : nil
    }

    private static func guess(_ bytes: [UInt8]) -> ByteOrder {
        guard bytes.count >= 4 else { return .native }
        let isLittle = Unicode.Scalar(number(in: bytes.span, at: 0, .little)) != nil
        let isBig = Unicode.Scalar(number(in: bytes.span, at: 0, .big)) != nil
        return isLittle == isBig ? .native : isLittle ? .little : .big
    }

    private static func number(in bytes: Span<UInt8>, at index: Int, _ order: ByteOrder) -> UInt32 {
        var number: UInt32 = 0
        for place in 0..<4 {
            number |= UInt32(bytes[index + place]) << UInt32(8 * (order == .little ? place : 3 - place))
        }
        return number
    }
}
