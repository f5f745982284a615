import PasteboardModel
import TextSearch

/// A search among the lines of the history, or a list of them, latest first.
///
/// The index gives the lines that may match, and lines that are not indexed yet may match too. Each of these lines is
/// compared with the words or the pattern. The search pauses after a few milliseconds with the lines found so far,
/// since other work waits for the same thread, and says where to continue.
///
/// The search must not be continued after a change to the store.
final class HistorySearch {
    /// The times after which a search pauses. Somebody waits for the first lines.
    private static let (firstTimeLimit, timeLimit) = (Duration.milliseconds(2), Duration.milliseconds(4))
    /// The number of lines on which a pattern may take too long before the search fails.
    private static let maxSlowTexts = 8

    /// The query for the next lines.
    private var query: HistoryQuery
    private let database: Database
    private let matcher: HistoryMatcher
    private var candidates: Candidates
    private let statement: LineStatement

    init(_ query: HistoryQuery, in database: Database) throws {
        self.query = query
        self.database = database
        matcher = HistoryMatcher(query)
        candidates = try Candidates(query, in: database)
        statement = LineStatement(query)
    }

    /// Returns true if the lines of a query are the next lines of this search.
    func continues(with query: HistoryQuery) -> Bool {
        self.query.limit = query.limit
        return self.query == query
    }

    /// Returns the next lines.
    func page(by now: () -> ContinuousClock.Instant) throws -> HistoryPage {
        let limit = query.limit ?? .max
        var page = HistoryPage(entries: [], next: nil)
        guard limit > 0 else { return page }
        let deadline = now() + (query.before == nil ? Self.firstTimeLimit : Self.timeLimit)
        while let id = try candidates.next() {
            if let entry = try entry(at: id) { page.entries.append(entry) }
            if let pattern = query.pattern, pattern.slowTexts >= Self.maxSlowTexts { throw StoreFailure.slowPattern }
            if page.entries.count >= limit || now() >= deadline {
                page.next = id
                break
            }
        }
        query.before = page.next
        return page
    }

    /// Returns the entry of a line that matches; nil if it does not.
    private func entry(at id: Int) throws -> HistoryEntry? {
        guard query.examinesWords else { return try statement.line(id, in: database) }
        let words = try database.first("SELECT text, types, program FROM words WHERE id = ?", [.integer(id)]) {
            SearchedWords(text: $0.optionalText(0) ?? "", types: $0.text(1), program: $0.optionalText(2) ?? "")
        }
        guard let words, let ranges = matcher.ranges(in: words) else { return nil }
        return try statement.line(id, in: database)?.with(ranges, in: words.text)
    }
}

extension HistoryEntry {
    /// The limit on the length of an excerpt, in bytes.
    private static let maxExcerpt = 2 << 10
    /// The limit on the text before the first place in an excerpt, in bytes.
    private static let maxBefore = 80

    /// Returns the entry with the places of the words in its text, or with an excerpt that has some of these places.
    fileprivate func with(_ ranges: [Range<Int>], in text: String) -> HistoryEntry {
        var entry = self
        let previewed = preview?.utf8.count ?? 0
        entry.matches = ranges.filter { $0.upperBound <= previewed }
        guard entry.matches.isEmpty, let first = ranges.first else { return entry }
        let bytes = Array(text.utf8)
        var start = max(first.lowerBound - Self.maxBefore, 0)
        if let newline = bytes[start..<first.lowerBound].lastIndex(of: 0x0A) { start = newline + 1 }
        while UTF8.isContinuation(bytes[start]) { start += 1 }
        var end = min(start + Self.maxExcerpt, bytes.count)
        while end < bytes.count, UTF8.isContinuation(bytes[end]) { end -= 1 }
        entry.excerpt = String(decoding: bytes[start..<end], as: UTF8.self)
        entry.matches = ranges.filter { $0.lowerBound < end }
            .map { $0.lowerBound - start..<min($0.upperBound, end) - start }
        return entry
    }
}

/// The words of contents that a search examines.
struct SearchedWords {
    let text: String
    /// The types, separated by blanks.
    let types: String
    let program: String
}

/// The comparison of contents with the words or the pattern of a query.
struct HistoryMatcher {
    private let terms: [SearchTerm]
    private let types: [TypeFilter]
    private let programs: [SearchTerm]
    private let pattern: SearchPattern?

    /// The limit on the places that are returned.
    private static let maxRanges = 64

    init(_ query: HistoryQuery) {
        terms = query.search?.terms ?? []
        types = query.search?.types.map(TypeFilter.init) ?? []
        programs = query.search?.programs ?? []
        pattern = query.pattern
    }

    /// Returns the places of the words in the text, in UTF-8 and in order; nil if the contents do not match.
    func ranges(in words: SearchedWords) -> [Range<Int>]? {
        guard hasTypes(words), has(programs, in: words.program) else { return nil }
        if let pattern { return ranges(of: pattern, in: Array(words.text.utf8)) }
        let text = SearchedText(words.text)
        guard hasTerms(text, words) else { return nil }
        let ranges = terms.flatMap { $0.ranges(in: text) }.filter { !$0.isEmpty }
        return Array(ranges.sorted { $0.lowerBound < $1.lowerBound }.prefix(Self.maxRanges))
    }

    private func hasTypes(_ words: SearchedWords) -> Bool {
        let present = types.isEmpty ? [] : words.types.split(separator: " ")
        return types.allSatisfy { present.contains(where: $0.accepts) }
    }

