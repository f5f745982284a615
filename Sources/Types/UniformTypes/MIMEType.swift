/// A parsed MIME type (RFC 2045, section 5.1): `type/subtype`, followed by parameters after semicolons.
package struct MIMEType: Sendable {
    /// The `type/subtype`, in lower case.
    package let essence: String
    /// The complete MIME type in lower case, without spaces around its parts: `text/plain;charset=utf-8`. Spaces and
    /// semicolons in quotation marks are kept.
    package let normalized: String
    /// The maximum length, in bytes.
    static let maxLength = 1024

    /// Parses a string.
    ///
    /// - Returns: nil if the string does not have the form `type/subtype`, in which both parts are one or more token
    ///   characters.
    package init?(_ string: String) {
        let bytes = string.utf8
        guard bytes.count <= Self.maxLength, bytes.contains(UInt8(ascii: "/")),
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

    /// The value of the parameter `charset`, in lower case, without quotation marks.
    package var charset: String? {
        guard normalized.utf8.count > essence.utf8.count else { return nil }
        return Self.parts(of: normalized[...]).first { $0.utf8.starts(with: "charset=".utf8) }.map { parameter in
            String(decoding: parameter.utf8.dropFirst("charset=".utf8.count).filter { $0 != 0x22 }, as: UTF8.self)
        }
    }

    /// Returns true if a MIME type has no capitals, so that lower case preserves it. Parameters may contain letters
    /// beyond ASCII.
    static func isLowercased(_ string: String) -> Bool {
        string.utf8.allSatisfy { $0 < 0x80 && $0 == $0.asciiLowercased } || string.lowercased().isExactly(string)
    }

    /// Returns the parts between semicolons, in lower case, without spaces around them.
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

    /// Returns true if a byte is a visible ASCII character other than the separators of RFC 2045.
    private static func isToken(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?=".utf8.contains(byte)
    }
}

/// A numbered custom format of a web page: `application/web;type="custom/format0"` on Linux, and
/// `org.w3.web-custom-format.type-0` on Apple's systems (W3C Clipboard API, "web custom formats").
struct WebCustomFormat {
    /// The number in decimal digits, without leading zeros.
    private let number: String

    var identifier: String { Self.identifierPrefix + number }
    var mimeType: String { Self.mimePrefix + number + "\"" }

    /// Parses an identifier in lower case.
    init?(key: String) {
        self.init(number: key.utf8, after: Self.identifierPrefix)
    }

    /// Parses a normalized MIME type.
    init?(mimeType normalized: String) {
        guard normalized.utf8.last == UInt8(ascii: "\"") else { return nil }
        self.init(number: normalized.utf8.dropLast(), after: Self.mimePrefix)
    }

    private init?(number bytes: some Collection<UInt8>, after prefix: String) {
        guard bytes.starts(with: prefix.utf8) else { return nil }
        let digits = bytes.dropFirst(prefix.utf8.count)
        guard (1...9).contains(digits.count), digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        number = String(decoding: digits, as: UTF8.self)
    }

    private static var identifierPrefix: String { "org.w3.web-custom-format.type-" }
    private static var mimePrefix: String { "application/web;type=\"custom/format" }
}
