/// What a user searches for, split into words.
struct SearchWords: Equatable {
    /// More words than these are left out.
    static let most = 32

    /// An expression of FTS5: every word as a prefix. Nil where there are none.
    let expression: String?
    /// What the index does not know, since it has no letters and digits.
    let signs: [String]

    init(_ text: String) {
        let words = text.split { $0.isWhitespace || $0 == "\0" }.prefix(Self.most).map(String.init)
        let indexed = words.filter(Self.hasToken)
        signs = words.filter { !Self.hasToken($0) }
        // In quotes, operators and punctuation are plain text; parts of a word follow one another.
        let phrases = indexed.map { word in
            "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"*"
        }
        expression = phrases.isEmpty ? nil : phrases.joined(separator: " ")
    }

    /// The tokens of `unicode61` are letters and numbers; private characters are among them.
    private static func hasToken(_ word: String) -> Bool {
        word.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber, .privateUse:
                true
            default: false
            }
        }
    }
}