    private func hasTerms(_ text: SearchedText, _ words: SearchedWords) -> Bool {
        // Most words are in the text.
        let missing = terms.filter { !$0.isContained(in: text) }
        guard !missing.isEmpty else { return true }
        let others = (words.types.split(separator: " ").map(String.init) + [words.program]).map { SearchedText($0) }
        return missing.allSatisfy { term in others.contains { term.isContained(in: $0) } }
    }

    private func has(_ terms: [SearchTerm], in text: String) -> Bool {
        guard !terms.isEmpty else { return true }
        let searched = SearchedText(text)
        return terms.allSatisfy { $0.isContained(in: searched) }
    }

    private func ranges(of pattern: SearchPattern, in text: [UInt8]) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        var isFound = false
        var start = 0
        while start <= text.count, ranges.count < Self.maxRanges {
            guard case .match(let range) = pattern.firstMatch(in: text, from: start) else { break }
            isFound = true
            if !range.isEmpty { ranges.append(range) }
            // The next match begins at a whole scalar after this one, which may be empty.
            start = max(range.upperBound, range.lowerBound + 1, start + 1)
            while start < text.count, UTF8.isContinuation(text[start]) { start += 1 }
        }
        return isFound ? ranges : nil
    }
}

/// The lines that may match a query, latest first: lines that the index finds, and lines that are not indexed yet.
private struct Candidates {
    private let cursors: [Database.Cursor]
    private var heads: [Int?]

    init(_ query: HistoryQuery, in database: Database) throws {
        let before = SQLValue.integer(query.before ?? .max)
        guard let expression = try SearchExpression(query, in: database).text else {
            try self.init([Self.lines(query, before, in: database)])
            return
        }
        try self.init([
            database.cursor(
                "SELECT rowid FROM search WHERE search MATCH ? AND rowid < ? ORDER BY rowid DESC",
                [.text(expression), before]),
            database.cursor(
                "SELECT id FROM content WHERE copies > 0 AND indexed = 0 AND id < ? ORDER BY id DESC", [before]),
            database.cursor(
                """
                SELECT id FROM content WHERE copies > 0 AND id < min(?, (SELECT index_start FROM state))
                ORDER BY id DESC
                """, [before]),
        ])
    }

    /// Returns the lines of a query that the search index is of no use for.
    private static func lines(
        _ query: HistoryQuery, _ before: SQLValue, in database: Database
    ) throws -> Database.Cursor {
        // The pinned lines and the entries of a pasteboard may be few among many, and have indexes.
        if [query.pinned, query.search?.isPinned].contains(true) {
            let lines = "SELECT id FROM content WHERE copies > 0 AND pinned = 1"
            return try database.cursor("\(lines) AND id < ? ORDER BY id DESC", [before])
        }
        if let pasteboard = query.pasteboard {
            let lines = "SELECT DISTINCT content FROM entry WHERE listed = 1 AND pasteboard = ?"
            return try database.cursor(
                "\(lines) AND content < ? ORDER BY content DESC", [.text(pasteboard.string), before])
        }
        return try database.cursor(
            "SELECT id FROM content WHERE copies > 0 AND id < ? ORDER BY id DESC", [before])
    }

    private init(_ cursors: [Database.Cursor]) throws {
        self.cursors = cursors
        heads = try cursors.map { try $0.next()?.integer(0) }
    }

    mutating func next() throws -> Int? {
        guard let latest = heads.compactMap(\.self).max() else { return nil }
        for index in heads.indices where heads[index] == latest { heads[index] = try cursors[index].next()?.integer(0) }
        return latest
    }
}

extension SearchTerm {
    fileprivate func isContained(_ type: String) -> Bool { isContained(in: SearchedText(type)) }
}

/// The expression by which FTS5 finds the lines that may match a query.
private struct SearchExpression {
    /// The expression; nil if the index is of no use for the query.
    let text: String?

    init(_ query: HistoryQuery, in database: Database) throws {
        let types = try database.rows("SELECT name FROM type ORDER BY name") { $0.text(0) }
        var parts: [String] = []
        for term in query.search?.terms ?? [] {
            guard let grams = Self.grams(of: term.folded) else { continue }
            parts.append(Self.alternatives([grams], types.filter(term.isContained)))
        }
        let programs = query.search?.programs.map(\.folded) ?? []
        let literals = query.pattern?.literals.map { FoldedText($0).bytes } ?? []
        parts += (programs + literals).compactMap(Self.grams)
        // Without an accepted type, the expression asks for a token that no text has.
        for type in query.search?.types ?? [] {
            let accepted = types.filter(TypeFilter(type).accepts)
            parts.append(Self.alternatives([], accepted.isEmpty ? [""] : accepted))
        }
        text = parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    /// Returns the condition that the text has all grams of a folded term; nil if the term has no grams.
    private static func grams(of term: [UInt8]) -> String? {
        let grams = SearchGrams.grams(of: term).map(quoted)
        return grams.isEmpty ? nil : "(" + grams.joined(separator: " AND ") + ")"
    }

    /// Returns the condition that one of some conditions holds, or the contents have one of some types.
    private static func alternatives(_ conditions: [String], _ types: [String]) -> String {
        let types = types.map { quoted(Array((SearchTokenizer.typeMark + $0).utf8)) }
        return "(" + (conditions + types).joined(separator: " OR ") + ")"
    }

    /// Returns a token as a string of FTS5, in which quotes are doubled.
    private static func quoted(_ token: [UInt8]) -> String {
        let quote = UInt8(ascii: "\"")
        var bytes = [quote]
        for byte in token { bytes += byte == quote ? [quote, quote] : [byte] }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}
