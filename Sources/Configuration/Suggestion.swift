package enum Suggestion {
    /// Returns the nearest of the names, if it differs by at most two slips and at most half of the word's letters.
    ///
    /// A slip is a surplus, missing or wrong letter, or two swapped ones.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let distances = names.map { (name: $0, slips: slips(Array(word.lowercased()), Array($0))) }
        guard let best = distances.min(by: { $0.slips < $1.slips }), best.slips <= min(2, word.count / 2) else {
            return nil
        }
        return best.name
    }

    /// Returns the optimal string alignment distance.
    private static func slips(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for (i, character) in one.enumerated() {
            var row = [i + 1]
            for (j, candidate) in other.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (character == candidate ? 0 : 1))
                if i > 0, j > 0, character == other[j - 1], one[i - 1] == candidate {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
