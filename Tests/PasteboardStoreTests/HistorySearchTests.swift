import PasteboardModel
import PasteboardStore
import TestRandom
import Testing
import TextSearch

@Suite struct HistorySearchTests {
    private let fixture = StoreFixture()

    /// Checks a search before and after the contents are indexed.
    private func expect(_ store: Store, _ query: HistoryQuery, _ found: [Int], _ comment: Comment? = nil) throws {
        #expect(try store.ids(query) == found, comment)
        try store.performAllMaintenance()
        #expect(try store.ids(query) == found, comment)
        try store.database.run("INSERT INTO search (search) VALUES ('integrity-check')")
    }

    @Test(
        "Each word must be somewhere in the text, the types or the program",
        arguments: [
            ("hel", [1]), ("WORLD", []), ("world hello", [1]), ("hello mars", []), ("cafe", [2]), ("café", [2]),
            ("plain-t", [3, 2, 1]), ("refox", [3]), ("ello", [1]), ("", [3, 2, 1]), ("  ", [3, 2, 1]),
            ("o", [3, 2, 1]),
            ("r third", [3]),
        ])
    func words(words: String, found: [Int]) throws {
        let store = try fixture.open()
        try store.copy(
            NewEntry(1, "Hello, world"), NewEntry(2, "un café noir"), NewEntry(3, "third", program: "Firefox"))
        try expect(store, HistoryQuery(search: words), found)
    }

