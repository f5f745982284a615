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
struct MarkedPattern: Sendable {
    let keepsCase: Bool
    private let characters: [Character]
    /// For each number of matched characters, the number that is still matched if the next character differs.
    private var fallbacks: [Int] = [0, 0]
    /// The forms of the first letter with an accent, in UTF-8. Text with the word has at least one of these forms.
    private var signs: [[UInt8]] = []

    init(_ text: String, keepsCase: Bool) {
        self.keepsCase = keepsCase
        characters = MarkedText(text, keepsCase: keepsCase).characters
        for index in characters.indices.dropFirst() {
            fallbacks.append(matched(after: fallbacks[index], by: characters[index]))
        }
        if let letter = characters.first(where: { $0.unicodeScalars.contains(where: Folding.isMarked) }) {
            signs = Self.signs(of: letter, keepsCase: keepsCase)
        }
    }

    /// Returns the forms of a letter, in UTF-8. Text with the letter has at least one of these forms.
    private static func signs(of letter: Character, keepsCase: Bool) -> [[UInt8]] {
        let scalars = (0x80..<0x2200 as Range<UInt32>).compactMap(Unicode.Scalar.init).filter { scalar in
            scalar.properties.lowercaseMapping.unicodeScalars.contains(where: Folding.isMarked)
                && Folding.markedForm(of: Character(scalar), keepsCase: keepsCase) == letter
        }
        // Otherwise the letter has a combining accent. These are the first bytes of U+0300 to U+036F.
        return scalars.map { Array($0.utf8) } + [[0xCC], [0xCD]]
    }

    /// Returns false for text without the word, in a small part of the time that ``MarkedText`` takes.
    func mayBeContained(in text: [UInt8]) -> Bool {
        signs.isEmpty || signs.contains { text.firstRange(of: $0) != nil }
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
