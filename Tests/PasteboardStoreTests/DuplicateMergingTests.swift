import PasteboardModel
import PasteboardStore
import Testing

/// Tests of long contents, which are compared after they are stored.
struct DuplicateMergingTests {
    private let fixture = StoreFixture()
    private let store: Store
    private static let text = String(repeating: "long ", count: 300_000)

    init() throws { store = try fixture.open() }

    private func lines() throws -> [Int] { try store.lines(HistoryQuery()).map(\.id.number) }

    @Test("When the history is read, equal long contents become one line with all copies, and one file")
    func equal() throws {
        try store.copy(NewEntry(1, Self.text))
        try store.copy(NewEntry(2, "short"))
        try store.copy(NewEntry(3, Self.text))
        let history = try store.lines(HistoryQuery())
        #expect(history.map(\.id.number) == [3, 2] && history.map(\.copies) == [2, 1])
        try store.performAllMaintenance()
        #expect(fixture.files == [2, 3])
        #expect(try store.text(of: 1) == Self.text)
        #expect(try store.lines(HistoryQuery(search: "long")).map(\.id.number) == [3])
    }

    @Test("Maintenance merges equal long contents, one piece at a time")
    func maintenance() throws {
        let longer = String(repeating: "longer ", count: 1_300_000)
        try store.copy(NewEntry(1, longer))
        try store.copy(NewEntry(2, longer))
        try store.copy(NewEntry(3, longer, on: .find))
        #expect(fixture.files == [1, 2, 3])
        try store.performAllMaintenance()
        #expect(fixture.files == [3])
        #expect(try lines() == [3])
        #expect(try [1, 2, 3].map { try store.text(of: $0) == longer } == [true, true, true])
    }

    @Test("Long contents that differ in one byte stay two lines", arguments: [0, 700_000, 1_499_999])
    func different(position: Int) throws {
        var other = Array(Self.text.utf8)
        other[position] = UInt8(ascii: "X")
        try store.copy(NewEntry(1, Self.text))
        try store.copy(NewEntry(2, String(decoding: other, as: UTF8.self)))
        #expect(try lines() == [2, 1])
        try store.performAllMaintenance()
        #expect(fixture.files == [1, 2])
    }

    @Test("Among several long contents with the same fingerprint, the equal contents are found")
    func several() throws {
        var other = Array(Self.text.utf8)
        other[700_000] = UInt8(ascii: "X")
        try store.copy(NewEntry(1, Self.text))
        try store.copy(NewEntry(2, String(decoding: other, as: UTF8.self)))
        try store.copy(NewEntry(3, Self.text))
        #expect(try lines() == [3, 2])
    }

    @Test("Merged contents stay pinned, and are deleted together")
    func changed() throws {
        try store.copy(NewEntry(1, Self.text))
        try store.pin([EntryID(1)], true)
        try store.copy(NewEntry(2, Self.text))
        #expect(try store.lines(HistoryQuery()).map(\.isPinned) == [true])
        try store.copy(NewEntry(3, Self.text), NewEntry(4, "short"))
        #expect(try store.entries([EntryID(1), EntryID(4)], equalTo: [EntryID(3)]) == [EntryID(1)])
        #expect(try store.delete([EntryID(1)]) == 1)
        #expect(try lines() == [4])
        #expect(fixture.files == [4])
    }

    @Test("Unlisted contents that equal a line are merged with the line and do not remove it")
    func unlisted() throws {
        try store.copy(NewEntry(1, Self.text, isListed: false))
        try store.copy(NewEntry(2, Self.text, on: .find))
        #expect(try lines() == [2])
        try store.copy(NewEntry(3, Self.text, isListed: false))
        #expect(try lines() == [2])
        try store.performAllMaintenance()
        #expect(try store.text(of: 3) == Self.text && store.text(of: 2) == Self.text)
    }

    @Test(
        "When contents are copied again, their old file is kept until the new file is on the disk",
        arguments: [false, true])
    func durable(isLong: Bool) throws {
        let text = isLong ? Self.text : "short"
        try store.copy(NewEntry(1, text))
        try store.performAllMaintenance()
        try store.copy(NewEntry(2, text))
        while fixture.files.contains(1) {
            let isOnDisk = store.maintenance.unsynced.isEmpty && !store.maintenance.logging
            let hasMore = try store.performMaintenance(now: StoreFixture.now)
            #expect(isOnDisk || fixture.files == [1, 2])
            try #require(hasMore)
        }
        #expect(fixture.files == [2])
    }

    @Test("Before a deletion, the new files of other contents are written to the disk")
    func durableAtDeletion() throws {
        try store.copy(NewEntry(1, "again"), NewEntry(2, "other"))
        try store.performAllMaintenance()
        try store.copy(NewEntry(3, "again"))
        #expect(fixture.files == [1, 2, 3])
        #expect(try store.delete([EntryID(2)]) == 1)
        #expect(fixture.files == [3] && store.maintenance.unsynced.isEmpty)
    }

    @Test("Successive copies of the same contents leave few files")
    func successive() throws {
        for number in 1...200 {
            try store.copy(NewEntry(number, "again"))
            if store.isMaintenanceOverdue { _ = try store.performMaintenance(now: StoreFixture.now) }
        }
        #expect(fixture.files.count < 100)
    }

    @Test("Withdrawing either of two entries before they are compared does no harm")
    func gone() throws {
        for withdrawn in [1, 2] {
            try store.copy(NewEntry(1 + 2 * withdrawn, Self.text), NewEntry(2 + 2 * withdrawn, "short"))
            let first = EntryID(1 + 2 * withdrawn)
            try store.apply(StoreChange(withdrawn: [first]))
            #expect(try lines().contains(first.number) == false)
        }
        try store.performAllMaintenance()
        #expect(try store.usage().entries == 1)
    }
}
