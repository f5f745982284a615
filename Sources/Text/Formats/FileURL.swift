/// The URL of a file on this machine (RFC 8089). The path is a sequence of bytes in no particular encoding.
package struct FileURL: Hashable, Sendable {
    /// The absolute path, normalized: it contains no NUL, no empty component and no component `.`. A component `..`
    /// stays, because the component before it may be a symbolic link, whose parent is elsewhere.
    package let path: [UInt8]

    /// Normalizes `path`. Returns nil if the path does not begin with a slash, or contains a NUL.
    package init?(path: some Collection<UInt8>) {
        guard path.first == Self.slash, !path.contains(0) else { return nil }
        let components = path.split(separator: Self.slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
        var normalized: [UInt8] = []
        normalized.reserveCapacity(path.count)
        for component in components {
            normalized.append(Self.slash)
            normalized += component
        }
        self.path = normalized.isEmpty ? [Self.slash] : normalized
    }

    /// Reads the spellings that programs write: `file:///path`, `file:/path`, `file://localhost/path` and
    /// `file://host/path`, with the scheme in any case and the path escaped or not. A query and a fragment are ignored.
    ///
    /// - Parameter host: The name of this machine, which a URL may use instead of `localhost`.
    /// - Returns: nil for another scheme, a relative path, a file on another machine, and an escaped NUL, which no
    ///   filename can contain. An escaped slash is a separator like any other: Wine escapes every byte of a path.
    package init?(_ url: some Collection<UInt8>, host: String? = nil) {
        let url = Array(url)
        guard Self.isFileURL(url) else { return nil }
        var rest = url[Self.scheme.count...]
        if rest.starts(with: [Self.slash, Self.slash]) {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != Self.slash }
            guard
                authority.isEmpty || Self.isSame(authority, "localhost")
                    || host.map({ Self.isSame(authority, $0) }) == true
            else { return nil }
            rest = rest.dropFirst(authority.count)
        }
        rest = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        self.init(path: PercentEncoding.decode(rest))
    }

    /// Reads the targets FILE_NAME and FILE: paths, each with or without a terminating NUL, or a URL, which GNUstep
    /// sends. Java sends several paths in one target.
    package static func list(fileName bytes: [UInt8], host: String? = nil) -> [FileURL] {
        bytes.split(separator: 0).compactMap { isFileURL($0) ? FileURL($0, host: host) : FileURL(path: $0) }
    }

    /// The URL in ASCII. Every byte that is neither unreserved nor a slash is escaped.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    package var bytes: [UInt8] {
        Array("file://".utf8) + PercentEncoding.encode(path) { $0 == Self.slash || PercentEncoding.isUnreserved($0) }
    }

    /// Returns true if the scheme is `file`. The rest of the URL is not examined.
    static func isFileURL(_ url: some Collection<UInt8>) -> Bool { isSame(url.prefix(scheme.count), scheme) }

    private static let scheme = "file:"
    private static let slash = UInt8(ascii: "/")

    /// Compares without regard to the case of ASCII letters.
    private static func isSame(_ bytes: some Collection<UInt8>, _ text: String) -> Bool {
        bytes.elementsEqual(text.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }
}

/// Percent-encoding of bytes (RFC 3986, section 2.1).
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Escapes the bytes for which `isLiteral` returns false.
    static func encode(_ bytes: some Sequence<UInt8>, keeping isLiteral: (UInt8) -> Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isLiteral(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return result
    }

    /// Decodes escapes. A percent sign without two hexadecimal digits after it is kept, because some programs write
    /// filenames unescaped.
    static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), bytes.endIndex - index > 2,
                let high = bytes[index + 1].hexDigitValue, let low = bytes[index + 2].hexDigitValue
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Returns true if a URL may always contain the byte unescaped (RFC 3986, section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
    }
}
