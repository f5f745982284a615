/// The grams of text: its pieces of one, two and three scalars. With grams, an index finds the text even by one
/// character.
///
/// Blanks are only in pieces of three scalars, which narrow the search for a phrase of short words. A shorter phrase is
/// found by its words.
package enum SearchGrams {
    private static let maxLength = 3
    /// The limit on the grams of a term. More grams would hardly narrow the search.
    private static let maxCount = 16

    /// Calls `body` with each gram of folded text, as a range of its bytes. Repeated grams are not skipped.
    package static func forEach(in folded: [UInt8], _ body: (Range<Int>) -> Void) {
        var start = folded.startIndex
        while start < folded.endIndex {
            var end = start
            var hasBlank = false
            for length in 1...maxLength where end < folded.endIndex {
                if folded[end] == blank { hasBlank = true }
                end += self.length(at: end, of: folded)
                if !hasBlank || length == maxLength { body(start..<end) }
            }
            start += length(at: start, of: folded)
        }
    }

    /// Returns the longest grams of a folded term, or of its words if it is short. All text with the term has them.
    ///
    /// Grams overlap by two scalars. With fewer grams, the index finds many more long texts without the term, and each
    /// has to be compared.
    package static func grams(of folded: [UInt8]) -> [[UInt8]] {
        let starts = starts(in: folded[...])
        let pieces = starts.count > maxLength ? [folded[...]] : folded.split(separator: blank)
        var grams: [[UInt8]] = []
        for piece in pieces {
            for gram in Self.grams(ofPiece: piece) where grams.count < maxCount && !grams.contains(gram) {
                grams.append(gram)
            }
        }
        return grams
    }

    private static func grams(ofPiece piece: ArraySlice<UInt8>) -> [[UInt8]] {
        let starts = starts(in: piece)
        let last = max(starts.count - 1 - maxLength, 0)
        return (0...last).map { Array(piece[starts[$0]..<starts[min($0 + maxLength, starts.count - 1)]]) }
    }

    /// Returns the offsets of the scalars, and the end.
    private static func starts(in piece: ArraySlice<UInt8>) -> [Int] {
        piece.indices.filter { !UTF8.isContinuation(piece[$0]) } + [piece.endIndex]
    }

    private static let blank = UInt8(ascii: " ")

    /// Returns the length of the scalar that begins at an index.
    private static func length(at index: Int, of bytes: [UInt8]) -> Int {
        switch bytes[index] {
        case ..<0x80: 1
        case ..<0xE0: 2
        case ..<0xF0: 3
        default: 4
        }
    }
}
