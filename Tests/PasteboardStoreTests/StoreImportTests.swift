import LinuxSystem
import PasteboardModel
import PasteboardStore
import Testing

/// Imports into the history.
struct StoreImportTests {
    private let fixture = StoreFixture()

    private static func imported(_ number: Int, _ text: String, isPinned: Bool = false) throws -> Store.Imported {
        Store.Imported(try NewEntry(number, text, count: 0, created: number * 1_000), isPinned: isPinned)
    }

    @Test("Staged entries are in the history once the import ends, and not before")
    func finished() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "before"))
        #expect(try store.stage([Self.imported(2, "one"), Self.imported(3, "two", isPinned: true)]) == 2)
        #expect(try store.ids() == [1])
        #expect(try store.contents(of: EntryID(2))?.isListed == false)
        #expect(try store.usage().entries == 1)
        #expect(try store.lines(HistoryQuery(search: "one")).isEmpty)
        #expect(try store.stage([Self.imported(4, "three")]) == 1)
        #expect(try store.finishImport() == 3)
        #expect(try store.ids() == [4, 3, 2, 1])
        let lines = try store.lines(HistoryQuery())
        #expect(lines.map(\.isPinned) == [false, true, false, false])
        #expect(lines.map(\.created) == [4_000, 3_000, 2_000, StoreFixture.now])
        #expect(lines.map(\.copies) == [1, 1, 1, 1])
        #expect(try store.ids(HistoryQuery(search: "two")) == [3])
        try store.performAllMaintenance()
        #expect(try store.ids(HistoryQuery(search: "hre")) == [4])
        #expect(try store.text(of: 2) == "one")
        store.close(counts: [:])
        #expect(try fixture.open().opening.nextEntry == EntryID(5))
    }

    @Test("An abandoned import leaves nothing")
    func abandoned() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "before"))
        for start in stride(from: 2, to: 202, by: 20) {
            let entries = try (start..<start + 20).map { try Self.imported($0, "entry \($0)") }
            #expect(try store.stage(entries) == 20)
        }
        while try store.abandonImport() {}
        #expect(try store.ids() == [1])
        try store.performAllMaintenance()
        #expect(fixture.files == [1])
        for table in ["entry", "content", "words"] {
            #expect(try store.database.first("SELECT count(*) FROM \(table)") { $0.integer(0) } == 1)
        }
        #expect(try store.finishImport() == 0)
    }

    @Test("An import that a crash has cut short leaves nothing")
    func killed() throws {
        do {
            let store = try fixture.open()
            try store.copy(NewEntry(1, "before"))
            #expect(try store.stage([Self.imported(2, "one"), Self.imported(3, "two")]) == 2)
        }
        let store = try fixture.open()
        #expect(!store.opening.wasClosed)
        #expect(store.opening.nextEntry == EntryID(4))
        #expect(try store.ids() == [1])
        try store.performAllMaintenance()
        #expect(fixture.files == [1])
    }

    @Test("After a crash, files of entries that were not committed do not count as lost entries")
    func uncommitted() throws {
        do {
            let store = try fixture.open()
            try store.copy(NewEntry(1, "before"))
            try store.database.script(
                "CREATE TRIGGER fails BEFORE INSERT ON entry WHEN NEW.id = 3 BEGIN SELECT RAISE(ABORT, 'no'); END;")
            #expect(throws: StoreFailure.self) {
                try store.stage([Self.imported(2, "one"), Self.imported(3, "two")])
            }
            #expect(fixture.files == [1])
            try store.database.script("DROP TRIGGER fails")
            #expect(try store.ids() == [1])
        }
        #expect(try fixture.open().opening.nextEntry == EntryID(4))
    }

    @Test("Contents that are in the history already are left out, and equal entries of an import are one line")
    func equal() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "known"), NewEntry(2, "kept", isListed: false))
        let entries = try [
            Self.imported(3, "known"), Self.imported(4, "same"), Self.imported(5, "kept"), Self.imported(6, "same"),
        ]
        #expect(try store.stage(entries) == 3)
        #expect(try store.finishImport() == 3)
        #expect(try store.ids() == [6, 5, 1])
        #expect(try store.lines(HistoryQuery()).map(\.copies) == [2, 1, 1])
        // The pasteboard still has its contents.
        #expect(try store.text(of: 2) == "kept")
    }

    @Test(
        "A copy of contents that are being imported is listed at once, and shares a line with the import afterwards")
    func copiedMeanwhile() throws {
        let store = try fixture.open()
        #expect(try store.stage([Self.imported(1, "same"), Self.imported(2, "other")]) == 2)
        try store.copy(NewEntry(3, "same"))
        #expect(try store.ids() == [3])
        #expect(try store.finishImport() == 2)
        #expect(try store.ids() == [3, 2])
        #expect(try store.lines(HistoryQuery()).map(\.copies) == [2, 1])
    }

    @Test("An import that is abandoned after a copy of the same contents keeps the copy")
    func abandonedAfterCopy() throws {
        let store = try fixture.open()
        #expect(try store.stage([Self.imported(1, "same")]) == 1)
        try store.copy(NewEntry(2, "same"))
        while try store.abandonImport() {}
        #expect(try store.ids() == [2])
        #expect(try store.lines(HistoryQuery()).map(\.copies) == [1])
        #expect(try store.text(of: 2) == "same")
    }

    @Test("Clearing the history during an import removes the earlier entries, and the import still adds its own")
    func deletedMeanwhile() throws {
        let store = try fixture.open()
        try store.copy(NewEntry(1, "before"))
        #expect(try store.stage([Self.imported(2, "one")]) == 1)
        #expect(try store.clearHistory(of: nil) == 1)
        #expect(throws: StoreFailure.noSuchEntry(EntryID(2))) { try store.delete([EntryID(2)]) }
        #expect(try store.finishImport() == 1)
        #expect(try store.ids() == [2])
    }

    @Test("The room for an import is the room that the limits leave after pinned entries")
    func room() throws {
        let store = try fixture.open(limits: Store.Limits(entries: 5, age: nil, bytes: 10_000))
        try store.copy(NewEntry(1, "one"), NewEntry(2, "two"))
        try store.pin([EntryID(1)], true)
        let room = try store.importRoom()
        #expect(room.entries == 4)
        #expect((9_000..<10_000).contains(room.bytes))
    }

    @Test("Long contents of an import are merged with equal contents in the history")
    func long() throws {
        let store = try fixture.open()
        let text = String(repeating: "long ", count: 1 << 18)
        try store.copy(NewEntry(1, text))
        _ = try store.stage([Self.imported(2, text)])
        _ = try store.finishImport()
        try store.performAllMaintenance()
        #expect(try store.ids().count == 1)
    }
}
