/// Text as characters with their accents, for finding a word with accents. Characters are compared by canonical
/// equivalence, so it does not matter whether a letter and its accent are one scalar or two.
struct MarkedText: Sendable {
    fileprivate private(set) var characters: [Character] = []
    /// The offset of each character in the original text, in bytes of UTF-8, and the offset of its end.
    private var offsets: [Int] = []
    private var ends: [Int] = []

    init(_ text: String, keepsCase: Bool) {
        var offset = 0
        for character in text {
            let end = offset + character.utf8.count
            if let form = Folding.markedForm(of: character, keepsCase: keepsCase), form != " " || characters.last != " "
            {
                characters.append(form)
                offsets.append(offset)
                ends.append(end)
            }
            offset = end
        }
    }

    /// Returns the places of a pattern in the original text, without overlaps.
    ///
    /// - Parameter limit: The number of places after which the search ends.
    func ranges(of pattern: MarkedPattern, limit: Int = .max) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        guard pattern.count > 0 else { return ranges }
        var matched = 0
        for (index, character) in characters.enumerated() {
            matched = pattern.matched(after: matched, by: character)
            guard matched == pattern.count else { continue }
            ranges.append(offsets[index + 1 - matched]..<ends[index])
            if ranges.count == limit { return ranges }
            matched = 0
        }
        return ranges
    }
}

/// A word with accents. The algorithm of Knuth, Morris and Pratt finds it in linear time.
struct MarkedPattern: Equatable, Sendable {
    let keepsCase: Bool
    private let characters: [Character]
    /// For each number of matched characters, the number that is still matched if the next character differs.
    private var fallbacks: [Int] = [0, 0]

    init(_ text: String, keepsCase: Bool) {
        self.keepsCase = keepsCase
        characters = MarkedText(text, keepsCase: keepsCase).characters
        for index in characters.indices.dropFirst() {
            fallbacks.append(matched(after: fallbacks[index], by: characters[index]))
        }
    }

    var count: Int { characters.count }

    /// Returns the number of characters that are matched after one more character of the text.
    fileprivate func matched(after matched: Int, by character: Character) -> Int {
        var matched = matched
        while matched > 0, matched == characters.count || characters[matched] != character {
            matched = fallbacks[matched]
        }
        return characters[matched] == character ? matched + 1 : matched
    }
}
