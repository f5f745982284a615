import Foundation
import PasteboardModel
import Testing

@testable import PasteboardStore

struct HistoryDeletionTests {
    private let fixture = StoreFixture()

    private func ids(_ store: Store, _ query: HistoryQuery = HistoryQuery()) throws -> [Int] {
        try store.history(query).map(\.id.number)
    }

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

    @Test("What is withdrawn leaves the history with its words, unless it came before as well")
    func withdrawn() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one"), NewEntry(2, "two"), NewEntry(3, "one"))
        try store.tidyUp()
        for entry in [3, 2] {
            try store.apply(
                StoreChange(boards: [StoredBoard(name: .general, count: 4)], withdrawn: [EntryID(entry)]),
                now: StoreFixture.now)
        }
        let lines = try store.history(HistoryQuery())
        #expect(lines.map(\.preview) == ["one"] && lines.map(\.copies) == [1] && lines.map(\.id) == [EntryID(1)])
        #expect(try store.history(HistoryQuery(search: "two")).isEmpty)
        #expect(try store.history(HistoryQuery(search: "one")).count == 1)
        #expect(try store.usage().entries == 1)
        #expect(fixture.files == [3])
        // It is gone already.
        try store.apply(StoreChange(withdrawn: [EntryID(2)]), now: StoreFixture.now)
    }
}
