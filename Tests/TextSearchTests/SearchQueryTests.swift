import TestRandom
import Testing
import TextSearch

@Suite struct SearchQueryTests {
    /// 2026-11-28 12:00 UTC.
    private static let now = 1_795_867_200

    private func query(_ text: String) throws(SearchQueryError) -> SearchQuery { try SearchQuery(text, now: Self.now) }

    @Test(
        "Words are separated by white space, and a quoted phrase is one term",
        arguments: [
            ("a  b\tc", ["a", "b", "c"]), (" \n", []), ("\"a b\" c", ["a b", "c"]), ("\"a b", ["a b"]),
            ("\"\" a", ["a"]),
            ("https://x.example", ["https://x.example"]), ("foo:bar", ["foo:bar"]), ("a\"b", ["a\"b"]),
        ])
    func words(text: String, words: [String]) throws { #expect(try query(text).terms == words.map { SearchTerm($0) }) }

    @Test("Filters are recognized in any case, with or without quotes")
    func filters() throws {
        let found = try query("type:image Program:\"Google Chrome\" PINNED:no x")
        #expect(found.types == ["image"] && found.programs == [SearchTerm("Google Chrome")])
        #expect(found.isPinned == false && found.terms == [SearchTerm("x")])
        #expect(try query("pinned:").isPinned == true)
    }

    @Test("A filter without a value has no effect, so that nothing disappears while the user types a filter")
    func emptyFilters() throws { #expect(try query("type: program: before: after:") == query("")) }

    @Test("Times are days, months, years, or a duration before now; the narrower of two times counts")
    func times() throws {
        #expect(try query("after:7d").after == Self.now - 7 * 86_400)
        #expect(try query("before:12h before:2w").before == Self.now - 14 * 86_400)
        let (day, next) = (try query("after:2026-11-28").after, try query("before:2026-11-29").before)
        #expect(try #require(next) - #require(day) == 86_400)
        #expect(try query("after:2026-01").after == query("after:2026").after)
        let (today, yesterday) = (try query("after:today").after, try query("after:yesterday").after)
        #expect(try #require(today) - #require(yesterday) == 86_400)
        #expect(try #require(today) <= Self.now)
        #expect(try query("after:999999999999999999m after:999999999999999m").after == 0)
    }

    @Test(
        "A meaningless value is an error whose message suggests a next step",
        arguments: ["before:soon", "after:2026-13", "after:2026-02-30", "after:26", "before:-1d", "pinned:maybe"])
    func failures(text: String) {
        let error = #expect(throws: SearchQueryError.self) { try query(text) }
        #expect(error?.message.contains(";") == true || error?.message.contains("pinned:yes") == true)
    }

    @Test("Words beyond the limit are ignored, and a long word is one term")
    func long() throws {
        #expect(try query(String(repeating: "a ", count: 5_000)).terms.count == SearchQuery.maxTerms)
        #expect(try query(String(repeating: "a", count: 10_000)).terms.count == 1)
        #expect(try query(String(repeating: "type:a program:b ", count: 100)).types.count == SearchQuery.maxTerms)
    }
}

@Suite struct FuzzyPatternTests {
    private func score(_ pattern: String, _ text: String) -> Int? { FuzzyPattern(pattern).match(text)?.score }

    @Test(
        "Text matches if it contains the pattern's letters in order",
        arguments: [("gco", "git checkout", true), ("ocg", "git checkout", false), ("", "a", false), ("é", "E", true)])
    func subsequence(pattern: String, text: String, isFound: Bool) {
        #expect((score(pattern, text) != nil) == isFound)
    }

    @Test("Adjacent letters and letters at the beginnings of words score more")
    func scores() throws {
        let ordered = ["foo bar", "f-o-o bar", "xfoo bar", "xfxoxo bar"].map { score("foo", $0) ?? .min }
        #expect(ordered == ordered.sorted(by: >) && Set(ordered).count == ordered.count)
        #expect(try #require(score("gb", "getBuffer")) > #require(score("gb", "globe")))
        #expect(try #require(score("ab", "ab")) == #require(score("ab", "a\u{301}b")))
    }

    @Test("The best match counts, and its offsets are those of the matched letters")
    func offsets() {
        #expect(FuzzyPattern("bar").match("b a r bar")?.offsets == [6, 7, 8])
        #expect(FuzzyPattern("gco").match("git checkout")?.offsets == [0, 4, 9])
        #expect(FuzzyPattern("界").match("世界")?.offsets == [3])
    }

    @Test("mayMatch is true for all text that matches, and false for most other text")
    func mayMatch() {
        var random = SeededGenerator(seed: 40)
        let alphabet = Array("aAbÉé e\u{301}ßſ 각ㄱ世İıﬁ\tñ-")
        var (matched, passed) = (0, 0)
        for _ in 0..<5_000 {
            func word(_ length: Int) -> String {
                String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
            }
            let (pattern, text) = (FuzzyPattern(word(.random(in: 1...3, using: &random))), word(8))
            let mayMatch = pattern.mayMatch(FoldedText(text))
            if pattern.match(text) != nil {
                #expect(mayMatch, "\(text)")
                matched += 1
            }
            passed += mayMatch ? 1 : 0
        }
        #expect(matched > 500 && passed < 2 * matched)
    }

    @Test("Only the beginning of long text is searched, and a very long pattern matches nothing")
    func limits() {
        #expect(score("z", String(repeating: "a", count: 1_000) + "z") == nil)
        let long = String(repeating: "a", count: 100)
        #expect(score(long, long) == nil)
    }
}
