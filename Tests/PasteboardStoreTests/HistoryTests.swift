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
        try store.tidyUp()
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
}
