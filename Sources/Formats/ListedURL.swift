/// One URL of a list.
package enum ListedURL: Hashable, Sendable {
    /// A file of this machine.
    case file(FileURL)
    /// Any other URL, a file of another machine too. It has a scheme, and no control character and no space.
    case other(String)

    /// Reads a line of a list, or a target that is one URL. White space and NULs around it are left out. Bytes that are
    /// no UTF-8, spaces and control characters become escapes. A path without a scheme is a file, byte by byte.
    ///
    /// - Parameter host: The name of this machine.
    /// - Returns: nil for what is neither a URL nor an absolute path.
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

    package init?(_ url: String, host: String? = nil) {
        self.init(url.utf8, host: host)
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

    /// RFC 3986, section 3.1: a letter, then letters, digits, `+`, `-` and `.`, up to a colon with something behind it.
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
        let isUTF8 = (try? UTF8Span(validating: url.span)) != nil
        let bytes = PercentEncoding.encode(url) { $0 > 0x20 && $0 < 0x7F || isUTF8 && $0 >= 0x80 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
