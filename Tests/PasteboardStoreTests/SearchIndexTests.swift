import PasteboardModel
import PasteboardStore
import Testing

struct HistorySearchTests {
    private let fixture = StoreFixture()

    @Test(
        "All words have to match as prefixes, without case and accents, in text, types or program",
        arguments: [
            ("hel", [1]), ("WORLD hello", [1]), ("hello mars", []), ("cafe", [2]), ("CAFÉ", [2]),
            ("plain-t", [3, 2, 1]), ("firef", [3]), ("ello", []), ("", [3, 2, 1]), ("  ", [3, 2, 1]),
        ])
    func search(words: String, found: [Int]) throws {
        let store = try fixture.open()
        try store.copy(
            NewEntry(1, "Hello, world"), NewEntry(2, "un café noir"), NewEntry(3, "third", program: "Firefox"))
        #expect(try store.ids(HistoryQuery(search: words)) == found)
        try store.performAllMaintenance()
        #expect(try store.ids(HistoryQuery(search: words)) == found)
    }

    @Test(
        "Operators and quotes of FTS5 are plain text",
        arguments: [
            "OR", "NOT a", "a AND b", "NEAR(a b)", "\"", "\"\"\"", "a\"b", "text:a", "^a", "a*", "(", "{a b}: c", "-",
            "+", "'", "\\", "a\u{0}b", "%", "_", "\u{1F600}", String(repeating: "a ", count: 5_000),
        ])
    func operators(words: String) throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, words), NewEntry(2, "zzz"))
        #expect(try store.ids(HistoryQuery(search: words)) == [1])
    }

    @Test("The parts of a word have to follow one another in the text")
    func phrase() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "see foo-bar.swift"), NewEntry(2, "bar foo swift"))
        #expect(try store.ids(HistoryQuery(search: "foo-bar.sw")) == [1])
    }

    @Test("A search can be restricted to a pasteboard, to pinned lines and to a number")
    func combined() throws {
        let store = try fixture.open()
        for number in 1...6 {
            try store.copy(NewEntry(number, "word \(number)", on: number.isMultiple(of: 2) ? .find : .general))
        }
        try store.pin([EntryID(2), EntryID(3), EntryID(4)], true)
        #expect(try store.ids(HistoryQuery(pasteboard: .find, search: "word")) == [6, 4, 2])
        #expect(try store.ids(HistoryQuery(pasteboard: .find, search: "word", pinned: true)) == [4, 2])
        #expect(try store.ids(HistoryQuery(search: "word", pinned: false)) == [6, 5, 1])
        #expect(try store.ids(HistoryQuery(search: "word", limit: 2)) == [6, 5])
        #expect(try store.ids(HistoryQuery(search: "word", limit: 2, before: 5)) == [4, 3])
        #expect(try store.ids(HistoryQuery(pasteboard: .general, pinned: true)) == [3])
    }

    @Test("On a full disk, the search finds what is in the index")
    func fullDisk() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "word one"))
        try store.performAllMaintenance()
        let text = (0..<5_000).map { "word\($0)" }.joined(separator: " ")
        try store.copy(NewEntry(2, text))
        let pages = try #require(try store.database.first("PRAGMA page_count") { $0.integer(0) })
        try store.database.run("PRAGMA max_page_count = \(pages)")
        #expect(try store.ids(HistoryQuery(search: "word")) == [1])
        try store.database.run("PRAGMA max_page_count = \(1 << 30)")
        #expect(try store.ids(HistoryQuery(search: "word")) == [2, 1])
    }

    @Test("Contents that were copied again are found once")
    func searchFolded() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "same"))
        try store.performAllMaintenance()
        try store.copy(NewEntry(2, "same"))
        #expect(try store.ids(HistoryQuery(search: "same")) == [2])
        try store.performAllMaintenance()
        #expect(try store.ids(HistoryQuery(search: "same")) == [2])
        try store.database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }
}

struct SearchWordsTests {
    @Test(
        "Each word becomes a phrase whose last token is a prefix",
        arguments: [
            ("hello", "\"hello\"*"), ("a  b", "\"a\"* \"b\"*"), ("a\"b", "\"a\"\"b\"*"), ("x:y*", "\"x:y*\"*"),
        ])
    func phrases(text: String, expression: String) {
        #expect(SearchWords(text).expression == expression)
        #expect(SearchWords(text).signs == [])
    }

    @Test("Words without letters and digits are searched for literally")
    func signs() {
        let words = SearchWords("-> x \u{1F600}")
        #expect(words.expression == "\"x\"*")
        #expect(words.signs == ["->", "\u{1F600}"])
        #expect(SearchWords(" \n").expression == nil)
    }

    @Test("Words beyond the limit are ignored")
    func many() {
        let words = SearchWords(String(repeating: "a ", count: 1_000))
        #expect(words.expression?.split(separator: " ").count == SearchWords.maxCount)
    }
}
