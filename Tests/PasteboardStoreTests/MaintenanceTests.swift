import Foundation
import PasteboardModel
import PasteboardStore
import Testing

struct MaintenanceTests {
    private let fixture = StoreFixture()

    @Test("The limit on lines drops the oldest lines, except lines that are pinned or on a pasteboard")
    func limitByNumber() throws {
        let store = try fixture.open(limits: .init(entries: 3, age: nil, bytes: 1 << 30))
        try store.copy(NewEntry(1, "held", on: .find), NewEntry(2, "pinned"))
        try store.pin([EntryID(2)], true)
        for number in 3...60 { try store.copy(NewEntry(number, "text \(number)")) }
        try store.performAllMaintenance()
        #expect(try store.ids() == [60, 59, 2, 1])
        #expect(fixture.files == [1, 2, 59, 60])
        store.limits.entries = 0
        try store.performAllMaintenance()
        #expect(try store.ids() == [60, 2, 1])
        #expect(try store.ids(HistoryQuery(search: "60")) == [60])
    }

    @Test("The limit on the age drops lines by the time of their last copy")
    func limitByAge() throws {
        let store = try fixture.open(limits: .init(entries: 100, age: .seconds(10), bytes: 1 << 30))
        try store.copy(
            NewEntry(1, "again", created: 0), NewEntry(2, "old", created: 1_000),
            NewEntry(3, "again", created: 12_000), NewEntry(4, "new", created: 12_000))
        try store.performAllMaintenance(now: 11_000)
        #expect(try store.ids() == [4, 3, 2])
        try store.performAllMaintenance(now: 11_001)
        #expect(try store.ids() == [4, 3])
    }

    @Test("The limit on bytes drops the oldest lines, and does not count contents on a pasteboard")
    func limitByBytes() throws {
        let store = try fixture.open(limits: .init(entries: 100, age: nil, bytes: 45_000))
        for number in 1...6 { try store.copy(NewEntry(number, String(repeating: "\(number)", count: 10_000))) }
        try store.performAllMaintenance()
        #expect(try store.ids() == [6, 5, 4, 3, 2])
        let usage = try store.usage()
        #expect(usage.entries == 5)
        #expect((50_000...55_000).contains(usage.bytes))
    }

    @Test("Contents that cannot be dropped because a pasteboard holds them do not displace other contents")
    func limitBesideHeld() throws {
        let store = try fixture.open(limits: .init(entries: 100, age: nil, bytes: 45_000))
        for number in 1...3 { try store.copy(NewEntry(number, "text \(number)")) }
        try store.copy(NewEntry(4, String(repeating: "4", count: 100_000)))
        try store.performAllMaintenance()
        #expect(try store.ids() == [4, 3, 2, 1])
        try store.copy(NewEntry(5, "text 5"), undo: [4])
        try store.performAllMaintenance()
        #expect(try store.ids() == [5, 4, 3, 2, 1])
        // Nothing holds entry 4 any longer.
        try store.copy(NewEntry(6, "text 6"))
        try store.performAllMaintenance()
        #expect(try store.ids() == [6, 5, 3, 2, 1])
    }

    @Test("Expired or forgotten contents do not remain in the log", arguments: [false, true])
    func scrubbed(isForgotten: Bool) throws {
        let store = try fixture.open()
        let entry = try NewEntry(1, "a token")
        let pasteboard = StoredPasteboard(
            name: .general, count: 1, entry: entry.id, expires: isForgotten ? nil : StoreFixture.now + 1_000)
        try store.apply(StoreChange(entries: [entry], pasteboards: [pasteboard]))
        func log() throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: fixture.database + "-wal")), as: UTF8.self)
        }
        try store.performAllMaintenance()
        #expect(try log().contains("a token"))
        try store.apply(
            StoreChange(
                pasteboards: [StoredPasteboard(name: .general, count: 2)], withdrawn: isForgotten ? [entry.id] : []))
        try store.performAllMaintenance()
        #expect(try !log().contains("a token"))
    }

    @Test("The sums are correct after any changes")
    func totals() throws {
        let store = try fixture.open(limits: .init(entries: 20, age: nil, bytes: 1 << 30))
        for number in 1...100 {
            try store.copy(
                NewEntry(number, "text \(number % 37)", isListed: number % 5 != 0), undo: number > 3 ? [number - 1] : []
            )
            if number % 7 == 0 { try? store.pin([EntryID(number - 2)], true) }
            if number % 11 == 0 { _ = try? store.delete([EntryID(number - 3)]) }
            if number % 13 == 0 { try store.performAllMaintenance() }
        }
        let expected = try store.database.first(
            """
            SELECT count(*) FILTER (WHERE copies > 0), sum(size), count(*) FILTER (WHERE copies > 0 AND NOT pinned),
                sum(size) FILTER (WHERE copies > 0 AND NOT pinned) FROM content
            """
        ) { row in (0..<4).map { row.integer($0) } }
        #expect(try store.database.first("SELECT * FROM total") { row in (0..<4).map { row.integer($0) } } == expected)
        let files = fixture.files.filter { !store.maintenance.pendingDeletion.contains($0) }
        #expect(expected?[1] == files.reduce(0) { $0 + (BlobFolder(in: fixture.folder).length(of: $1) ?? 0) })
    }
}
