/// Operations on text in UTF-8, as bytes.
package enum UTF8Text {
    /// U+FFFD, which replaces invalid bytes.
    package static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    package static func isValid(_ bytes: [UInt8]) -> Bool { (try? validated(bytes)) != nil }

    /// Returns the bytes unchanged if they are valid; otherwise replaces each maximal ill-formed part with U+FFFD (The
    /// Unicode Standard, section 3.9).
    package static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        isValid(bytes) ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// Returns true if the bytes begin with a byte order mark.
    package static func hasMark(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// Removes a byte order mark.
    package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] { hasMark(bytes) ? Array(bytes.dropFirst(3)) : bytes }

    /// Returns the length of the whole characters in the first bytes of a longer text: all bytes, or all but those of a
    /// last character that is cut off. Nil if the bytes are not UTF-8.
    package static func completePrefixLength(of bytes: [UInt8]) -> Int? {
        do {
            return try validated(bytes).count
        } catch {
            return isIncomplete(bytes[error.offset...]) ? error.offset : nil
        }
    }

    /// Returns true if these bytes are the beginning of one character.
    private static func isIncomplete(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return false }
        return switch first {
        case 0xC2...0xDF: bytes.count < 2
        case 0xE0...0xEF: bytes.count < 3
        case 0xF0...0xF4: bytes.count < 4
        default: false
        }
    }

    /// Replaces each CRLF with LF. A CR on its own is kept.
    package static func normalizedNewlines(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0D) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var start = 0
        while let next = bytes[start...].firstIndex(of: 0x0D) {
            let isPair = next + 1 < bytes.count && bytes[next + 1] == 0x0A
            result += bytes[start..<(isPair ? next : next + 1)]
            start = next + 1
        }
        result += bytes[start...]
        return result
    }

    /// Removes the terminating NUL of a C string, which some programs send. It is kept if the rest has a NUL or is not
    /// UTF-8, because the bytes are then likely to be binary data.
    package static func withoutTerminator(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 1, bytes.last == 0 else { return bytes }
        let text = Array(bytes.dropLast())
        return text.contains(0) || !isValid(text) ? bytes : text
    }

    /// Encodes the text in Latin-1. Returns nil if the text has a character that Latin-1 lacks, or is not UTF-8.
    package static func latin1(from bytes: [UInt8]) -> [UInt8]? {
        let span = bytes.span
        var high = 0
        for index in span.indices { high &+= Int(span[index] >> 7) }
        if high == 0 { return bytes }
        // Each character beyond ASCII has two bytes; the first is C2 or C3.
        guard high.isMultiple(of: 2) else { return nil }
        var isLatin = true
        let latin = [UInt8](capacity: bytes.count - high / 2) { output in
            var index = 0
            while index < span.count {
                let byte = span[index]
                index += 1
                if byte < 0x80 {
                    output.append(byte)
                } else if byte & 0xFE == 0xC2, index < span.count, span[index] & 0xC0 == 0x80 {
                    output.append(byte << 6 | span[index] & 0x3F)
                    index += 1
                } else {
                    isLatin = false
                    return
                }
            }
        }
        return isLatin ? latin : nil
    }

    /// Encodes the text in Latin-1, with a question mark for each character that Latin-1 lacks, and for each sequence
    /// that is not UTF-8.
    package static func latin1(replacing bytes: [UInt8]) -> [UInt8] {
        if let latin = latin1(from: bytes) { return latin }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.map {
            UInt8(exactly: $0.value) ?? UInt8(ascii: "?")
        }
    }

    /// Decodes text of unknown encoding that is not all UTF-8: each byte outside of a valid sequence of UTF-8 is a
    /// character of Latin-1.
    package static func mixed(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : lead < 0x80 ? 1 : 0
            let sequence = bytes[index...].prefix(length)
            if length == 1 || length > 1 && String(validating: sequence, as: UTF8.self) != nil {
                result += sequence
                index += length
            } else {
                result += [0xC0 | lead >> 6, 0x80 | lead & 0x3F]
                index += 1
            }
        }
        return result
    }

    static func validated(_ bytes: [UInt8]) throws(InvalidTextError) -> [UInt8] {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return bytes
        } catch {
            throw InvalidTextError(offset: error.byteOffsets.lowerBound)
        }
    }

    static func validatedASCII(_ bytes: [UInt8]) throws(InvalidTextError) -> [UInt8] {
        if let offset = bytes.firstIndex(where: { $0 >= 0x80 }) { throw InvalidTextError(offset: offset) }
        return bytes
    }
}

extension OutputSpan<UInt8> {
    /// Appends a character in UTF-8. The span must have room for it, at most four bytes.
    mutating func append(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case ..<0x80: append(UInt8(value))
        case ..<0x800:
            append(UInt8(0xC0 | value >> 6))
            append(UInt8(0x80 | value & 0x3F))
        case ..<0x10000:
            append(UInt8(0xE0 | value >> 12))
            append(UInt8(0x80 | value >> 6 & 0x3F))
            append(UInt8(0x80 | value & 0x3F))
        default:
            append(UInt8(0xF0 | value >> 18))
            append(UInt8(0x80 | value >> 12 & 0x3F))
            append(UInt8(0x80 | value >> 6 & 0x3F))
            append(UInt8(0x80 | value & 0x3F))
        }
    }
}

/// Classes of ASCII bytes, without regard to any locale.
extension UInt8 {
    package var isASCIILetter: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }
    package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// The byte with `A` to `Z` in lower case; every other byte unchanged.
    package var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// The value of a hexadecimal digit in either case, 0 to 15; nil for any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
