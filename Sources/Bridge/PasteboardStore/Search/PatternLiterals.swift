/// The words that each match of a regular expression has, as far as these words can be found without understanding all
/// of the expression.
///
/// A word stands outside of groups and classes, and no part of it is optional. Alternatives have no word in common. If
/// an expression is not plain enough, no word is trusted.
struct PatternLiterals {
    private(set) var words: [String] = []
    private var word = String.UnicodeScalarView()
    private var rest: Substring.UnicodeScalarView

    init(_ pattern: String) {
        rest = pattern[...].unicodeScalars
        if !read() { words = [] }
    }

    /// Returns true if a pattern has a capital letter that stands for itself.
    static func hasCapital(_ pattern: String) -> Bool {
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if !isEscaped, scalar.properties.isUppercase { return true }
            isEscaped = !isEscaped && scalar == "\\"
        }
        return false
    }

    /// Reads the pattern. Returns false if no word can be trusted.
    private mutating func read() -> Bool {
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard readEscape() else { return false }
            case "|": return false
            case "(":
                endWord()
                guard skipGroup() else { return false }
            case "[":
                endWord()
                guard skipClass() else { return false }
            case "?", "*":
                word = String.UnicodeScalarView(word.dropLast())
                endWord()
            case "{":
                word = String.UnicodeScalarView(word.dropLast())
                endWord()
                guard skipCount() else { return false }
            case "+", ".", "^", "$": endWord()
            default: word.append(scalar)
            }
        }
        endWord()
        return true
    }

    /// Reads the escape after a backslash. Returns false for an escape that may extend over the characters after it.
    private mutating func readEscape() -> Bool {
        guard let scalar = rest.popFirst() else { return true }
        if "dDwWsSbBAzZGhHvVRntrfae".unicodeScalars.contains(scalar) {
            endWord()
            return true
        }
        guard scalar.isASCII, !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
            return false
        }
        word.append(scalar)
        return true
    }

    private mutating func endWord() {
        if !word.isEmpty { words.append(String(word)) }
        word = String.UnicodeScalarView()
    }

    /// Skips the count of a repetition. Any other brace stands for itself.
    private mutating func skipCount() -> Bool {
        let count = rest.prefix { ("0"..."9").contains($0) || $0 == "," }
        rest = rest[count.endIndex...]
        return rest.popFirst() == "}"
    }

    /// Skips a group, whose options, comments and verbs may change the meaning of all that follows.
    private mutating func skipGroup() -> Bool {
        var depth = 1
        guard isPlainGroup else { return false }
        while depth > 0, let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                if rest.popFirst() == "Q" { return false }
            case "[":
                guard skipClass() else { return false }
            case "(":
                guard isPlainGroup else { return false }
                depth += 1
            case ")": depth -= 1
            default: break
            }
        }
        return true
    }

    private var isPlainGroup: Bool {
        guard let first = rest.first else { return true }
        if first == "*" { return false }
        return first != "?" || rest.dropFirst().first.map { ":=!<>".unicodeScalars.contains($0) } == true
    }

    /// Skips a class. Returns false for a class that has a bracket inside, which may have a named class or end earlier
    /// than it seems.
    private mutating func skipClass() -> Bool {
        if rest.first == "^" { rest.removeFirst() }
        // A bracket that comes first stands for itself.
        if rest.first == "]" { rest.removeFirst() }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "]": return true
            case "[": return false
            case "\\":
                if rest.popFirst() == "Q" { return false }
            default: break
            }
        }
        return true
    }
}
