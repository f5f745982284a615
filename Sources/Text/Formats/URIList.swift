/// `text/uri-list` (RFC 2483, section 5): one URL per line, each line ended by CRLF. Lines that begin with `#` are
/// comments.
package struct URIList: Hashable, Sendable {
    package var urls: [ListedURL]

    package init(_ urls: [ListedURL]) {
        self.urls = urls
    }

    /// Reads a list from any bytes. Lines that are neither a URL nor an absolute path are left out.
    ///
    /// - Parameter host: The name of this machine, which the URL of a file may use instead of `localhost`.
    package init(_ bytes: [UInt8], host: String? = nil) {
        urls = Lines.of(bytes).filter { $0.first != UInt8(ascii: "#") }.compactMap { ListedURL($0, host: host) }
    }

    package var bytes: [UInt8] {
        urls.flatMap { Array($0.string.utf8) + [0x0D, 0x0A] }
    }
}

/// One URL of a list.
package enum ListedURL: Hashable, Sendable {
    /// A file on this machine.
    case file(FileURL)
    /// Any other URL, including a file on another machine. It has a scheme, and contains no space or control character.
    case other(String)

    /// Reads one line of a list, or a target that holds one URL. White space and NULs at both ends are ignored. Spaces,
    /// control characters and bytes that are not UTF-8 are escaped. A path without a scheme is read as a file, byte for
    /// byte.
    ///
    /// - Parameter host: The name of this machine.
    /// - Returns: nil if the line is neither a URL nor an absolute path.
    package init?(_ line: some BidirectionalCollection<UInt8>, host: String? = nil) {
        let text = Self.trimmed(line)
        if let file = text.first == UInt8(ascii: "/") ? FileURL(path: text) : FileURL(text, host: host) {
            self = .file(file)
        } else if Self.hasScheme(text) {
            self = .other(Self.escaped(text))
        } else {
            return nil
        }
    }

    package var string: String {
        switch self {
        case .file(let file): file.string
        case .other(let url): url
        }
    }

    private static func trimmed(_ line: some BidirectionalCollection<UInt8>) -> [UInt8] {
        var rest = line[...]
        while let first = rest.first, first <= 0x20 { rest = rest.dropFirst() }
        while let last = rest.last, last <= 0x20 { rest = rest.dropLast() }
        return Array(rest)
    }

    /// Returns true if a scheme (RFC 3986, section 3.1), a colon and at least one more byte begin the URL. A scheme is
    /// a letter, followed by letters, digits, `+`, `-` and `.`.
    private static func hasScheme(_ url: [UInt8]) -> Bool {
        for (index, byte) in url.enumerated() {
            switch byte {
            case 0x41...0x5A, 0x61...0x7A: continue
            case 0x30...0x39, 0x2B, 0x2D, 0x2E: if index == 0 { return false }
            case 0x3A: return index > 0 && index + 1 < url.count
            default: return false
            }
        }
        return false
    }

    private static func escaped(_ url: [UInt8]) -> String {
        let isUTF8 = UTF8Text.isValid(url)
        let bytes = PercentEncoding.encode(url) { $0 > 0x20 && $0 < 0x7F || isUTF8 && $0 >= 0x80 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The division of bytes into lines.
enum Lines {
    /// Returns the lines that are not empty. CR, LF and NUL each end a line: programs write CRLF as specified, or LF
    /// alone, and C programs add a NUL at the end or between two lines.
    static func of(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }
}
