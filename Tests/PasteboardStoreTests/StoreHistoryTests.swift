import Foundation
import LinuxSystem
import PasteboardModel
import PasteboardStore
import Testing
import UniformTypes

struct StoreHistoryTests {
    private let fixture = StoreFixture()

    @Test("A line of the history has the properties of its entry, and the latest line comes first")
    func lines() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"))
        var entry = try NewEntry(2, "two", on: .find, count: 9, created: 5, program: "firefox")
        entry.action = "Copy from Firefox"
        entry.summary.width = 640
        entry.summary.height = 480
        try store.copy(entry)
        #expect(try store.ids() == [2, 1])
        let line = try #require(try store.lines(HistoryQuery()).first)
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

    @Test("Contents that are not listed have no line in the history")
    func unlisted() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one", isListed: false))
        #expect(try store.ids() == [])
        #expect(try store.usage().entries == 0)
        #expect(try store.text(of: 1) == "one")
    }

    @Test("Equal contents are one line with the latest time, and one file, which earlier entry numbers still name")
    func folded() throws {
        let store = try fixture.open()
        try store.copy(
            NewEntry(1, "same", created: 1), NewEntry(2, "other"), NewEntry(3, "same", on: .find, created: 3))
        #expect(try store.ids() == [3, 2])
        let line = try #require(try store.lines(HistoryQuery()).first)
        #expect(line.copies == 2)
        #expect(line.created == 3)
        try store.performAllMaintenance()
        #expect(fixture.files == [2, 3])
        #expect(try store.text(of: 1) == "same")
        #expect(try store.contents(of: EntryID(1))?.created == 1)
        #expect(try store.ids(HistoryQuery(pasteboard: .general)) == [1, 2])
        #expect(try store.ids(HistoryQuery(pasteboard: .find)) == [3])
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
        #expect(try store.ids() == [5, 4, 3, 2, 1])
    }

    @Test("An unlisted copy does not count as a copy of the line, and leaves the line listed")
    func unlistedCopy() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "same"), NewEntry(2, "same", isListed: false))
        let line = try #require(try store.lines(HistoryQuery()).first)
        #expect(line.id == EntryID(1))
        #expect(line.copies == 1)
        #expect(try store.text(of: 2) == "same")
    }

    @Test("The number of entries of equal contents is limited")
    func aliases() throws {
        let store = try fixture.open()
        for number in 1...200 { try store.copy(NewEntry(number, "same")) }
        #expect(try store.lines(HistoryQuery()).map(\.copies) == [200])
        #expect(try store.text(of: 1) == nil)
        #expect(try store.text(of: 150) == "same")
        #expect(try store.database.first("SELECT count(*) FROM entry") { $0.integer(0) } ?? 0 <= 65)
    }

    @Test("The history can be read in batches")
    func batches() throws {
        let store = try fixture.open()
        for number in 1...10 { try store.copy(NewEntry(number, "text \(number)")) }
        var query = HistoryQuery(limit: 4)
        var batches: [[Int]] = []
        while true {
            let page = try store.history(query)
            batches.append(page.entries.map(\.id.number))
            query.before = page.next
            if page.next == nil { break }
        }
        #expect(batches == [[10, 9, 8, 7], [6, 5, 4, 3], [2, 1]])
    }
}

struct HistoryDeletionTests {
    private let fixture = StoreFixture()

