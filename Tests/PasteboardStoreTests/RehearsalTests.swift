import PasteboardModel
import Testing

@testable import PasteboardStore

@Suite("Rehearsal")
struct RehearsalTests {
    private let fixture = StoreFixture()

    @Test("It changes nothing, and has the log begun")
    func nothing() throws {
        let former = try fixture.open()
        try former.copy(NewEntry(1, "kept"))
        let usage = try former.usage()
        former.close(counts: [:])

        let store = try fixture.open()
        #expect(store.logLength == 0)
        store.rehearse(now: StoreFixture.now)
        #expect(store.logLength > 0)
        #expect(try store.usage() == usage)
        #expect(try store.text(of: 1) == "kept")
        #expect(fixture.files == [1])
        store.close(counts: [:])
        let opening = try fixture.open().opening
        #expect(opening.boards.map(\.name) == [.general])
        #expect(opening.nextEntry == EntryID(2))
    }

    @Test("A log that is emptied when there is time is begun again")
    func tidied() throws {
        let store = try fixture.open()
        for number in 1...100 { try store.copy(NewEntry(number, "text \(number)")) }
        let length = store.logLength
        try store.tidyUp()
        #expect(1..<length ~= store.logLength)
    }
}
