/// How the holds of a pasteboard at one place become others with few rows written: a stack grows at one end and loses what
/// is too old at the other, and the rest of its rows stays as it is. Their positions tell the order alone.
struct HoldChange {
    typealias Row = (position: Int, level: StoredBoard.Level)

    /// Rows that go.
    private(set) var removed: [Row]
    /// Rows that come, once those are gone.
    private(set) var added: [Row]

    /// - Parameter rows: In the order of their positions.
    init(from rows: [Row], to levels: [StoredBoard.Level]) {
        let stays = Self.longestRun(of: rows, beginning: levels)
        removed = Array(rows[..<stays.lowerBound] + rows[stays.upperBound...])
        let next = stays.isEmpty ? 0 : rows[stays.upperBound - 1].position + 1
        added = levels[stays.count...].enumerated().map { (next + $0.offset, $0.element) }
    }

    /// The most rows in a row that the levels begin with.
    private static func longestRun(of rows: [Row], beginning levels: [StoredBoard.Level]) -> Range<Int> {
        var longest = 0..<0
        for start in rows.indices {
            let most = min(rows.count - start, levels.count)
            if most <= longest.count { break }
            let count = (0..<most).first { rows[start + $0].level != levels[$0] } ?? most
            if count > longest.count { longest = start..<start + count }
        }
        return longest
    }
}
