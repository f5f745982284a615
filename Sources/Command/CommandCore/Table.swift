import Terminal

/// Rows as lines for a person: in columns that are separated by two blanks.
package enum Table {
    private static let gap = 2

    /// - Parameter rows: Rows with the same number of fields. Control characters become U+FFFD.
    package static func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(Line.visible) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { Columns.count($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let padded = zip(row, widths).dropLast().map { Columns.padded($0, to: $1 + gap) }
            return padded.joined() + (row.last ?? "")
        }
    }
}
