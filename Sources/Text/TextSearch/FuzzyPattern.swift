/// Letters that a string must contain in this order, possibly with other letters in between. `xpb pick` uses the
/// pattern for typed text.
///
/// The best placement of the letters counts: adjacent letters, and letters at the beginning of words, gain more than
/// gaps cost. This is the alignment of Smith and Waterman, with scores like those of fzf.
package struct FuzzyPattern: Sendable {
    package struct Match: Equatable, Sendable {
        /// The score of the best placement. Only scores of the same pattern are comparable.
        package let score: Int
        /// The offsets of the letters in the text, in UTF-8.
        package let offsets: [Int]
    }

    /// The limit on the scalars of a string that are examined.
    private static let maxTextLength = 400
    /// The limit on the letters of a pattern. Longer patterns match nothing.
    private static let maxLength = 64

    private let letters: [UInt32]
    /// The letters in UTF-8.
    private let bytes: [UInt8]

    /// - Parameter text: The letters. Blanks between them have no meaning.
    package init(_ text: String) {
        bytes = FoldedText(text).bytes.filter { $0 != UInt8(ascii: " ") }
        letters = String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
    }

    /// Returns false if a string does not contain the letters in order. This is much faster than ``match(_:)``, which
    /// has to follow.
    package func mayMatch(_ text: FoldedText) -> Bool { Self.isSubsequence(bytes, of: text.bytes) }

    /// Returns the best placement of the letters in the beginning of a string; nil if the string does not contain them
    /// in order.
    package func match(_ text: String) -> Match? {
        guard !letters.isEmpty, letters.count <= Self.maxLength else { return nil }
        let line = Line(text, limit: Self.maxTextLength)
        guard Self.isSubsequence(letters, of: line.letters) else { return nil }
        return Alignment(letters, line).best
    }

    private static func isSubsequence<Letter: Equatable>(_ letters: [Letter], of text: [Letter]) -> Bool {
        guard !letters.isEmpty else { return true }
        var next = 0
        for letter in text where letter == letters[next] {
            next += 1
            if next == letters.count { return true }
        }
        return false
    }
}

/// The beginning of a string, as folded letters.
private struct Line {
    private(set) var letters: [UInt32] = []
    /// The offset of each letter in the text, in UTF-8.
    private(set) var offsets: [Int] = []
    /// The bonus of each letter for its place.
    private(set) var bonuses: [Int] = []

    init(_ text: String, limit: Int) {
        var offset = 0
        var former = Kind.blank
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars.prefix(limit) {
            let kind = Kind(scalar)
            bytes.removeAll(keepingCapacity: true)
            Folding.ignoringCase.append(scalar, to: &bytes)
            for letter in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                letters.append(letter.value)
                offsets.append(offset)
                bonuses.append(kind.bonus(after: former))
            }
            if !bytes.isEmpty { former = kind }
            offset += UTF8.width(scalar)
        }
    }
}

/// The kinds of scalars whose changes begin a word, as in `fooBar`, `foo_bar` and `foo2`.
private enum Kind {
    case blank, sign, small, capital, digit

    init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        self =
            if properties.isWhitespace {
                .blank
            } else if properties.numericType != nil {
                .digit
            } else if properties.isUppercase {
                .capital
            } else if properties.isAlphabetic {
                .small
            } else {
                .sign
            }
    }

    func bonus(after former: Kind) -> Int {
        switch (former, self) {
        case (_, .blank): 0
        case (.blank, _): 10
        case (.sign, .small), (.sign, .capital), (.sign, .digit): 8
        case (.small, .capital), (.small, .digit), (.capital, .digit): 7
        case (_, .sign): 8
        default: 0
        }
    }
}

/// The best placements of the letters of a pattern in a line.
private struct Alignment {
    private static let matchScore = 16
    private static let gapStart = -3
    private static let gapExtension = -1
    private static let minRunBonus = 4
    /// People choose the first letter of a pattern with care, so its bonus counts more.
    private static let firstFactor = 2
    private static let impossible = Int.min / 2

    private let pattern: [UInt32]
    private let line: Line
    /// For each letter of the pattern and each place in the line: the score with the letter at that place;
    /// ``impossible`` if the letters differ.
    private var ending: [[Int]] = []
    /// The place of the previous letter of the pattern, for each score in ``ending``.
    private var previous: [[Int]] = []
    /// For each place of the previous letter: the bonus of the run of letters that the place belongs to, which is the
    /// highest bonus in that run.
    private var runBonuses: [Int] = []

    init(_ pattern: [UInt32], _ line: Line) {
        self.pattern = pattern
        self.line = line
        for index in pattern.indices { addRow(index) }
    }

    private mutating func addRow(_ index: Int) {
        let count = line.letters.count
        var row = [Int](repeating: Self.impossible, count: count)
        var places = [Int](repeating: -1, count: count)
        var runs = line.bonuses
        // The best score of the previous letters, with the cost of the gap up to this place.
        var (gapped, gappedPlace) = (Self.impossible, -1)
        for place in 0..<count {
            if index > 0, place >= 2 {
                gapped += Self.gapExtension
                let opened = ending[index - 1][place - 2] + Self.gapStart
                if opened >= gapped { (gapped, gappedPlace) = (opened, place - 2) }
            }
            guard line.letters[place] == pattern[index] else { continue }
            let bonus = line.bonuses[place]
            guard index > 0 else {
                row[place] = Self.matchScore + bonus * Self.firstFactor
                continue
            }
            guard place > 0 else { continue }
            let runBonus = max(bonus, runBonuses[place - 1], Self.minRunBonus)
            let joined = ending[index - 1][place - 1] + runBonus
            let apart = gapped + bonus
            let best = max(joined, apart)
            guard best > Self.impossible / 2 else { continue }
            row[place] = best + Self.matchScore
            places[place] = joined >= apart ? place - 1 : gappedPlace
            if joined >= apart { runs[place] = runBonus }
        }
        ending.append(row)
        previous.append(places)
        runBonuses = runs
    }

    var best: FuzzyPattern.Match? {
        guard let last = ending.last, let score = last.max(), score > Self.impossible / 2,
            var place = last.firstIndex(of: score)
        else { return nil }
        var offsets = [line.offsets[place]]
        for index in pattern.indices.dropFirst().reversed() {
            place = previous[index][place]
            offsets.append(line.offsets[place])
        }
        return FuzzyPattern.Match(score: score, offsets: offsets.reversed())
    }
}
