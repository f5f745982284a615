/// The targets that browsers have for links. Of bytes that are no text the bad ones are replaced by U+FFFD.
package enum MozURL {
    /// Reads `text/x-moz-url`: UTF-16 with lines of URLs and titles by turns. Qt and Chromium write one pair, Firefox
    /// several.
    ///
    /// UTF-16LE without a mark is the rule; a mark is obeyed, an odd byte at the end is left out. A URL begins with an
    /// ASCII character, whose two bytes tell the order where there is no mark, and tell 8-bit text, which some write.
    package static func links(in bytes: [UInt8]) -> [TitledURL] { TitledURL.pairs(in: text(ofURL: bytes)) }

    /// Links as `text/x-moz-url`.
    package static func bytes(of links: [TitledURL]) -> [UInt8] {
        utf16(links.map(\.lines).joined(separator: "\n"))
    }

    /// Reads `text/x-moz-url-data`, the URL alone; nil when it is empty.
    package static func url(in data: [UInt8]) -> String? { links(in: data).first?.url }

    /// A URL as `text/x-moz-url-data`, or a title as `text/x-moz-url-desc`.
    package static func bytes(of text: String) -> [UInt8] { utf16(text) }

    /// Reads `text/x-moz-url-desc`, the title alone; nil when it is empty. It is UTF-16LE unless a mark or the NULs of
    /// its ASCII characters say otherwise; it is UTF-8 only where its length is odd, as any two bytes are a character.
    package static func title(in description: [UInt8]) -> String? {
        let text: String
        if !description.count.isMultiple(of: 2), !description.contains(0), UTF8Text.isValid(description) {
            text = String(decoding: description, as: UTF8.self)
        } else {
            text = wide(
                description, UTF16Text.mark(of: description) ?? UTF16Text.pattern(of: description[...]) ?? .little)
        }
        return TitledURL.pairs(in: "title:\n" + text).first?.title
    }

    /// Reads `_NETSCAPE_URL`: the URL and the title, a line each, in UTF-8 or else Latin-1. Nil when there is no URL.
    package static func link(inNetscape bytes: [UInt8]) -> TitledURL? { TitledURL.pairs(in: narrow(bytes)).first }

    /// A link as `_NETSCAPE_URL`, in UTF-8.
    package static func netscapeBytes(of link: TitledURL) -> [UInt8] { Array(link.lines.utf8) }

    private static func text(ofURL bytes: [UInt8]) -> String {
        if let mark = UTF16Text.mark(of: bytes) { return wide(bytes, mark) }
        guard bytes.count > 1 else { return narrow(bytes) }
        switch (bytes[0] == 0, bytes[1] == 0) {
        case (false, false): return narrow(bytes)
        case (true, false): return wide(bytes, .big)
        case (_, true): return wide(bytes, .little)
        }
    }

    private static func wide(_ bytes: [UInt8], _ order: ByteOrder) -> String {
        let (low, high) = order == .little ? (0, 1) : (1, 0)
        let units = stride(from: UTF16Text.mark(of: bytes) == nil ? 0 : 2, to: bytes.count & ~1, by: 2).map { index in
            UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + low])
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func narrow(_ bytes: [UInt8]) -> String {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        return String(decoding: UTF8Text.isValid(text) ? text : SingleByteText.utf8(fromLatin1: text), as: UTF8.self)
    }

    private static func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    }
}
