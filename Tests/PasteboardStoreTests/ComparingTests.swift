import PasteboardModel
import Testing

@testable import PasteboardStore

/// Long contents, which are compared once they are stored.
struct ComparingTests {
    private let fixture = StoreFixture()
    private let store: Store
    private static let text = String(repeating: "long ", count: 300_000)

    init() throws { store = try fixture.open() }

    private func lines() throws -> [Int] { try store.history(HistoryQuery()).map(\.id.number) }

    @Test("Those that are equal are one line to whoever looks, with all copies, and one file")
    func equal() throws {
        try store.copy(NewEntry(1, Self.text))
        try store.copy(NewEntry(2, "short"))
        try store.copy(NewEntry(3, Self.text))
        let history = try store.history(HistoryQuery())
        #expect(history.map(\.id.number) == [3, 2] && history.map(\.copies) == [2, 1])
        try store.tidyUp()
        #expect(fixture.files == [2, 3])
        #expect(try store.text(of: 1) == Self.text)
        #expect(try store.history(HistoryQuery(search: "long")).map(\.id.number) == [3])
    }

    @Test("They become one by themselves, a piece at a time")
    func tidied() throws {
        let longer = String(repeating: "longer ", count: 1_300_000)
        try store.copy(NewEntry(1, longer))
        try store.copy(NewEntry(2, longer))
        try store.copy(NewEntry(3, longer, on: .find))
        #expect(fixture.files == [1, 2, 3])
        try store.tidyUp()
        #expect(fixture.files == [3])
        #expect(try lines() == [3])
        #expect(try [1, 2, 3].map { try store.text(of: $0) == longer } == [true, true, true])
    }

    @Test("A byte makes two of them", arguments: [0, 700_000, 1_499_999])
    func different(position: Int) throws {
        var other = Array(Self.text.utf8)
        other[position] = UInt8(ascii: "X")
        try store.copy(NewEntry(1, Self.text))
        try store.copy(NewEntry(2, String(decoding: other, as: UTF8.self)))
        #expect(try lines() == [2, 1])
        try store.tidyUp()
        #expect(fixture.files == [1, 2])
    }

    @Test("Of several the equal one is found")
    func several() throws {
        var other = Array(Self.text.utf8)
        other[700_000] = UInt8(ascii: "X")
        try store.copy(NewEntry(1, Self.text))
        try store.copy(NewEntry(2, String(decoding: other, as: UTF8.self)))
        try store.copy(NewEntry(3, Self.text))
        #expect(try lines() == [3, 2])
    }

    @Test("What was pinned stays pinned, and what is deleted is deleted with what is equal to it")
    func changed() throws {
        try store.copy(NewEntry(1, Self.text))
        try store.pin([EntryID(1)], true)
        try store.copy(NewEntry(2, Self.text))
        #expect(try store.history(HistoryQuery()).map(\.isPinned) == [true])
        try store.copy(NewEntry(3, Self.text), NewEntry(4, "short"))
        #expect(try store.entries([EntryID(1), EntryID(4)], equalTo: [EntryID(3)]) == [EntryID(1)])
        #expect(try store.delete([EntryID(1)]) == 1)
        #expect(try lines() == [4])
        #expect(fixture.files == [4])
    }

    @Test("What is on a pasteboard only becomes a line with what is equal to it, and loses no line")
    func unlisted() throws {
        try store.copy(NewEntry(1, Self.text, isListed: false))
        try store.copy(NewEntry(2, Self.text, on: .find))
        #expect(try lines() == [2])
        try store.copy(NewEntry(3, Self.text, isListed: false))
        #expect(try lines() == [2])
        try store.tidyUp()
        #expect(try store.text(of: 3) == Self.text && store.text(of: 2) == Self.text)
    }

    @Test("One that goes before it was compared, or the other one, is no harm")
    func gone() throws {
        for withdrawn in [1, 2] {
            try store.copy(NewEntry(1 + 2 * withdrawn, Self.text), NewEntry(2 + 2 * withdrawn, "short"))
            let first = EntryID(1 + 2 * withdrawn)
            try store.apply(StoreChange(withdrawn: [first]), now: StoreFixture.now)
            #expect(try lines().contains(first.number) == false)
        }
        try store.tidyUp()
        #expect(try store.usage().entries == 1)
    }
}
