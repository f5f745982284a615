/// A MIME type taken apart (RFC 2045): `type/subtype`, then parameters behind semicolons.
struct MIMEType: Sendable {
    /// `type/subtype`, in small letters.
    let essence: String
    /// In small letters, with what stands between the parts removed: `text/plain;charset=utf-8`.
    let normalized: String
    /// The value of the parameter `charset`, in small letters, without quotes.
    let charset: String?

    /// Nil when the string is not of that form: each half of the essence is one or more token characters.
    init?(_ string: String) {
        guard string.utf8.count <= 1024 else { return nil }
        let parts = string.split(separator: ";", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        let halves = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isToken) }),
            string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        essence = parts[0].lowercased()
        normalized = parts.map { $0.lowercased() }.joined(separator: ";")
        charset = parts.dropFirst().lazy
            .map { $0.lowercased() }
            .first { $0.hasPrefix("charset=") }
            .map { $0.dropFirst("charset=".count).filter { $0 != "\"" } }
    }

    /// RFC 2045, section 5.1: any visible ASCII character but the separators.
    private static func isToken(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?=".utf8.contains(byte)
    }

    private static func trimmed(_ part: Substring) -> Substring {
        var part = part
        while part.first == " " { part.removeFirst() }
        while part.last == " " { part.removeLast() }
        return part
    }
}
