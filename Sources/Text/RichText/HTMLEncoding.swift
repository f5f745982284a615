package import Formats

/// The character encoding of HTML, detected as in a browser for a page without an HTTP header.
package enum HTMLEncoding: Equatable, Sendable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    /// A single-byte encoding. ASCII and Latin-1 are `.windows1252`, as in HTML.
    case codePage(CodePage)
    /// An encoding that the HTML declares and this module cannot decode, in lower case, such as `shift_jis`.
    case other(String)

    /// Detects the encoding from the first of these that applies: a byte order mark; the NULs of UTF-16, which old
    /// versions of Firefox send without a mark; a `meta` in the first 1,024 bytes; UTF-8 if the bytes are valid UTF-8;
    /// otherwise windows-1252.
    package init(detectedIn bytes: [UInt8]) {
        if UTF8Text.hasMark(bytes) {
            self = .utf8
        } else if let order = UTF16Text.mark(of: bytes) ?? Self.unmarkedUTF16(bytes) {
            self = order == .little ? .utf16LittleEndian : .utf16BigEndian
        } else if let declared = MetaCharset.encoding(in: bytes.prefix(MetaCharset.prefixLength)) {
            self = declared
        } else {
            self = UTF8Text.isValid(bytes) ? .utf8 : .codePage(.windows1252)
        }
    }

    /// Returns the bytes in UTF-8, without a byte order mark, and with U+FFFD for invalid characters. Nil for
    /// ``other(_:)``.
    package func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .utf8: UTF8Text.repaired(UTF8Text.withoutMark(bytes))
        case .utf16LittleEndian: Self.decodedUTF16(bytes, .little)
        case .utf16BigEndian: Self.decodedUTF16(bytes, .big)
        case .codePage(let page): page.decoded(bytes[...])
        case .other: nil
        }
    }

    /// Replaces the encoding that a `meta` declares with UTF-8, in HTML that has been converted to UTF-8.
    package static func declaringUTF8(_ bytes: [UInt8]) -> [UInt8] {
        guard let range = MetaCharset.labelRange(in: bytes) else { return bytes }
        return bytes[..<range.lowerBound] + Array("utf-8".utf8) + bytes[range.upperBound...]
    }

    /// Returns the HTML without the `meta` that Firefox puts before copied HTML.
    package static func withoutMetaPrefix(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: firefoxPrefix) ? bytes.dropFirst(firefoxPrefix.count) : bytes[...]
    }

    private static let firefoxPrefix = Array(
        #"<meta http-equiv="content-type" content="text/html; charset=utf-8">"#.utf8)

    /// Detects UTF-16 without a byte order mark. Markup is ASCII, so half of its bytes are NUL in UTF-16, all at even
    /// or all at odd offsets. A single NUL is not enough: it ends the UTF-8 of some programs.
    private static func unmarkedUTF16(_ bytes: [UInt8]) -> ByteOrder? {
        let pairs = min(bytes.count, 1024) / 2
        guard pairs > 1 || bytes.count == 2 else { return nil }
        var zeros = (even: 0, odd: 0)
        for pair in 0..<pairs {
            if bytes[2 * pair] == 0 { zeros.even += 1 }
            if bytes[2 * pair + 1] == 0 { zeros.odd += 1 }
        }
        let enough = max(pairs / 8, min(pairs, 2))
        if zeros.odd >= enough, zeros.even * 4 <= zeros.odd { return .little }
        if zeros.even >= enough, zeros.odd * 4 <= zeros.even { return .big }
        return nil
    }

    /// Decodes UTF-16 to UTF-8. An odd byte at the end is the rest of a character, and becomes U+FFFD.
    private static func decodedUTF16(_ bytes: [UInt8], _ order: ByteOrder) -> [UInt8] {
        let text = Array(UTF16Text.repaired(bytes, order: order).utf8)
        return bytes.count.isMultiple(of: 2) ? text : text + UTF8Text.replacement
    }
}

// MARK: Labels

extension HTMLEncoding {
    /// Looks up an encoding label (WHATWG Encoding, section 4.2), in lower case; nil for an empty label. The charsets
    /// of ``TextEncoding`` count as labels too.
    init?(label: String) {
        guard !label.isEmpty else { return nil }
        switch TextEncoding(charset: label) {
        case .ascii, .latin1, .windows1252: self = .codePage(.windows1252)
        // HTML whose `meta` can be read byte by byte is not UTF-16, even if the label says so.
        case .utf8, .utf16: self = .utf8
        case .utf32, nil:
            if Self.unicodeLabels.contains(label) {
                self = .utf8
            } else {
                self = Self.codePages[label].map(Self.codePage) ?? .other(label)
            }
        }
    }

