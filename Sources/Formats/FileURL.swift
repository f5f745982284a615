/// The URL of a file of this machine (RFC 8089). A path is bytes, in no encoding.
package struct FileURL: Hashable, Sendable {
    /// It begins with a slash and has no NUL, no empty part and no part `.`; a part `..` stays, as a link before it leads
    /// elsewhere than to the folder around it.
    package let path: [UInt8]

    /// Nil when the path does not begin with a slash, or has a NUL.
    package init?(path: some Collection<UInt8>) {
        guard path.first == Self.slash, !path.contains(0) else { return nil }
        let parts = path.split(separator: Self.slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
        var normalized: [UInt8] = []
        normalized.reserveCapacity(path.count)
        for part in parts {
            normalized.append(Self.slash)
            normalized += part
        }
        self.path = normalized.isEmpty ? [Self.slash] : normalized
    }

    /// Reads what programs write: `file:///path`, `file:/path`, `file://localhost/path`, `file://host/path`, the scheme
    /// in any case, the path escaped or not. A query and a fragment are no part of the path.
    ///
    /// - Parameter host: The name of this machine, by which it may call itself in a URL.
    /// - Returns: nil for another scheme, a relative path, another machine, and an escaped NUL or slash: no file's name
    ///   has one.
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
        let parts = rest.split(separator: Self.slash, omittingEmptySubsequences: false).map(PercentEncoding.decode)
        guard !parts.contains(where: { $0.contains(Self.slash) }) else { return nil }
        self.init(path: Array(parts.joined(separator: [Self.slash])))
    }

    package init?(_ url: String, host: String? = nil) {
        self.init(url.utf8, host: host)
    }

    /// Reads FILE_NAME and FILE: a path, ended by a NUL or not, or a URL, which GNUstep sends.
    package init?(fileName: some Collection<UInt8>, host: String? = nil) {
        let name = Array(fileName.prefix { $0 != 0 })
        guard let file = Self.isFileURL(name) ? Self(name, host: host) : Self(path: name) else {
            return nil
        }
        self = file
    }

    /// The URL, in ASCII: every byte that is not unreserved is escaped.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The characters of the URL.
    package var bytes: [UInt8] {
        Array("file://".utf8) + PercentEncoding.encode(path) { $0 == Self.slash || PercentEncoding.isUnreserved($0) }
    }

    /// Whether the scheme is `file`, be the rest what it may.
    static func isFileURL(_ url: some Collection<UInt8>) -> Bool { isSame(url.prefix(scheme.count), scheme) }

    private static let scheme = "file:"
    private static let slash = UInt8(ascii: "/")

    /// Compares without regard to the case of ASCII letters.
    private static func isSame(_ bytes: some Collection<UInt8>, _ text: String) -> Bool {
        bytes.elementsEqual(text.utf8) { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
