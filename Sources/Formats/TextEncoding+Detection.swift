extension TextEncoding {
    /// What the bytes say of their own encoding: by a byte order mark, or by the NULs that UTF-16 has beside each ASCII
    /// character. Nil when they say nothing, as most UTF-8 does.
    package static func detected(in bytes: [UInt8]) -> TextEncoding? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        // Before UTF-16, whose little-endian mark begins the one of UTF-32. No text begins with a NUL character.
        if bytes.count.isMultiple(of: 4), let order = UTF32Text.mark(of: bytes) { return .utf32(order) }
        if let order = UTF16Text.mark(of: bytes) { return .utf16(order) }
        // A NUL that ends a C string is no sign of UTF-16.
        guard bytes.count.isMultiple(of: 2), let order = UTF16Text.pattern(of: bytes.dropLast(2)) else { return nil }
        return .utf16(order)
    }
}