    private static let unicodeLabels: Set<String> = [
        "unicode11utf8", "x-unicode20utf8", "unicodefffe", "unicodefeff", "csunicode",
    ]

    private static let codePages: [String: CodePage] = {
        let aliases: [CodePage: String] = [
            .windows1252: "cp819 ibm819",
            .windows1254: "latin5 l5 iso-8859-9 iso8859-9 iso_8859-9 iso88599 iso-ir-148 csisolatin5",
            .windows874: "tis-620 iso-8859-11 iso8859-11 iso885911 dos-874",
            .macRoman: "macintosh mac x-mac-roman csmacintosh",
            .ibm437: "ibm437 cp437",
            .ibm850: "ibm850 cp850",
        ]
        var table: [String: CodePage] = [:]
        for (page, names) in aliases { for name in names.split(separator: " ") { table[String(name)] = page } }
        for page in CodePage.allCases where page.rawValue != 10000 {
            for prefix in ["windows-", "cp", "x-cp"] { table["\(prefix)\(page.rawValue)"] = page }
        }
        return table
    }()
}

// MARK: Declarations

/// The encoding that a `meta` at the beginning of HTML declares (WHATWG HTML, section 13.2.3.2).
private enum MetaCharset {
    /// The number of bytes that are searched for a `meta`.
    static let prefixLength = 1024

    static func encoding(in bytes: ArraySlice<UInt8>) -> HTMLEncoding? {
        var tokens = HTMLTokenizer(Array(bytes))
        while let token = tokens.next() {
            guard case .startTag(let tag) = token, tag.name == HTMLNames.meta else { continue }
            if let label = label(of: tag, in: tokens.bytes), let encoding = HTMLEncoding(label: label) {
                return encoding
            }
        }
        return nil
    }

    /// Returns the range of the label in the first `meta` that declares an encoding.
    static func labelRange(in bytes: [UInt8]) -> Range<Int>? {
        var tokens = HTMLTokenizer(Array(bytes.prefix(prefixLength)))
        while let token = tokens.next() {
            guard case .startTag(let tag) = token, tag.name == HTMLNames.meta,
                let label = label(of: tag, in: tokens.bytes), HTMLEncoding(label: label) != nil
            else { continue }
            return range(of: Array(label.utf8), inTagAt: tag.attributes, bytes)
        }
        return nil
    }

    /// Finds the label after `charset`, an equals sign and an optional quotation mark.
    private static func range(of label: [UInt8], inTagAt position: Int, _ bytes: [UInt8]) -> Range<Int>? {
        for start in position..<bytes.prefix(prefixLength).count
        where lowercased(bytes[start...].prefix(7)) == Array("charset".utf8) {
            let value =
                bytes[(start + 7)...].prefix(prefixLength)
                .firstIndex { !" \t\r\n=\"'".utf8.contains($0) } ?? bytes.endIndex
            if lowercased(bytes[value...].prefix(label.count)) == label { return value..<value + label.count }
        }
        return nil
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] { bytes.map(\.asciiLowercased) }

    private static func label(of tag: HTMLTag, in bytes: [UInt8]) -> String? {
        var isContentType = false
        var content: String?
        var attributes = HTMLAttributes(bytes, at: tag.attributes)
        while let attribute = attributes.next() {
            let value = attributes.value(attribute).lowercased()
            switch attribute.name {
            case MarkupName("charset"): return String(trimmed(value[...]))
            case MarkupName("http-equiv"): isContentType = value == "content-type"
            case MarkupName("content"): content = charset(inContent: value)
            default: break
            }
        }
        return isContentType ? content : nil
    }

    /// Returns the encoding that a content type names, as browsers find it: after `charset` anywhere, up to white space
    /// or a semicolon (WHATWG, "extracting a character encoding from a meta element").
    private static func charset(inContent content: String) -> String? {
        var rest = Array(content.utf8)[...]
        while let start = rest.indices.first(where: { rest[$0...].starts(with: "charset".utf8) }) {
            rest = rest[(start + 7)...].drop(while: \.isHTMLSpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isHTMLSpace)
            guard let quote = rest.first else { return nil }
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                let inner = rest.dropFirst()
                return inner.firstIndex(of: quote).map { String(decoding: inner[..<$0], as: UTF8.self) }
            }
            return String(decoding: rest.prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: ";") }, as: UTF8.self)
        }
        return nil
    }

    private static func trimmed(_ part: Substring) -> Substring {
        var part = part
        while let first = part.first, first.isWhitespace || first == "\"" || first == "'" { part.removeFirst() }
        while let last = part.last, last.isWhitespace || last == "\"" || last == "'" { part.removeLast() }
        return part
    }
}
