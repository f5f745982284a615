/// A text encoding that this module decodes. The C library knows more encodings, by name.
package enum TextEncoding: Hashable, Sendable {
    case utf8
    case ascii
    /// ISO 8859-1 with all 256 bytes, including the control characters from 0x80 to 0x9F.
    case latin1
    /// Windows-1252 as in the WHATWG Encoding Standard: the five bytes without a character are control characters.
    case windows1252
    /// UTF-16 in the given byte order, or nil if the bytes determine the order. A byte order mark overrides both.
    case utf16(ByteOrder?)
    /// UTF-32, with the byte order as in ``utf16(_:)``.
    case utf32(ByteOrder?)

    /// Looks up an IANA charset name, or one of its common aliases, in any case.
    ///
    /// - Returns: nil if this module does not decode the charset.
    package init?(charset: String) {
        guard let known = Self.charsets[charset.lowercased()] else { return nil }
        self = known
    }

    private static let charsets: [String: TextEncoding] = [
        "utf-8": .utf8, "utf8": .utf8, "unicode-1-1-utf-8": .utf8,
        "us-ascii": .ascii, "ascii": .ascii, "ansi_x3.4-1968": .ascii, "iso646-us": .ascii, "646": .ascii,
        "iso-8859-1": .latin1, "iso8859-1": .latin1, "iso_8859-1": .latin1, "iso88591": .latin1, "latin1": .latin1,
        "l1": .latin1,
        "windows-1252": .windows1252, "cp1252": .windows1252, "x-cp1252": .windows1252,
        "utf-16": .utf16(nil), "utf16": .utf16(nil), "iso-10646-ucs-2": .utf16(nil), "ucs-2": .utf16(nil),
        "unicode": .utf16(nil),
        "utf-16le": .utf16(.little), "utf16le": .utf16(.little), "ucs-2le": .utf16(.little),
        "utf-16be": .utf16(.big), "utf16be": .utf16(.big), "ucs-2be": .utf16(.big),
        "utf-32": .utf32(nil), "utf32": .utf32(nil), "iso-10646-ucs-4": .utf32(nil), "ucs-4": .utf32(nil),
        "utf-32le": .utf32(.little), "utf32le": .utf32(.little), "ucs-4le": .utf32(.little),
        "utf-32be": .utf32(.big), "utf32be": .utf32(.big), "ucs-4be": .utf32(.big),
    ]

    /// Detects an encoding from a byte order mark, or from the NUL that accompanies each ASCII character in UTF-16.
    ///
    /// - Returns: nil if the bytes have neither, like most UTF-8.
    package static func detected(in bytes: [UInt8]) -> TextEncoding? {
        if UTF8Text.hasMark(bytes) { return .utf8 }
        // UTF-32 is tested before UTF-16, because its little-endian mark begins with that of UTF-16. No text begins
        // with a NUL character.
        if bytes.count.isMultiple(of: 4), let order = UTF32Text.mark(of: bytes) { return .utf32(order) }
        if let order = UTF16Text.mark(of: bytes) { return .utf16(order) }
        // The last unit is not examined: the NUL that ends a C string does not indicate UTF-16.
        guard bytes.count.isMultiple(of: 2), let order = UTF16Text.pattern(of: bytes.dropLast(2)) else { return nil }
        // UTF-8 may contain NULs, as between the names of `find -print0`.
        if UTF8Text.isValid(bytes), !isMostlyASCII(bytes, order) { return nil }
        return .utf16(order)
    }

    /// Returns true if at least three of four units at the beginning are ASCII characters in UTF-16.
    private static func isMostlyASCII(_ bytes: [UInt8], _ order: ByteOrder) -> Bool {
        let units = min(bytes.count, 4_096) / 2
        let high = order == .little ? 1 : 0
        return (0..<units).count { bytes[2 * $0 + high] == 0 } * 4 >= 3 * units
    }

    /// Decodes text to UTF-8. Bytes that are already UTF-8 are returned unchanged. A byte order mark at the start of
    /// UTF-16 or UTF-32 is removed; one at the start of UTF-8 is kept.
    ///
    /// - Throws: ``InvalidTextError`` with the offset of the first bytes that are not text in this encoding.
    package func utf8(from bytes: [UInt8]) throws(InvalidTextError) -> [UInt8] {
        switch self {
        case .utf8: try UTF8Text.validated(bytes)
        case .ascii: try UTF8Text.validatedASCII(bytes)
        case .latin1: SingleByteText.utf8(fromLatin1: bytes)
        case .windows1252: SingleByteText.utf8(fromWindows1252: bytes)
        case .utf16(let order): try UTF16Text.utf8(from: bytes, order: order)
        case .utf32(let order): try UTF32Text.utf8(from: bytes, order: order)
        }
    }
}

/// The error for bytes that are not text in their declared encoding.
package struct InvalidTextError: Error, Hashable {
    /// The offset of the first invalid character, in bytes.
    package let offset: Int

    package init(offset: Int) {
        self.offset = offset
    }
}

package enum ByteOrder: Hashable, Sendable {
    /// The least significant byte comes first.
    case little
    /// The most significant byte comes first.
    case big

    package static var native: ByteOrder { UInt16(littleEndian: 1) == 1 ? .little : .big }
}
