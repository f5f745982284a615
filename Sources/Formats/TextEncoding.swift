/// An encoding of text that this module decodes. The C library knows more of them, by name.
package enum TextEncoding: Hashable, Sendable {
    case utf8
    case ascii
    /// ISO 8859-1, all 256 bytes of it.
    case latin1
    /// As the WHATWG Encoding Standard has it: the five bytes without a character are control characters.
    case windows1252
    /// UTF-16 in that order; nil where only its bytes tell. A byte order mark is stronger than either.
    case utf16(ByteOrder?)
    /// UTF-32, likewise.
    case utf32(ByteOrder?)

    /// The encoding of that name (IANA, in any case); nil for all those it does not know.
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

    /// The text in UTF-8: the same bytes where they are that already. A mark at the start of UTF-16 and UTF-32 is left
    /// out, one of UTF-8 stays.
    ///
    /// - Throws: ``InvalidTextError`` at the first bytes that are no text in this encoding.
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

/// The bytes are no text in the encoding they are said to have.
package struct InvalidTextError: Error, Hashable {
    /// Where the first character begins that is none, in bytes.
    package let offset: Int

    package init(offset: Int) {
        self.offset = offset
    }
}
