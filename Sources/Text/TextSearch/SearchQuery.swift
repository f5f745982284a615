/// The words and filters that a user types to search the history.
///
/// Words are separated by white space. Matching text contains all words, in any order. A phrase in quotes counts as one
/// word. These filters have a value after the colon, which may be in quotes:
///
/// - `type:image`: has a type of that name, or a type that conforms to it.
/// - `program:firefox`: comes from a program whose name has these letters.
/// - `before:2026-11-28`, `after:2w`: was copied before a day or after its beginning; see ``SearchDate``.
/// - `pinned:` or `pinned:yes`, and `pinned:no`.
///
/// Any other word with a colon, such as an address, is an ordinary word. A filter without a value has no effect, so
/// that nothing disappears while a user types.
package struct SearchQuery: Equatable, Sendable {
    /// The limit on the number of words, and of filters of a kind. Further words and filters are ignored.
    package static let maxTerms = 32

    package private(set) var terms: [SearchTerm] = []
    /// The names of types, one for each filter. The contents match every name.
    package private(set) var types: [String] = []
    package private(set) var programs: [SearchTerm] = []
    /// The time before which the contents were copied, in seconds since the Unix epoch.
    package private(set) var before: Int?
    /// The time at or after which the contents were copied, in seconds since the Unix epoch.
    package private(set) var after: Int?
    package private(set) var isPinned: Bool?

    /// - Parameter now: The present time, in seconds since the Unix epoch.
    /// - Throws: ``SearchQueryError`` for a filter with an invalid value.
    package init(_ text: String, now: Int) throws(SearchQueryError) {
        var lexer = SearchLexer(text)
        while let word = lexer.next() {
            guard let name = word.filter else {
                if terms.count < Self.maxTerms { terms.append(SearchTerm(word.value)) }
                continue
            }
            try add(name, word.value, now: now)
        }
    }

    private mutating func add(_ filter: SearchFilter, _ value: String, now: Int) throws(SearchQueryError) {
        switch filter {
        case .type where !value.isEmpty && types.count < Self.maxTerms: types.append(value)
        case .program where !value.isEmpty && programs.count < Self.maxTerms: programs.append(SearchTerm(value))
        case .before where !value.isEmpty: before = min(before ?? .max, try SearchDate.time(value, now: now))
        case .after where !value.isEmpty: after = max(after ?? .min, try SearchDate.time(value, now: now))
        case .pinned: isPinned = try Self.flag(value)
        case .type, .program, .before, .after: break
        }
    }

    private static func flag(_ value: String) throws(SearchQueryError) -> Bool {
        switch value.lowercased() {
        case "", "y", "ye", "yes", "true": return true
        case "n", "no", "false": return false
        default: throw SearchQueryError("pinned:\(value) is neither pinned:yes nor pinned:no")
        }
    }
}

package struct SearchQueryError: Error, Equatable {
    /// A sentence that names the next step.
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// The filters, by the names before their colons.
enum SearchFilter: String {
    case type, program, before, after, pinned

    /// The length of the longest filter name, with its colon.
    static let maxLength = 8
}

/// The words of a query, one after the other.
private struct SearchLexer {
    struct Word {
        let filter: SearchFilter?
        let value: String
    }

    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func next() -> Word? {
        while true {
            rest = rest.drop(while: Self.isBlank)
            guard !rest.isEmpty else { return nil }
            let filter = takeFilter()
            let value = takeValue()
            // Empty quotes are not a word.
            if filter != nil || !value.isEmpty { return Word(filter: filter, value: value) }
        }
    }

    private static func isBlank(_ character: Character) -> Bool { character.isWhitespace || character == "\0" }

    private mutating func takeFilter() -> SearchFilter? {
        guard let colon = rest.prefix(SearchFilter.maxLength).firstIndex(of: ":"),
            let filter = SearchFilter(rawValue: rest[..<colon].lowercased())
        else { return nil }
        rest = rest[rest.index(after: colon)...]
        return filter
    }

    /// Takes a phrase in quotes, up to the end if there is no second quote, or else the text up to the next blank.
    private mutating func takeValue() -> String {
        guard rest.first == "\"" else {
            let value = rest.prefix { !Self.isBlank($0) }
            rest = rest[value.endIndex...]
            return String(value)
        }
        let value = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest[value.endIndex...].dropFirst()
        return String(value)
    }
}
