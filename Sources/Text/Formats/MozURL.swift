/// The targets that browsers use for links: `text/x-moz-url`, `text/x-moz-url-data`, `text/x-moz-url-desc` and
/// `_NETSCAPE_URL`. Invalid text is repaired with U+FFFD.
package enum MozURL {
    /// Reads `text/x-moz-url`: UTF-16 text in which lines with a URL and lines with a title alternate. Qt and Chromium
    /// write one pair, Firefox several.
    ///
    /// The usual form is UTF-16LE without a byte order mark. A mark is obeyed, and an odd byte at the end is ignored. A
    /// URL begins with an ASCII character; without a mark, its two bytes reveal the byte order, or the 8-bit text that
    /// some programs write.
    package static func links(in bytes: [UInt8]) -> [TitledURL] { TitledURL.pairs(in: text(ofURL: bytes)) }

    /// Returns links as `text/x-moz-url`.
    package static func bytes(of links: [TitledURL]) -> [UInt8] {
        links.map(\.lines).joined(separator: "\n").utf16.flatMap { unit -> [UInt8] in
            [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
    }

    /// Reads `text/x-moz-url-data`, which is the URL alone; nil if it is empty.
    package static func url(in data: [UInt8]) -> String? { links(in: data).first?.url }

    /// Reads `text/x-moz-url-desc`, which is the title alone; nil if it is empty.
    ///
    /// The text is UTF-16LE unless a byte order mark or the NULs of its ASCII characters indicate otherwise. It is read
    /// as UTF-8 only if its length is odd and it has no NUL, because text of an even length may always be UTF-16.
    package static func title(in description: [UInt8]) -> String? {
        let text: String
        if !description.count.isMultiple(of: 2), !description.contains(0), UTF8Text.isValid(description) {
            text = String(decoding: description, as: UTF8.self)
        } else {
            let order = UTF16Text.mark(of: description) ?? UTF16Text.pattern(of: description[...]) ?? .little
            text = UTF16Text.repaired(description, order: order)
        }
        return TitledURL.pairs(in: "title:\n" + text).first?.title
    }

    /// Reads `_NETSCAPE_URL`: the URL and the title, one line each, in UTF-8 or else Latin-1. Nil if there is no URL.
    package static func link(inNetscape bytes: [UInt8]) -> TitledURL? { TitledURL.pairs(in: utf8OrLatin1(bytes)).first }

    /// Returns a link as `_NETSCAPE_URL`, in UTF-8.
    package static func netscapeBytes(of link: TitledURL) -> [UInt8] { Array(link.lines.utf8) }

    private static func text(ofURL bytes: [UInt8]) -> String {
        if let mark = UTF16Text.mark(of: bytes) { return UTF16Text.repaired(bytes, order: mark) }
        guard bytes.count > 1 else { return utf8OrLatin1(bytes) }
        switch (bytes[0] == 0, bytes[1] == 0) {
        case (false, false): return utf8OrLatin1(bytes)
        case (true, false): return UTF16Text.repaired(bytes, order: .big)
        case (_, true): return UTF16Text.repaired(bytes, order: .little)
        }
    }

    private static func utf8OrLatin1(_ bytes: [UInt8]) -> String {
        let text = UTF8Text.withoutMark(bytes)
        return String(decoding: UTF8Text.isValid(text) ? text : SingleByteText.utf8(fromLatin1: text), as: UTF8.self)
    }
}

/// A link: a URL, and the title that a program displayed for it. Each is one line.
package struct TitledURL: Hashable, Sendable {
    /// The URL as it was written, which may be invalid. ``ListedURL`` distinguishes files from other URLs.
    package let url: String
    /// The title, which is never empty.
    package let title: String?

    /// Removes ASCII white space and the control characters below U+0020 from both ends of the URL and the title. Line
    /// breaks and NULs, which have no meaning in a URL, are removed there; in the title, each becomes a space.
    ///
    /// - Returns: nil if the URL then does not begin with an ASCII character.
    package init?(url: String, title: String? = nil) {
        let url = Self.trimmed(url.unicodeScalars.filter { !Self.isBreakOrNUL($0) })
        guard let first = url.first, first.isASCII else { return nil }
        self.url = String(url)
        let words = (title ?? "").unicodeScalars.map { Self.isBreakOrNUL($0) ? " " : $0 }
        let line = Self.trimmed(String.UnicodeScalarView(words))
        self.title = line.isEmpty ? nil : String(line)
    }

    /// Parses text in which a line with a title follows each line with a URL. An empty title, or a missing last title,
    /// is nil. Pairs without a URL are left out.
    static func pairs(in text: String) -> [TitledURL] {
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }.map(String.init)
        return stride(from: 0, to: lines.count, by: 2).compactMap { index in
            TitledURL(url: lines[index], title: index + 1 < lines.count ? lines[index + 1] : nil)
        }
    }

    /// The URL and the title, one line each. Without a title, the second line is empty.
    var lines: String { url + "\n" + (title ?? "") }

    private static func isBreakOrNUL(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\0"
    }

    private static func trimmed(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView.SubSequence {
        var text = text[...]
        while let first = text.first, first.value <= 0x20 { text.removeFirst() }
        while let last = text.last, last.value <= 0x20 { text.removeLast() }
        return text
    }
}
