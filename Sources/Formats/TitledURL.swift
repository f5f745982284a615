/// A link: a URL and the title that a program showed for it. Each is one line.
package struct TitledURL: Hashable, Sendable {
    /// As it was written, which may be no valid URL; ``ListedURL`` tells a file from others.
    package let url: String
    /// Never empty.
    package let title: String?

    /// White space and control characters at both ends are left out of both, and line breaks out of the URL, where they
    /// mean nothing; in the title each becomes a space. Nil when the URL does not begin with an ASCII character then.
    package init?(url: String, title: String? = nil) {
        let url = Self.trimmed(url.unicodeScalars.filter { !Self.isBreak($0) })
        guard let first = url.first, first.isASCII else { return nil }
        self.url = String(url)
        let words = (title ?? "").unicodeScalars.map { Self.isBreak($0) ? " " : $0 }
        let line = Self.trimmed(String.UnicodeScalarView(words))
        self.title = line.isEmpty ? nil : String(line)
    }

    /// Takes a text apart in which a line with a title stands behind each line with a URL; empty titles, and the last
    /// missing, are no titles. Pairs without a URL are left out.
    static func pairs(in text: String) -> [TitledURL] {
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }.map(String.init)
        return stride(from: 0, to: lines.count, by: 2).compactMap { index in
            TitledURL(url: lines[index], title: index + 1 < lines.count ? lines[index + 1] : nil)
        }
    }

    /// The URL and the title, a line each; the title's line is there without a title as well.
    var lines: String { url + "\n" + (title ?? "") }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" || scalar == "\0" }

    private static func trimmed(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView.SubSequence {
        var text = text[...]
        while let first = text.first, first.value <= 0x20 { text.removeFirst() }
        while let last = text.last, last.value <= 0x20 { text.removeLast() }
        return text
    }
}
