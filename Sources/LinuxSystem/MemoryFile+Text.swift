import Glibc

extension MemoryFile {
    /// Whether a range is text: valid UTF-8 without a NUL. An empty one is.
    package func isUTF8Text(in range: Range<Int>) throws -> Bool {
        var rest = range
        var isText = true
        while isText, !rest.isEmpty {
            // A character that a piece ends in the midst of is looked at with the next one.
            var seen = 0
            try forEachPiece(of: rest) { piece in
                let isLast = piece.byteCount == rest.count
                seen = isLast ? piece.byteCount : Self.lengthOfWholeCharacters(in: piece)
                isText = Self.isUTF8Text(piece.extracting(0..<seen))
                return false
            }
            rest = rest.lowerBound + seen..<rest.upperBound
        }
        return isText
    }

    /// Up to the beginning of the last character; all of what has none at its end.
    private static func lengthOfWholeCharacters(in piece: RawSpan) -> Int {
        unsafe piece.withUnsafeBytes { bytes in
            unsafe bytes.suffix(4).lastIndex { $0 & 0b1100_0000 != 0b1000_0000 } ?? bytes.count
        }
    }

    /// The same of bytes that are in memory.
    package static func isUTF8Text(_ bytes: ArraySlice<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in isUTF8Text(unsafe buffer.bytes) }
    }

    static func isUTF8Text(_ bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, unsafe !buffer.isEmpty else { return true }
            if unsafe memchr(start, 0, buffer.count) != nil { return false }
            let span = unsafe Span<UInt8>(_unsafeBytes: buffer)
            return (try? UTF8Span(validating: span)) != nil
        }
    }
}
