import PasteboardModel
import Testing

@testable import PasteboardStore

struct StoredBoardTests {
    @Test("Entries are in the order in which they were made")
    func order() {
        #expect([EntryID(3), EntryID(1), EntryID(2)].sorted() == [EntryID(1), EntryID(2), EntryID(3)])
    }

    @Test("What is about to be on a pasteboard is kept whatever is told of that meanwhile, and no longer")
    func coming() throws {
        let fixture = StoreFixture()
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one", isListed: false))
        for board in [
            StoredBoard(name: .general, count: 2, coming: EntryID(1)),
            StoredBoard(name: .general, count: 3, entry: EntryID(1)),
        ] {
            try store.apply(StoreChange(boards: [board]), now: StoreFixture.now)
            #expect(try store.text(of: 1) == "one")
        }
        try store.apply(
            StoreChange(boards: [StoredBoard(name: .general, count: 4, coming: EntryID(1))]), now: StoreFixture.now)
        store.close(counts: [:])
        let next = try fixture.open()
        #expect(next.opening.boards.first?.entry == nil && next.opening.boards.first?.coming == EntryID(1))
        try next.apply(StoreChange(boards: [StoredBoard(name: .general, count: 4)]), now: StoreFixture.now)
        #expect(try !next.contains(EntryID(1)))
        #expect(fixture.files == [])
    }
}