    @Test(
        "Words of one or more characters are found inside other words, in any script",
        arguments: [
            ("世界", "你好世界"), ("docker", "使用Docker部署"), ("house", "warehouse"), ("711", "4711"), ("ไทย", "ภาษาไทย"),
            ("별시", "서울특별시"), ("नम", "नमस्ते"), ("רוש", "ירושלים"), ("رحبا", "مرحبا"), ("ласно", "Гласность"), ("😀", "a😀b"),
            ("界", "世界"), ("->", "a->b"),
        ])
    func scripts(word: String, text: String) throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, text), NewEntry(2, "zzz"))
        try expect(store, HistoryQuery(search: word), [1])
    }

    @Test(
        "The operators of FTS5 are plain text",
        arguments: [
            "OR", "NOT a", "a AND b", "NEAR(a b)", "'", "a\"b", "text:a", "^a", "a*", "(", "{a b}: c", "\u{1F}a", "+",
            "\\",
            "\"a\u{0}b\"", "%", "_", "\u{1F600}", "\u{301}", "x\"\u{1F3FB}", String(repeating: "k ", count: 5_000),
            String(repeating: "ab", count: 5_000),
        ])
    func operators(words: String) throws {
        let store = try fixture.open()
        let text = words.filter { $0 != "\"" || !words.hasPrefix("\"") }
        try store.copy(NewEntry(1, "k\(text)k"), NewEntry(2, "zzz"))
        try expect(store, HistoryQuery(search: words), [1])
    }

    @Test("A phrase matches only its words in order, and a word is not found across the text and the program")
    func phrases() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "see foo bar", program: "swift"), NewEntry(2, "bar foo"))
        try expect(store, HistoryQuery(search: "\"foo bar\""), [1])
        try expect(store, HistoryQuery(search: "foo bar"), [2, 1])
        try expect(store, HistoryQuery(search: "barpublic"), [])
        try expect(store, HistoryQuery(search: "\"bar public\""), [])
    }

    @Test("A search can be restricted to a pasteboard, to pinned lines and to a number of lines")
    func combined() throws {
        let store = try fixture.open()
        for number in 1...6 {
            try store.copy(NewEntry(number, "word \(number)", on: number.isMultiple(of: 2) ? .find : .general))
        }
        try store.pin([EntryID(2), EntryID(3), EntryID(4)], true)
        try expect(store, HistoryQuery(pasteboard: .find, search: "word"), [6, 4, 2])
        try expect(store, HistoryQuery(pasteboard: .find, search: "word", pinned: true), [4, 2])
        try expect(store, HistoryQuery(search: "word pinned:no"), [6, 5, 1])
        try expect(store, HistoryQuery(search: "pinned:"), [4, 3, 2])
        try expect(store, HistoryQuery(search: "word", limit: 2), [6, 5])
        try expect(store, HistoryQuery(search: "word", limit: 2, before: 5), [4, 3])
        try expect(store, HistoryQuery(pasteboard: .general, pinned: true), [3])
    }

    @Test(
        "Filters restrict by type, program and time",
        arguments: [
            ("type:text", [3, 2, 1]), ("type:image", []), ("type:public.plain-text", [3, 2, 1]), ("type:nonsense", []),
            ("program:fire", [2]), ("program:FIRE", []), ("text program:firefox", [2]), ("after:1d", [3, 2]),
            ("before:1d", [1]), ("after:3d before:1d", [1]), ("before:2000", []),
        ])
    func filters(words: String, found: [Int]) throws {
        let store = try fixture.open()
        let day = 86_400_000
        try store.copy(
            NewEntry(1, "text", created: StoreFixture.now - 2 * day),
            NewEntry(2, "text 2", created: StoreFixture.now - day / 2, program: "firefox"), NewEntry(3, "text 3"))
        try expect(store, HistoryQuery(search: words), found)
    }

    @Test("A filter by time that few lines of many match is applied in several steps")
    func steps() throws {
        let store = try fixture.open()
        for last in stride(from: 300, through: 9_000, by: 300) {
            // Each entry has a file until it is stored.
            let entries = try (last - 299...last).map { try NewEntry($0, "text \($0)") }
            let pasteboard = StoredPasteboard(name: .general, count: last, entry: EntryID(last))
            try store.apply(StoreChange(entries: entries, pasteboards: [pasteboard]))
        }
        let query = try HistoryQuery(search: "before:2000")
        // A line takes a millisecond, so the first step has two lines, and each other step has four.
        var moment = ContinuousClock.now
        store.searchClock = {
            defer { moment += .milliseconds(1) }
            return moment
        }
        let page = try store.history(query)
        #expect(page.entries.isEmpty && page.next == 8_999)
        #expect(try store.ids(query) == [])
        #expect(try store.ids(HistoryQuery(search: "after:2000", limit: 2)) == [9_000, 8_999])
        try store.copy(NewEntry(9_001, "rare", on: .find))
        try store.pin([EntryID(7)], true)
        // These have indexes, and take one step, since few lines are read.
        #expect(
            try store.history(HistoryQuery(pasteboard: .find, search: "after:2000")).entries.map(\.id.number) == [9_001]
        )
        #expect(try store.history(HistoryQuery(search: "pinned: after:2000")).entries.map(\.id.number) == [7])
        #expect(try store.history(HistoryQuery(search: "after:2000", pinned: true)).entries.map(\.id.number) == [7])
        #expect(try store.history(HistoryQuery(pasteboard: .general, pinned: true)).entries.map(\.id.number) == [7])
    }

    @Test("A search continues with the lines that are left after a change to the history", arguments: 0..<6)
    func continued(change: Int) throws {
        let store = try fixture.open()
        for number in 1...6 { try store.copy(NewEntry(number, "line \(number)")) }
        try store.performAllMaintenance()
        var query = try HistoryQuery(search: "line", limit: 2)
        let first = try store.history(query)
        #expect(first.entries.map(\.id.number) == [6, 5])
        var left = [4, 3, 2, 1]
        switch change {
        case 0: break
        case 1: try store.copy(NewEntry(7, "line 7"))
        case 2:
            _ = try store.delete([EntryID(3)])
            left = [4, 2, 1]
        case 3:
            try store.copy(NewEntry(7, "line 3"))
            left = [4, 2, 1]
        case 4: #expect(try store.ids(HistoryQuery(search: "ine", limit: 3)) == [6, 5, 4])
        default: try store.performAllMaintenance()
        }
        query.limit = nil
        query.before = first.next
        #expect(try store.ids(query) == left)
    }

    @Test("On a full disk, text that is not in the index is found too")
    func fullDisk() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "word one"))
        try store.performAllMaintenance()
        let text = (0..<5_000).map { "word\($0)" }.joined(separator: " ")
        try store.copy(NewEntry(2, text))
        let pages = try #require(try store.database.first("PRAGMA page_count") { $0.integer(0) })
        try store.database.run("PRAGMA max_page_count = \(pages)")
        #expect(try store.ids(HistoryQuery(search: "word")) == [2, 1])
        try store.database.run("PRAGMA max_page_count = \(1 << 30)")
        try expect(store, HistoryQuery(search: "word"), [2, 1])
    }

    @Test("Contents that were copied again are found once, and deleted contents are not found")
    func changed() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "same"), NewEntry(2, "other"))
        try store.performAllMaintenance()
        try store.copy(NewEntry(3, "same"))
        try expect(store, HistoryQuery(search: "same"), [3])
        try store.copy(NewEntry(4, "last"))
        _ = try store.delete([EntryID(3)])
        try expect(store, HistoryQuery(search: "same"), [])
        try expect(store, HistoryQuery(search: "other"), [2])
    }

    @Test("The places of the words are places in the preview, or in an excerpt if the words come after the preview")
    func places() throws {
        let store = try fixture.open()
        let filler = String(repeating: "é", count: 2_000)
        try store.copy(NewEntry(1, "ünd now"), NewEntry(2, "\(filler)\nline with now and now"))
        let lines = try store.lines(HistoryQuery(search: "now"))
        #expect(lines.map(\.matches) == [[10..<13, 18..<21], [5..<8]])
        #expect(lines.map(\.excerpt) == ["line with now and now", nil])
    }

    /// The characters of eleven scripts, emoji among them, and of source code.
    private static let alphabets = [
        "abcdeé ABC.", "αβγδέ ΆΒ", "абвгёй АБЁ", "אבגדה ", "ابتثج ", "कखगिी् ", "กขคไท็", "世界你好中文", "がぎかカナ漢", "가나다각난 ",
        "😀👍🏽👩‍👩‍👧🇩🇪 a", "let x_1 = f(a[i], \"%d\\n\"); // <T>",
    ].map(Array.init)

    @Test("A search for each of 10,000 substrings, in eleven scripts and in code, finds what a plain comparison finds")
    func recall() throws {
        var random = SeededGenerator(seed: 39)
        let store = try fixture.open()
        var texts: [SearchedText] = []
        for number in 1...120 {
            let alphabet = Self.alphabets[number % Self.alphabets.count]
            let letters = (0..<Int.random(in: 1...40, using: &random)).compactMap { _ in
                alphabet.randomElement(using: &random)
            }
            texts.append(SearchedText("\(String(letters))\u{2}\(number)"))
            try store.copy(NewEntry(number, texts[number - 1].text))
            if number == 100 { try store.performAllMaintenance() }
        }
        let type = SearchedText("public.utf8-plain-text")
        for _ in 0..<10_000 {
            let text = Array(texts.randomElement(using: &random)?.text ?? "")
            let start = Int.random(in: 0..<text.count, using: &random)
            let word = String(text[start..<min(start + Int.random(in: 1...12, using: &random), text.count)])
            guard !word.contains("\"") else { continue }
            let term = SearchTerm(word)
            let isType = term.isContained(in: type)
            let expected = texts.indices.reversed().filter { isType || term.isContained(in: texts[$0]) }.map { $0 + 1 }
            try #require(try store.ids(HistoryQuery(search: "\"\(word)\"")) == expected, "\(word)")
        }
    }
}

