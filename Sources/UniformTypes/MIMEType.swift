/// A MIME type taken apart (RFC 2045, section 5.1): `type/subtype`, then parameters behind semicolons.
struct MIMEType: Sendable {
    /// `type/subtype`, in small letters.
    let essence: String
    /// In small letters, with the spaces around the parts removed: `text/plain;charset=utf-8`. What stands in quotes
    /// keeps its spaces and semicolons.
    let normalized: String
    /// A longest one, in bytes.
    static let maximumLength = 1024

    /// Nil when the string is not of that form: each half of the essence is one or more token characters.
    init?(_ string: String) {
        let bytes = string.utf8
        guard bytes.count <= Self.maximumLength, bytes.contains(UInt8(ascii: "/")),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else {
            essence = Self.trimmed(string[...]).asciiLowercased
            normalized = essence
            guard Self.isEssence(essence) else { return nil }
            return
        }
        essence = Self.trimmed(string[..<end]).asciiLowercased
        guard Self.isEssence(essence) else { return nil }
        normalized = ([essence] + Self.parts(of: string[bytes.index(after: end)...])).joined(separator: ";")
    }

    /// The value of the parameter `charset`, in small letters, without quotes.
    var charset: String? {
        guard normalized.utf8.count > essence.utf8.count else { return nil }
        return Self.parts(of: normalized[...]).first { $0.utf8.starts(with: "charset=".utf8) }.map { parameter in
            String(decoding: parameter.utf8.dropFirst("charset=".utf8.count).filter { $0 != 0x22 }, as: UTF8.self)
        }
    }

    /// Whether it is written without any capital, so that nothing is lost where letters are made small. Cased letters may
    /// stand in parameters.
    static func isLowercased(_ string: String) -> Bool {
        string.utf8.allSatisfy { $0 < 0x80 && $0 == $0.asciiLowercased } || string.lowercased().isExactly(string)
    }

    /// What stands between semicolons, in small letters, without the spaces around it.
    private static func parts(of string: Substring) -> [String] {
        let bytes = string.utf8
        var parts: [String] = []
        var start = bytes.startIndex
        var isQuoted = false
        func endPart(at end: String.Index) { parts.append(trimmed(string[start..<end]).asciiLowercased) }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted:
                endPart(at: index)
                start = bytes.index(after: index)
            default: break
            }
        }
        endPart(at: bytes.endIndex)
        return parts
    }

    private static func trimmed(_ part: Substring) -> String {
        var bytes = part.utf8
        while bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x20 { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private static func isEssence(_ string: String) -> Bool {
        var halves = 1
        var length = 0
        for byte in string.utf8 {
            if byte == UInt8(ascii: "/"), length > 0 {
                halves += 1
                length = 0
            } else if isToken(byte) {
                length += 1
            } else {
                return false
            }
        }
        return halves == 2 && length > 0
    }

    /// Any visible ASCII character but the separators.
    private static func isToken(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?=".utf8.contains(byte)
    }
}
