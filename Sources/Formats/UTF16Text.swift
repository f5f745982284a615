/// Texts in UTF-16.
enum UTF16Text {
    /// - Parameter order: The order that the text is said to have. Its mark is stronger; where both are missing the place
    ///   of the NULs tells, else it is the machine's.
    static func utf8(from bytes: [UInt8], order: ByteOrder?) throws(InvalidTextError) -> [UInt8] {
        let mark = mark(of: bytes)
        let start = mark == nil ? 0 : 2
        let order = mark ?? order ?? pattern(of: bytes[...]) ?? .native
        let end = bytes.count & ~1
        let (low, high) = order == .little ? (0, 1) : (1, 0)
        let span = bytes.span
        // A unit of two bytes becomes three at most.
        let text = try [UInt8](capacity: (end - start) / 2 * 3) { output throws(InvalidTextError) in
            var index = start
            while index < end {
                let unit = UInt32(span[index + high]) << 8 | UInt32(span[index + low])
                if unit < 0x80 {
                    output.append(UInt8(unit))
                    index += 2
                } else if let scalar = Unicode.Scalar(unit) {
                    output.append(scalar)
                    index += 2
                } else {
                    guard unit < 0xDC00, index + 2 < end else { throw InvalidTextError(offset: index) }
                    let next = UInt32(span[index + 2 + high]) << 8 | UInt32(span[index + 2 + low])
                    guard next & 0xFC00 == 0xDC00,
                        let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + next & 0x3FF)
                    else { throw InvalidTextError(offset: index) }
                    output.append(scalar)
                    index += 4
                }
            }
        }
        guard end == bytes.count else { throw InvalidTextError(offset: end) }
        return text
    }

    static func mark(of bytes: [UInt8]) -> ByteOrder? {
        if bytes.starts(with: [0xFF, 0xFE]) { return .little }
        return bytes.starts(with: [0xFE, 0xFF]) ? .big : nil
    }

    /// The order that the NULs of ASCII characters show: they are the high bytes. Low bytes are NUL as well in some
    /// characters, though rarely. Nil when there are none, or too few more on one side. Only the first bytes are looked at.
    static func pattern(of bytes: ArraySlice<UInt8>) -> ByteOrder? {
        var nulls = (even: 0, odd: 0)
        for (index, byte) in bytes.prefix(4096).enumerated() where byte == 0 {
            if index.isMultiple(of: 2) { nulls.even += 1 } else { nulls.odd += 1 }
        }
        if nulls.odd > 3 * nulls.even { return .little }
        return nulls.even > 3 * nulls.odd ? .big : nil
    }
}
