/// Paths in the two forms they have here: each ended by NUL, as the toolkits' programs and xargs(1) take them, and as URIs
/// (RFC 8089). They are bytes: a name need not be UTF-8.
enum FileURIs {
    /// The paths of a list in which each line is a URI, or a comment (RFC 2483, section 5).
    static func paths(in list: some Collection<UInt8>) -> [UInt8] {
        list.split { $0 == 0x0A || $0 == 0x0D }
            .filter { $0.first != UInt8(ascii: "#") }
            .flatMap { path(of: Array($0)) + [0] }
    }

    /// A line for each path.
    static func lines(of paths: [UInt8]) -> [String] {
        paths.split(separator: 0).map { "file://" + $0.map(escaped).joined() }
    }

    /// What is no file URI stays as it is, so that it is seen to differ.
    private static func path(of uri: [UInt8]) -> [UInt8] {
        let scheme = Array("file://".utf8)
        guard uri.starts(with: scheme) else { return uri }
        var rest = uri.dropFirst(scheme.count)
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
                path.append(value)
                rest.removeFirst(2)
            } else {
                path.append(byte)
            }
        }
        return path
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"):
            String(UnicodeScalar(byte))
        default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }
}