    @Test("Deleting an entry deletes all equal entries, and their file")
    func delete() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "same"), NewEntry(2, "same"), NewEntry(3, "other"), NewEntry(4, "last"))
        try store.pin([EntryID(2)], true)
        #expect(try store.delete([EntryID(1), EntryID(2), EntryID(3)]) == 2)
        #expect(try store.ids() == [4])
        #expect(fixture.files == [4])
        #expect(try store.text(of: 1) == nil)
        #expect(try store.ids(HistoryQuery(search: "same")) == [])
    }

    @Test("If one of the entries is not in the history, no entry is deleted or pinned")
    func noSuchEntry() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"), NewEntry(2, "two", isListed: false))
        #expect(throws: StoreFailure.noSuchEntry(EntryID(9))) { try store.delete([EntryID(1), EntryID(9)]) }
        #expect(throws: StoreFailure.noSuchEntry(EntryID(2))) { try store.delete([EntryID(2)]) }
        #expect(throws: StoreFailure.noSuchEntry(EntryID(9))) { try store.pin([EntryID(1), EntryID(9)], true) }
        #expect(try store.ids() == [1])
        #expect(try store.lines(HistoryQuery(pinned: true)) == [])
    }

    @Test("Contents deleted from the history stay on their pasteboard until they are replaced")
    func deleteHeld() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "on it"))
        #expect(try store.delete([EntryID(1)]) == 1)
        #expect(try store.ids() == [])
        #expect(try store.text(of: 1) == "on it")
        try store.copy(NewEntry(2, "next"))
        #expect(fixture.files == [2])
    }

    @Test("Clearing the history of a pasteboard keeps lines that are pinned or were on another pasteboard")
    func clear() throws {
        let store = try fixture.open()
        try store.copy(
            NewEntry(1, "both"), NewEntry(2, "pinned"), NewEntry(3, "general"), NewEntry(4, "held"),
            NewEntry(5, "both", on: .find), NewEntry(6, "find", on: .find))
        try store.pin([EntryID(2)], true)
        #expect(try store.clearHistory(of: .general) == 2)
        #expect(try store.ids() == [6, 5, 2])
        #expect(try store.lines(HistoryQuery(pasteboard: .find)).map(\.copies) == [1, 1])
        #expect(fixture.files == [2, 4, 5, 6])
        #expect(try store.clearHistory(of: nil) == 2)
        #expect(try store.ids() == [2])
        #expect(fixture.files == [2, 4, 6])
        #expect(try store.usage().entries == 1)
        try store.performAllMaintenance()
        try store.database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }

    @Test("Deleted contents are not left in any file", arguments: [true, false])
    func scrubbed(isWhole: Bool) throws {
        let store = try fixture.open()
        for number in 1...50 { try store.copy(NewEntry(number, "ordinary words \(number)")) }
        try store.copy(NewEntry(51, "extraordinarysecret"), NewEntry(52, "last"))
        try store.performAllMaintenance()
        if isWhole { _ = try store.clearHistory(of: nil) } else { _ = try store.delete([EntryID(51)]) }
        try store.performAllMaintenance()
        for path in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder) {
            guard let data = FileManager.default.contents(atPath: "\(fixture.folder)/\(path)") else { continue }
            #expect(data.range(of: Data("extraordinarysecret".utf8)) == nil, "\(path)")
            #expect(data.range(of: Data("ordinarysecret".utf8)) == nil, "\(path)")
        }
        #expect(try store.ids(HistoryQuery(search: "extraordinarysecret")) == [])
    }

    @Test("A withdrawn entry leaves the history with its words, unless an equal entry is in the history")
    func withdrawn() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"), NewEntry(2, "two"), NewEntry(3, "one"))
        try store.performAllMaintenance()
        for entry in [3, 2] {
            try store.apply(
                StoreChange(pasteboards: [StoredPasteboard(name: .general, count: 4)], withdrawn: [EntryID(entry)]))
        }
        let lines = try store.lines(HistoryQuery())
        #expect(lines.map(\.preview) == ["one"] && lines.map(\.copies) == [1] && lines.map(\.id) == [EntryID(1)])
        #expect(try store.lines(HistoryQuery(search: "two")).isEmpty)
        #expect(try store.lines(HistoryQuery(search: "one")).count == 1)
        #expect(try store.usage().entries == 1)
        #expect(fixture.files == [3])
        // The entry does not exist any longer.
        try store.apply(StoreChange(withdrawn: [EntryID(2)]))
    }
}
