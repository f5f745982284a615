/// Texts in UTF-8, as bytes.
package enum UTF8Text {
    package static func isValid(_ bytes: [UInt8]) -> Bool { (try? validated(bytes)) != nil }

    /// The length of what a long text begins with, in bytes, without the last character where that is cut off. Nil when
    /// the bytes are no UTF-8.
    package static func wholeLength(of bytes: [UInt8]) -> Int? {
        do {
            return try validated(bytes).count
        } catch {
            return isCutOff(bytes[error.offset...]) ? error.offset : nil
        }
    }

    /// Whether these bytes are a character without its end.
    private static func isCutOff(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return false }
        return switch first {
        case 0xC2...0xDF: bytes.count < 2
        case 0xE0...0xEF: bytes.count < 3
        case 0xF0...0xF4: bytes.count < 4
        default: false
        }
    }

    /// CRLF becomes LF. A lone CR stays.
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

    /// Without the NUL that ends a C string, which some programs send. It is left out where nothing else in the text looks
    /// binary.
    package static func withoutTerminator(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 1, bytes.last == 0 else { return bytes }
        let text = Array(bytes.dropLast())
        return text.contains(0) || !isValid(text) ? bytes : text
    }

    /// The text in Latin-1; nil where that cannot hold it, or the bytes are no UTF-8.
    package static func latin1(from bytes: [UInt8]) -> [UInt8]? {
        let span = bytes.span
        var high = 0
        for index in span.indices { high &+= Int(span[index] >> 7) }
        if high == 0 { return bytes }
        // Each character above ASCII has two bytes, the first C2 or C3.
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
    /// Appends the bytes of a character. The span has room for them.
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
