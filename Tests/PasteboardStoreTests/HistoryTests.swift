import Foundation
import LinuxSystem
import PasteboardModel
import Testing
import UniformTypes

@testable import PasteboardStore

struct HistoryTests {
    private let fixture = StoreFixture()

    private func ids(_ store: Store, _ query: HistoryQuery = HistoryQuery()) throws -> [Int] {
        try store.history(query).map(\.id.number)
    }

    @Test("A line tells what came, the latest first")
    func lines() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"))
        var entry = try NewEntry(2, "two", on: .find, count: 9, created: 5, program: "firefox")
        entry.action = "Copy from Firefox"
        entry.summary.width = 640
        entry.summary.height = 480
        try store.copy(entry)
        #expect(try ids(store) == [2, 1])
        let line = try #require(try store.history(HistoryQuery()).first)
        #expect(line.pasteboard == .find)
        #expect(line.count == 9)
        #expect(line.created == 5)
        #expect(line.copies == 1)
        #expect(line.types == ["public.utf8-plain-text"])
        #expect(line.items == 1)
        #expect(line.length == 3)
        #expect(line.preview == "two")
        #expect(line.width == 640)
        #expect(line.height == 480)
        #expect(line.action == "Copy from Firefox")
        #expect(line.program == "firefox")
        #expect(!line.isPinned)
    }

    @Test("Contents that are not listed are no line")
    func unlisted() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one", isListed: false))
        #expect(try ids(store) == [])
        #expect(try store.usage().entries == 0)
        #expect(try store.text(of: 1) == "one")
    }

    @Test("Equal contents are one line with the latest time, and one file; earlier numbers still name them")
    func folded() throws {
        let store = try fixture.open()
        try store.copy(
            NewEntry(1, "same", created: 1), NewEntry(2, "other"), NewEntry(3, "same", on: .find, created: 3))
        #expect(try ids(store) == [3, 2])
        let line = try #require(try store.history(HistoryQuery()).first)
        #expect(line.copies == 2)
        #expect(line.created == 3)
        #expect(fixture.files == [2, 3])
        #expect(try store.text(of: 1) == "same")
        #expect(try store.contents(of: EntryID(1))?.created == 1)
        #expect(try ids(store, HistoryQuery(pasteboard: .general)) == [1, 2])
        #expect(try ids(store, HistoryQuery(pasteboard: .find)) == [3])
    }

    @Test("Contents that differ in a byte, a type, a target or the number of items are not equal")
    func notEqual() throws {
        let store = try fixture.open()
        let long = String(repeating: "x", count: 100_000)
        var changed = Array(long)
        changed[50_000] = "y"
        try store.copy(NewEntry(1, long), NewEntry(2, String(changed)))
        var entry = try NewEntry(3, long)
        entry.contents.items[0].representations[0].target = "STRING"
        try store.copy(entry)
        entry = try NewEntry(4, long)
        entry.contents.items[0].representations[0].type = try #require(UniformType("public.html"))
        try store.copy(entry)
        entry = try NewEntry(5, long)
        entry.contents.items.append(Item(representations: []))
        try store.copy(entry)
        #expect(try ids(store) == [5, 4, 3, 2, 1])
    }

    @Test("A copy that is not listed is no copy of the line, and leaves it listed")
    func unlistedCopy() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "same"), NewEntry(2, "same", isListed: false))
        let line = try #require(try store.history(HistoryQuery()).first)
        #expect(line.id == EntryID(1))
        #expect(line.copies == 1)
        #expect(try store.text(of: 2) == "same")
    }

    @Test("However often something is copied, its numbers are bounded")
    func aliases() throws {
        let store = try fixture.open()
        for number in 1...200 { try store.copy(NewEntry(number, "same")) }
        #expect(try store.history(HistoryQuery()).map(\.copies) == [200])
        #expect(try store.text(of: 1) == nil)
        #expect(try store.text(of: 150) == "same")
        #expect(try store.database.first("SELECT count(*) FROM entry") { $0.integer(0) } ?? 0 <= 65)
    }

    @Test("It comes in batches")
    func batches() throws {
        let store = try fixture.open()
        for number in 1...10 { try store.copy(NewEntry(number, "text \(number)")) }
        var query = HistoryQuery(limit: 4)
        var batches: [[Int]] = []
        while let lines = try Optional(store.history(query)), let last = lines.last {
            batches.append(lines.map(\.id.number))
            query.before = last.position
        }
        #expect(batches == [[10, 9, 8, 7], [6, 5, 4, 3], [2, 1]])
    }

    // MARK: Search

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

    // MARK: Deleting

    @Test("A line is deleted with all that is equal to it, and its file")
    func delete() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "same"), NewEntry(2, "same"), NewEntry(3, "other"), NewEntry(4, "last"))
        try store.pin([EntryID(2)], true)
        #expect(try store.delete([EntryID(1), EntryID(2), EntryID(3)]) == 2)
        #expect(try ids(store) == [4])
        #expect(fixture.files == [4])
        #expect(try store.text(of: 1) == nil)
        #expect(try ids(store, HistoryQuery(search: "same")) == [])
    }

    @Test("Where one is not there, none is deleted or pinned")
    func noSuchEntry() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"), NewEntry(2, "two", isListed: false))
        #expect(throws: StoreFailure.noSuchEntry(EntryID(9))) { try store.delete([EntryID(1), EntryID(9)]) }
        #expect(throws: StoreFailure.noSuchEntry(EntryID(2))) { try store.delete([EntryID(2)]) }
        #expect(throws: StoreFailure.noSuchEntry(EntryID(9))) { try store.pin([EntryID(1), EntryID(9)], true) }
        #expect(try ids(store) == [1])
        #expect(try store.history(HistoryQuery(pinned: true)) == [])
    }

    @Test("What is on a pasteboard stays there when it is deleted from the history, until it is replaced")
    func deleteHeld() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "on it"))
        #expect(try store.delete([EntryID(1)]) == 1)
        #expect(try ids(store) == [])
        #expect(try store.text(of: 1) == "on it")
        try store.copy(NewEntry(2, "next"))
        #expect(fixture.files == [2])
    }

    @Test("The history of one pasteboard is cleared, but for what is pinned or on another one as well")
    func clear() throws {
        let store = try fixture.open()
        try store.copy(
            NewEntry(1, "both"), NewEntry(2, "pinned"), NewEntry(3, "general"), NewEntry(4, "held"),
            NewEntry(5, "both", on: .find), NewEntry(6, "find", on: .find))
        try store.pin([EntryID(2)], true)
        #expect(try store.clearHistory(of: .general) == 2)
        #expect(try ids(store) == [6, 5, 2])
        #expect(try store.history(HistoryQuery(pasteboard: .find)).map(\.copies) == [1, 1])
        #expect(fixture.files == [2, 4, 5, 6])
        #expect(try store.clearHistory(of: nil) == 2)
        #expect(try ids(store) == [2])
        #expect(fixture.files == [2, 4, 6])
        #expect(try store.usage().entries == 1)
        try store.tidyUp()
        try store.database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }

    @Test("What was deleted is in no file any more", arguments: [true, false])
    func scrubbed(isWhole: Bool) throws {
        let store = try fixture.open()
        for number in 1...50 { try store.copy(NewEntry(number, "ordinary words \(number)")) }
        try store.copy(NewEntry(51, "extraordinarysecret"), NewEntry(52, "last"))
        try store.tidyUp()
        if isWhole { _ = try store.clearHistory(of: nil) } else { _ = try store.delete([EntryID(51)]) }
        try store.tidyUp()
        for path in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder) {
            guard let data = FileManager.default.contents(atPath: "\(fixture.folder)/\(path)") else { continue }
            #expect(data.range(of: Data("extraordinarysecret".utf8)) == nil, "\(path)")
            #expect(data.range(of: Data("ordinarysecret".utf8)) == nil, "\(path)")
        }
        #expect(try ids(store, HistoryQuery(search: "extraordinarysecret")) == [])
    }

    // MARK: Limits

    @Test("The oldest lines go beyond the number that is kept; pinned ones and those on a pasteboard do not")
    func limitByNumber() throws {
        let store = try fixture.open(limits: .init(entries: 3, age: nil, bytes: 1 << 30))
        try store.copy(NewEntry(1, "held", on: .find), NewEntry(2, "pinned"))
        try store.pin([EntryID(2)], true)
        for number in 3...60 { try store.copy(NewEntry(number, "text \(number)")) }
        try store.tidyUp()
        #expect(try ids(store) == [60, 59, 2, 1])
        #expect(fixture.files == [1, 2, 59, 60])
        store.limits.entries = 0
        try store.tidyUp()
        #expect(try ids(store) == [60, 2, 1])
        #expect(try ids(store, HistoryQuery(search: "60")) == [60])
    }

    @Test("Lines go by their age, that of the last copy")
    func limitByAge() throws {
        let store = try fixture.open(limits: .init(entries: 100, age: .seconds(10), bytes: 1 << 30))
        try store.copy(
            NewEntry(1, "again", created: 0), NewEntry(2, "old", created: 1_000),
            NewEntry(3, "again", created: 12_000), NewEntry(4, "new", created: 12_000))
        try store.tidyUp(now: 11_000)
        #expect(try ids(store) == [4, 3, 2])
        try store.tidyUp(now: 11_001)
        #expect(try ids(store) == [4, 3])
    }

    @Test("Lines go by their bytes")
    func limitByBytes() throws {
        let store = try fixture.open(limits: .init(entries: 100, age: nil, bytes: 45_000))
        for number in 1...6 { try store.copy(NewEntry(number, String(repeating: "\(number)", count: 10_000))) }
        try store.tidyUp()
        #expect(try ids(store) == [6, 5, 4, 3])
        let usage = try store.usage()
        #expect(usage.entries == 4)
        #expect((40_000...45_000).contains(usage.bytes))
    }

    @Test("What is counted is right after any changes")
    func totals() throws {
        let store = try fixture.open(limits: .init(entries: 20, age: nil, bytes: 1 << 30))
        for number in 1...100 {
            try store.copy(
                NewEntry(number, "text \(number % 37)", isListed: number % 5 != 0), undo: number > 3 ? [number - 1] : []
            )
            if number % 7 == 0 { try? store.pin([EntryID(number - 2)], true) }
            if number % 11 == 0 { _ = try? store.delete([EntryID(number - 3)]) }
            if number % 13 == 0 { try store.tidyUp() }
        }
        let expected = try store.database.first(
            """
            SELECT count(*) FILTER (WHERE copies > 0), sum(size), count(*) FILTER (WHERE copies > 0 AND NOT pinned),
                sum(size) FILTER (WHERE copies > 0 AND NOT pinned) FROM content
            """
        ) { row in (0..<4).map { row.integer($0) } }
        #expect(try store.database.first("SELECT * FROM total") { row in (0..<4).map { row.integer($0) } } == expected)
        #expect(expected?[1] == fixture.files.reduce(0) { $0 + (BlobFolder(in: fixture.folder).length(of: $1) ?? 0) })
    }
}
