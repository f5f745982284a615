import PasteboardModel
import Testing

@testable import PasteboardStore

struct StoredBoardTests {
    @Test("Entries are in the order in which they were made")
    func order() {
        #expect([EntryID(3), EntryID(1), EntryID(2)].sorted() == [EntryID(1), EntryID(2), EntryID(3)])
    }
}
