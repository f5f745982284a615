/// The character encoding of HTML as it came, decided as a browser does where no header names one.
package enum HTMLEncoding: Equatable, Sendable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    /// `.windows1252` is ASCII and Latin-1 too: HTML takes all three for it.
    case codePage(CodePage)
    /// An encoding that the HTML names and this module cannot decode, in small letters: `shift_jis`.
    case other(String)

    /// A byte order mark; else the pattern of NULs of UTF-16, which old Firefox sends bare; else what a `meta` in the
    /// first 1,024 bytes says; else UTF-8 if the bytes are that, or else windows-1252.
    package init(detectedIn bytes: [UInt8]) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .utf8
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            self = .utf16LittleEndian
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            self = .utf16BigEndian
        } else if let wide = Self.bareUTF16(bytes) {
            self = wide
        } else if let named = MetaCharset.encoding(in: bytes.prefix(1024)) {
            self = named
        } else {
            self = UTF8Repair.isValid(bytes) ? .utf8 : .codePage(.windows1252)
        }
    }

    /// The bytes in UTF-8, without byte order mark. What is no character in this encoding becomes U+FFFD. Nil for
    /// ``other(_:)``.
    package func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .utf8:
            UTF8Repair.repaired(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        case .utf16LittleEndian: Self.decodedUTF16(bytes, highByte: 1)
        case .utf16BigEndian: Self.decodedUTF16(bytes, highByte: 0)
        case .codePage(let page): page.decoded(bytes[...])
        case .other: nil
        }
    }

    /// HTML in UTF-8 that says so: where a `meta` names the encoding it had before, it names UTF-8 now.
    package static func declaringUTF8(_ bytes: [UInt8]) -> [UInt8] {
        guard let range = MetaCharset.labelRange(in: bytes) else { return bytes }
        return bytes[..<range.lowerBound] + Array("utf-8".utf8) + bytes[range.upperBound...]
    }

    /// The HTML without the `meta` that Firefox puts before what it copies.
    package static func withoutMetaPrefix(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: firefoxPrefix) ? bytes.dropFirst(firefoxPrefix.count) : bytes[...]
    }

    private static let firefoxPrefix = Array(
        #"<meta http-equiv="content-type" content="text/html; charset=utf-8">"#.utf8)

    /// Markup is ASCII, so half of its bytes are NUL in UTF-16, on one side. One NUL alone ends some programs' UTF-8.
    private static func bareUTF16(_ bytes: [UInt8]) -> Self? {
        let pairs = min(bytes.count, 1024) / 2
        guard pairs > 1 || bytes.count == 2 else { return nil }
        var zeros = (even: 0, odd: 0)
        for pair in 0..<pairs {
            if bytes[2 * pair] == 0 { zeros.even += 1 }
            if bytes[2 * pair + 1] == 0 { zeros.odd += 1 }
        }
        let enough = max(pairs / 8, min(pairs, 2))
        if zeros.odd >= enough, zeros.even * 4 <= zeros.odd { return .utf16LittleEndian }
        if zeros.even >= enough, zeros.odd * 4 <= zeros.even { return .utf16BigEndian }
        return nil
    }

    private static func decodedUTF16(_ bytes: [UInt8], highByte: Int) -> [UInt8] {
        let units = (0..<bytes.count / 2).lazy.map { pair in
            UInt16(bytes[2 * pair + highByte]) << 8 | UInt16(bytes[2 * pair + 1 - highByte])
        }
        let text = String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
        // A half of a unit at the end is the rest of a character.
        return Array(text.utf8) + (bytes.count.isMultiple(of: 2) ? [] : UTF8Repair.replacement)
    }
}
