import CLinux

/// Text whose letters are folded.
package struct FoldedText: Sendable {
    /// The folded text, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init(_ text: String) { self.init(text, .ignoringCase) }

    init(_ text: String, _ folding: Folding) {
        bytes.reserveCapacity(text.utf8.count + Folding.margin)
        folding.append(text.utf8Span, to: &bytes)
    }
}

/// Folded text whose parts can be located in the original text.
struct TrackedText: Sendable {
    private(set) var bytes: [UInt8] = []
    /// For each folded byte, the offset of its scalar in the original text, in bytes of UTF-8; nil if all offsets are
    /// the same in both.
    private var origins: [Int]?
    /// The length of the original text, in bytes of UTF-8.
    private let length: Int

    init(_ text: String, _ folding: Folding) {
        length = text.utf8.count
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            folding.append(text.utf8Span, to: &bytes)
            // The length of ASCII text changes only where adjacent blanks are merged.
            if bytes.count == length { return }
            bytes = []
        }
        var origins: [Int] = []
        var offset = 0
        for scalar in text.unicodeScalars {
            folding.append(scalar, to: &bytes)
            while origins.count < bytes.count { origins.append(offset) }
            offset += UTF8.width(scalar)
        }
        self.origins = origins
    }

    /// Returns the places of a folded term in the original text, without overlaps.
    func ranges(of term: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while let found = bytes.firstRange(of: term, from: start) {
            guard let origins else {
                ranges.append(found)
                start = found.upperBound
                continue
            }
            let last = origins[found.upperBound - 1]
            // A scalar may have become several scalars, and the scalars after it without a folded form belong to it.
            start = origins[found.upperBound...].firstIndex { $0 > last } ?? origins.endIndex
            ranges.append(origins[found.lowerBound]..<(start < origins.endIndex ? origins[start] : length))
        }
        return ranges
    }
}

extension [UInt8] {
    /// Returns the first place of `part` at or after `start`.
    func firstRange(of part: [UInt8], from start: Int = 0) -> Range<Int>? {
        guard !part.isEmpty, start + part.count <= count else { return nil }
        let offset: Int? = unsafe withUnsafeBytes { bytes in
            unsafe part.withUnsafeBytes { part in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
                // An empty buffer may have no address, which memmem(3) needs.
                guard let first = rest.baseAddress, let wanted = part.baseAddress,
                    let found = unsafe memmem(first, rest.count, wanted, part.count)
                else { return nil }
                return unsafe UnsafeRawPointer(found) - first
            }
        }
        return offset.map { start + $0..<start + $0 + part.count }
    }
}
