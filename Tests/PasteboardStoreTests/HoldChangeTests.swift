import TestRandom
import Testing

@testable import PasteboardStore

struct HoldChangeTests {
    private func levels(_ entries: [Int]) -> [StoredBoard.Level] { entries.map { .init(EntryID($0), action: "Copy") } }

    private func change(_ rows: [(Int, Int)], _ entries: [Int]) -> HoldChange {
        HoldChange(from: rows.map { ($0.0, levels([$0.1])[0]) }, to: levels(entries))
    }

    private func isSame(_ rows: [HoldChange.Row], _ expected: [(Int, Int)]) -> Bool {
        rows.map(\.position) == expected.map(\.0) && rows.map(\.level.entry.number) == expected.map(\.1)
    }

    @Test("A level more is a row more, behind the others")
    func push() {
        let change = change([(7, 1), (8, 2)], [1, 2, 3])
        #expect(isSame(change.removed, []) && isSame(change.added, [(9, 3)]))
    }

    @Test("A stack that is full loses the row of its first level")
    func full() {
        let change = change([(0, 1), (1, 2), (2, 3)], [2, 3, 4])
        #expect(isSame(change.removed, [(0, 1)]) && isSame(change.added, [(3, 4)]))
    }

    @Test("One level less is one row less, and none of them is none")
    func pop() {
        let one = change([(0, 1), (1, 2)], [1])
        #expect(isSame(one.removed, [(1, 2)]) && isSame(one.added, []))
        let all = change([(0, 1), (1, 2)], [])
        #expect(isSame(all.removed, [(0, 1), (1, 2)]) && isSame(all.added, []))
    }

    @Test("A level whose name is another is another")
    func name() {
        let former: [HoldChange.Row] = [(4, .init(EntryID(1), action: "Copy"))]
        let change = HoldChange(from: former, to: [.init(EntryID(1), action: "Paste")])
        #expect(isSame(change.removed, [(4, 1)]) && isSame(change.added, [(0, 1)]))
    }

    @Test("Whatever was there, what is wanted is there in its order, and few rows change")
    func any() {
        var random = SeededGenerator(seed: 7)
        var rows: [HoldChange.Row] = []
        for _ in 0..<2_000 {
            let wanted = levels(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 1...3, using: &random) })
            let change = HoldChange(from: rows, to: wanted)
            let kept = rows.filter { row in !change.removed.contains { $0.position == row.position } }
            rows = kept + change.added
            #expect(rows.map(\.level) == wanted)
            #expect(Set(rows.map(\.position)).count == rows.count)
            #expect(rows.map(\.position) == rows.map(\.position).sorted())
        }
    }
}
