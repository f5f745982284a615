import PasteboardModel
import Testing

@testable import PasteboardStore

struct HistorySearchTests {
    private let fixture = StoreFixture()

    private func ids(_ store: Store, _ query: HistoryQuery = HistoryQuery()) throws -> [Int] {
        try store.history(query).map(\.id.number)
    }

    @Test(
        "All words are found as prefixes, without case and accents, in text, types and program",
        arguments: [
            ("hel", [1]), ("WORLD hello", [1]), ("hello mars", []), ("cafe", [2]), ("CAFÉ", [2]),
            ("plain-t", [3, 2, 1]),
            ("firef", [3]), ("ello", []), ("", [3, 2, 1]), ("  ", [3, 2, 1]),
        ])
    func search(words: String, found: [Int]) throws {
        let store = try fixture.open()
        try store.copy(
            NewEntry(1, "Hello, world"), NewEntry(2, "un café noir"), NewEntry(3, "third", program: "Firefox"))
        #expect(try ids(store, HistoryQuery(search: words)) == found)
        try store.tidyUp()
        #expect(try ids(store, HistoryQuery(search: words)) == found)
    }

    @Test(
        "Operators and quotes are plain text",
        arguments: [
            "OR", "NOT a", "a AND b", "NEAR(a b)", "\"", "\"\"\"", "a\"b", "text:a", "^a", "a*", "(", "{a b}: c", "-",
            "+",
            "'", "\\", "a\u{0}b", "%", "_", "\u{1F600}", String(repeating: "a ", count: 5_000),
        ])
    func operators(words: String) throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, words), NewEntry(2, "zzz"))
        #expect(try ids(store, HistoryQuery(search: words)) == [1])
    }

    @Test("A word of several parts is found where they follow one another")
    func phrase() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "see foo-bar.swift"), NewEntry(2, "bar foo swift"))
        #expect(try ids(store, HistoryQuery(search: "foo-bar.sw")) == [1])
    }

    @Test("A search can be of one pasteboard, of what is pinned, and limited")
    func combined() throws {
        let store = try fixture.open()
        for number in 1...6 {
            try store.copy(NewEntry(number, "word \(number)", on: number.isMultiple(of: 2) ? .find : .general))
        }
        try store.pin([EntryID(2), EntryID(3), EntryID(4)], true)
        #expect(try ids(store, HistoryQuery(pasteboard: .find, search: "word")) == [6, 4, 2])
        #expect(try ids(store, HistoryQuery(pasteboard: .find, search: "word", pinned: true)) == [4, 2])
        #expect(try ids(store, HistoryQuery(search: "word", pinned: false)) == [6, 5, 1])
        #expect(try ids(store, HistoryQuery(search: "word", limit: 2)) == [6, 5])
        #expect(try ids(store, HistoryQuery(search: "word", limit: 2, before: 5)) == [4, 3])
        #expect(try ids(store, HistoryQuery(pasteboard: .general, pinned: true)) == [3])
    }

    @Test("A line that came again is found once, as it is now")
    func searchFolded() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "same"))
        try store.tidyUp()
        try store.copy(NewEntry(2, "same"))
        #expect(try ids(store, HistoryQuery(search: "same")) == [2])
        try store.tidyUp()
        #expect(try ids(store, HistoryQuery(search: "same")) == [2])
        try store.database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }
}