@Suite struct SearchPatternTests {
    private let fixture = StoreFixture()

    private func store(_ texts: String...) throws -> Store {
        let store = try fixture.open()
        for (index, text) in texts.enumerated() { try store.copy(NewEntry(index + 1, text)) }
        try store.performAllMaintenance()
        return store
    }

    @Test(
        "A pattern finds all text that matches, whatever the index contains",
        arguments: [
            ("inv-\\d{4}", [1]), ("INV-\\d+", [1]), ("Inv", []), ("^second$", [2]), ("(?i)INV", [1]),
            ("x|second", [3, 2]),
            ("se?con+d", [2]), ("s(ec)?ond", [2]), ("[a-s]econd", [2]), ("日.本", [3]), ("", [3, 2, 1]),
            ("\\bline\\b", [2]),
        ])
    func patterns(pattern: String, found: [Int]) throws {
        let store = try store("see INV-1234", "first line\nsecond", "日本 日x本")
        #expect(try store.ids(HistoryQuery(pattern: SearchPattern(pattern))) == found)
    }

    @Test("An invalid pattern is an error with the place of the fault", arguments: ["(", "a{2,1}", "[z-a]", "\\"])
    func invalid(pattern: String) {
        let error = #expect(throws: SearchQueryError.self) { try SearchPattern(pattern) }
        #expect(error?.message.contains("at byte") == true)
    }

    @Test("A pattern that backtracks endlessly is stopped, and is an error after it has been stopped several times")
    func backtracking() throws {
        let text = String(repeating: "a", count: 40) + "b"
        let store = try store(text + "1", text + "2", "short")
        let pattern = try SearchPattern("(a+)+$")
        #expect(try store.ids(HistoryQuery(pattern: pattern)) == [])
        #expect(pattern.slowTexts == 2)
        for number in 10..<20 { try store.copy(NewEntry(number, "\(text)\(number)")) }
        #expect(throws: StoreFailure.slowPattern) { try store.ids(HistoryQuery(pattern: pattern)) }
    }

    @Test("A match anywhere in long text is found")
    func longText() throws {
        let filler = String(repeating: "é ", count: 1_000)
        let store = try store("\(filler)x7")
        for pattern in ["x\\d", "\\bx", "é (?=x)", "x7$"] {
            #expect(try store.ids(HistoryQuery(pattern: SearchPattern(pattern))) == [1], "\(pattern)")
        }
    }

    @Test("The places of all matches are given in bytes, and empty matches have no places")
    func places() throws {
        let store = try store("aé aé")
        #expect(try store.lines(HistoryQuery(pattern: SearchPattern("é"))).map(\.matches) == [[1..<3, 5..<7]])
        #expect(try store.lines(HistoryQuery(pattern: SearchPattern("x*"))).map(\.matches) == [[]])
    }

    @Test(
        "The index is searched for the words that every match contains",
        arguments: [
            ("abc", ["abc"]), ("ab?c", ["a", "c"]), ("a|b", []), ("(abc)d", ["d"]), ("a\\.b", ["a.b"]),
            ("\\d+foo", ["foo"]), ("a{2}b", ["b"]), ("[]a]b", ["b"]), ("(?:x|y)z", ["z"]), ("(?x)a b", []),
            ("\\Qa|b\\E", []), ("a+b", ["a", "b"]), ("a{b", []), ("([)]a)b", ["b"]), ("x[[:alpha:]]y", []),
            ("(a(*ACCEPT)|b)c", []), ("[[:a]x|y]z", []),
        ])
    func literals(pattern: String, words: [String]) throws {
        #expect(try SearchPattern(pattern).literals == words)
    }
}
