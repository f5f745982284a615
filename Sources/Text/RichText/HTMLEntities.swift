import Formats

/// Character references: `&eacute;`, `&#233;`, `&#xE9;` (WHATWG HTML, section 13.2.5.72).
package enum HTMLEntities {
    struct Decoded {
        let utf8: [UInt8]
        /// The index after the reference.
        let end: Int
    }

    /// Decodes the reference whose `&` is at `start`; nil if the ampersand begins no reference.
    ///
    /// In an attribute, a legacy name without its semicolon counts only if neither `=` nor a letter or digit follows,
    /// because `?a=1&copy=2` is an address.
    static func decode(_ bytes: ArraySlice<UInt8>, at start: Int, inAttribute: Bool = false) -> Decoded? {
        let index = start + 1
        guard index < bytes.endIndex else { return nil }
        return bytes[index] == UInt8(ascii: "#")
            ? number(bytes, from: index + 1) : name(bytes, from: index, inAttribute: inAttribute)
    }

    /// Returns the value of an attribute with its references decoded.
    package static func decoded(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.contains(UInt8(ascii: "&")) else { return value }
        var result: ArraySlice<UInt8> = []
        var index = value.startIndex
        while index < value.endIndex {
            if value[index] == UInt8(ascii: "&"), let found = decode(value, at: index, inAttribute: true) {
                result += found.utf8
                index = found.end
            } else {
                result.append(value[index])
                index += 1
            }
        }
        return result
    }

    private static func number(_ bytes: ArraySlice<UInt8>, from start: Int) -> Decoded? {
        var index = start
        var radix: UInt32 = 10
        if index < bytes.endIndex, bytes[index] | 0x20 == UInt8(ascii: "x") {
            radix = 16
            index += 1
        }
        let first = index
        var value: UInt32 = 0
        while index < bytes.endIndex, let digit = bytes[index].hexDigitValue, digit < radix {
            value = min(value * radix + UInt32(digit), 0x11_0000)
            index += 1
        }
        guard index > first else { return nil }
        if index < bytes.endIndex, bytes[index] == UInt8(ascii: ";") { index += 1 }
        return Decoded(utf8: character(value), end: index)
    }

    /// Returns the character of a number in UTF-8. Numbers from 128 to 159 are windows-1252. Zero, surrogates and
    /// numbers beyond Unicode become U+FFFD.
    private static func character(_ value: UInt32) -> [UInt8] {
        if value >= 0x80, value < 0xA0 {
            return (try? TextEncoding.windows1252.utf8(from: [UInt8(value)])) ?? UTF8Text.replacement
        }
        guard value != 0, let scalar = Unicode.Scalar(value) else { return UTF8Text.replacement }
        return Array(String(scalar).utf8)
    }

    private static func name(_ bytes: ArraySlice<UInt8>, from start: Int, inAttribute: Bool) -> Decoded? {
        var end = start
        while end < bytes.endIndex, end - start < HTMLEntityTable.maxNameLength,
            bytes[end].isASCIILetter || bytes[end].isASCIIDigit
        {
            end += 1
        }
        guard end > start else { return nil }
        if end < bytes.endIndex, bytes[end] == UInt8(ascii: ";"), let utf8 = utf8(of: bytes[start..<end]) {
            return Decoded(utf8: utf8, end: end + 1)
        }
        return legacyName(bytes[start..<end], in: bytes, inAttribute: inAttribute)
    }

    /// Decodes the longest legacy name at the beginning of `letters`: `&notit` is `¬it`.
    private static func legacyName(
        _ letters: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>, inAttribute: Bool
    ) -> Decoded? {
        for length in stride(from: min(letters.count, 6), through: 2, by: -1) {
            let name = letters.prefix(length)
            guard HTMLEntityTable.withoutSemicolon.contains(String(decoding: name, as: UTF8.self)) else { continue }
            if inAttribute, name.endIndex < bytes.endIndex {
                let next = bytes[name.endIndex]
                guard next != UInt8(ascii: "="), !next.isASCIILetter, !next.isASCIIDigit else { return nil }
            }
            return utf8(of: name).map { Decoded(utf8: $0, end: name.endIndex) }
        }
        return nil
    }

    private static func utf8(of name: ArraySlice<UInt8>) -> [UInt8]? {
        HTMLEntityTable.characters[String(decoding: name, as: UTF8.self)]
    }
}
