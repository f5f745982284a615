/// The grams of text: its pieces of one, two and three scalars. With grams, an index finds the text even by one
/// character.
///
/// Pieces with a blank are left out: words have no blanks, and a phrase is found by its words.
package enum SearchGrams {
    private static let maxLength = 3
    /// The limit on the grams of a term. More grams would hardly narrow the search.
    private static let maxCount = 16

    /// Calls `body` with each gram of folded text, as a range of its bytes. Repeated grams are not skipped.
    package static func forEach(in folded: [UInt8], _ body: (Range<Int>) -> Void) {
        var start = folded.startIndex
        while start < folded.endIndex {
            var end = start
            for _ in 0..<maxLength where end < folded.endIndex && folded[end] != blank {
                end += length(at: end, of: folded)
                body(start..<end)
            }
            start += length(at: start, of: folded)
        }
    }

    /// Returns grams that any text with the folded term contains: as few as cover all scalars of the term.
    package static func grams(of folded: [UInt8]) -> [[UInt8]] {
        var grams: [[UInt8]] = []
        for word in folded.split(separator: blank) where grams.count < maxCount {
            let starts = word.indices.filter { !UTF8.isContinuation(word[$0]) } + [word.endIndex]
            let last = max(starts.count - 1 - maxLength, 0)
            for index in stride(from: 0, to: last, by: maxLength) + [last] where grams.count < maxCount {
                let gram = Array(word[starts[index]..<starts[min(index + maxLength, starts.count - 1)]])
                if !grams.contains(gram) { grams.append(gram) }
            }
        }
        return grams
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
