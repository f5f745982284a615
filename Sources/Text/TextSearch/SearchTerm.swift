/// A word or phrase that text must contain to be found.
///
/// Case and accents make no difference, unless the word itself has a capital letter or an accent: "cafe" finds "Café",
/// "Cafe" finds "Café" but not "café", and "café" finds "Café" but not "cafe".
package struct SearchTerm: Equatable, Sendable {
    private enum Form {
        /// The folded text, in UTF-8.
        case folded
        /// The text with its capital letters, otherwise folded.
        case cased([UInt8])
        case marked(MarkedPattern)
        /// Text without a visible character, which is searched for as it stands.
        case literal([UInt8])
    }

    /// The folded term, in UTF-8, which any text with the term contains when folded; empty if the term has no visible
    /// character.
    package let folded: [UInt8]
    private let form: Form
    private let text: String

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

    package static func == (one: SearchTerm, other: SearchTerm) -> Bool { one.text == other.text }

    package func isContained(in text: SearchedText) -> Bool {
        switch form {
        case .literal(let bytes): return text.bytes.firstRange(of: bytes) != nil
        case .marked(let pattern): guard pattern.mayBeContained(in: text.bytes) else { return false }
        case .folded, .cased: break
        }
        guard text.folded.bytes.firstRange(of: folded) != nil else { return false }
        return switch form {
        case .folded, .literal: true
        case .cased(let bytes): text.cased.bytes.firstRange(of: bytes) != nil
        case .marked(let pattern): !text.marked(keepsCase: pattern.keepsCase).ranges(of: pattern, limit: 1).isEmpty
        }
    }

    /// Returns the places of this term in the text, as offsets in UTF-8, without overlaps.
    package func ranges(in text: SearchedText) -> [Range<Int>] {
        switch form {
        case .folded: text.tracked.ranges(of: folded)
        case .cased(let bytes): TrackedText(text.text, .keepingCase).ranges(of: bytes)
        case .marked(let pattern): text.marked(keepsCase: pattern.keepsCase).ranges(of: pattern)
        case .literal: []
        }
    }
}

/// Text that is searched for terms. Each form of the text that terms need is made once.
package final class SearchedText {
    package let text: String

    package init(_ text: String) { self.text = text }

    private(set) lazy var bytes = Array(text.utf8)
    private(set) lazy var folded = FoldedText(text)
    private(set) lazy var cased = FoldedText(text, .keepingCase)
    private(set) lazy var tracked = TrackedText(text, .ignoringCase)
    private lazy var markedIgnoringCase = MarkedText(text, keepsCase: false)
    private lazy var markedKeepingCase = MarkedText(text, keepsCase: true)

    func marked(keepsCase: Bool) -> MarkedText { keepsCase ? markedKeepingCase : markedIgnoringCase }
}
