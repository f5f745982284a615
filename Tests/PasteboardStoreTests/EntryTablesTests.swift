import PasteboardModel
import PasteboardStore
import TestRandom
import Testing

struct HoldDifferenceTests {
    private func levels(_ entries: [Int]) -> [StoredPasteboard.Level] {
        entries.map { .init(EntryID($0), action: "Copy") }
    }

    private func change(_ rows: [(Int, Int)], _ entries: [Int]) -> HoldDifference {
        HoldDifference(from: rows.map { ($0.0, levels([$0.1])[0]) }, to: levels(entries))
    }

    private func isSame(_ rows: [HoldDifference.Row], _ expected: [(Int, Int)]) -> Bool {
        rows.map(\.position) == expected.map(\.0) && rows.map(\.level.entry.number) == expected.map(\.1)
    }

    @Test("A new level adds a row after the other rows")
    func push() {
        let change = change([(7, 1), (8, 2)], [1, 2, 3])
        #expect(isSame(change.removed, []) && isSame(change.added, [(9, 3)]))
    }

    @Test("A full stack removes the row of its first level")
    func full() {
        let change = change([(0, 1), (1, 2), (2, 3)], [2, 3, 4])
        #expect(isSame(change.removed, [(0, 1)]) && isSame(change.added, [(3, 4)]))
    }

    @Test("A dropped level removes its row")
    func pop() {
        let one = change([(0, 1), (1, 2)], [1])
        #expect(isSame(one.removed, [(1, 2)]) && isSame(one.added, []))
        let all = change([(0, 1), (1, 2)], [])
        #expect(isSame(all.removed, [(0, 1), (1, 2)]) && isSame(all.added, []))
    }

    @Test("A level with another name replaces its row")
    func name() {
        let former: [HoldDifference.Row] = [(4, .init(EntryID(1), action: "Copy"))]
        let change = HoldDifference(from: former, to: [.init(EntryID(1), action: "Paste")])
        #expect(isSame(change.removed, [(4, 1)]) && isSame(change.added, [(0, 1)]))
    }

    @Test("The difference leads from any rows to any levels, in order")
    func any() {
        var random = SeededGenerator(seed: 7)
        var rows: [HoldDifference.Row] = []
        for _ in 0..<2_000 {
            let wanted = levels(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 1...3, using: &random) })
            let change = HoldDifference(from: rows, to: wanted)
            let unchanged = rows.filter { row in !change.removed.contains { $0.position == row.position } }
            rows = unchanged + change.added
            #expect(rows.map(\.level) == wanted)
            #expect(Set(rows.map(\.position)).count == rows.count)
            #expect(rows.map(\.position) == rows.map(\.position).sorted())
        }
    }
}

struct StoredBoardTests {
    @Test("Entries are ordered by their numbers")
    func order() {
        #expect([EntryID(3), EntryID(1), EntryID(2)].sorted() == [EntryID(1), EntryID(2), EntryID(3)])
    }

    @Test("Incoming contents are stored as long as the pasteboard names them")
    func incoming() throws {
        let fixture = StoreFixture()
        let store = try fixture.open()
        try store.copy(NewEntry(1, "one", isListed: false))
        for pasteboard in [
            StoredPasteboard(name: .general, count: 2, incoming: EntryID(1)),
            StoredPasteboard(name: .general, count: 3, entry: EntryID(1)),
        ] {
            try store.apply(StoreChange(pasteboards: [pasteboard]))
            #expect(try store.text(of: 1) == "one")
        }
        try store.apply(
            StoreChange(pasteboards: [StoredPasteboard(name: .general, count: 4, incoming: EntryID(1))]))
        store.close(counts: [:])
        let next = try fixture.open()
        #expect(next.opening.pasteboards.first?.entry == nil && next.opening.pasteboards.first?.incoming == EntryID(1))
        try next.apply(StoreChange(pasteboards: [StoredPasteboard(name: .general, count: 4)]))
        #expect(try !next.contains(EntryID(1)))
        #expect(fixture.files == [])
    }
}
