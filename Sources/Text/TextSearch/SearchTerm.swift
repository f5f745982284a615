/// A word or phrase that a text must contain to be found.
///
/// Case makes no difference, and neither do the marks of letters, unless the word itself has a capital letter or a
/// mark: "cafe" finds "Café", "Cafe" finds "Café" but not "café", and "café" finds "Café" but not "cafe".
package struct SearchTerm: Equatable, Sendable {
    private enum Form: Equatable {
        /// The folded text, in UTF-8.
        case folded
        /// The text with its capital letters, otherwise folded.
        case cased([UInt8])
        case marked(MarkedPattern)
        /// A text without a visible character, which is looked for as it stands.
        case literal([UInt8])
    }

    package let text: String
    /// The folded text, in UTF-8, which each text with the term has when it is folded; empty if nothing of the term can
    /// be seen.
    package let folded: [UInt8]
    private let form: Form

    package init(_ text: String) {
        self.text = text
        folded = FoldedText(text).bytes
        let keepsCase = text.unicodeScalars.contains(where: \.properties.isUppercase)
        form =
            if folded.isEmpty {
                .literal(Array(text.utf8))
            } else if text.unicodeScalars.contains(where: Folding.isMarked) {
                .marked(MarkedPattern(text, keepsCase: keepsCase))
            } else if keepsCase {
                .cased(FoldedText(text, .keepingCase).bytes)
            } else {
                .folded
            }
    }

    package func isContained(in text: SearchedText) -> Bool {
        if case .literal(let bytes) = form { return Array(text.text.utf8).firstRange(of: bytes) != nil }
        guard text.folded.bytes.firstRange(of: folded) != nil else { return false }
        return switch form {
        case .folded, .literal: true
        case .cased(let bytes): text.cased.bytes.firstRange(of: bytes) != nil
        case .marked(let pattern): !text.marked(keepsCase: pattern.keepsCase).ranges(of: pattern, limit: 1).isEmpty
        }
    }

    /// Returns the parts of a text that are this term, as offsets in UTF-8, without overlaps.
    package func ranges(in text: SearchedText) -> [Range<Int>] {
        switch form {
        case .folded: text.tracked.ranges(of: folded)
        case .cased(let bytes): TrackedText(text.text, .keepingCase).ranges(of: bytes)
        case .marked(let pattern): text.marked(keepsCase: pattern.keepsCase).ranges(of: pattern)
        case .literal: []
        }
    }
}

/// A text in which terms are looked for. The forms that they need are made once.
package final class SearchedText {
    package let text: String

    package init(_ text: String) { self.text = text }

    private(set) lazy var folded = FoldedText(text)
    private(set) lazy var cased = FoldedText(text, .keepingCase)
    private(set) lazy var tracked = TrackedText(text, .ignoringCase)
    private lazy var markedIgnoringCase = MarkedText(text, keepsCase: false)
    private lazy var markedKeepingCase = MarkedText(text, keepsCase: true)

    func marked(keepsCase: Bool) -> MarkedText { keepsCase ? markedKeepingCase : markedIgnoringCase }
}
