package enum Suggestion {
    /// Returns the first of the names that begins with the word, if the word has at least two letters. Otherwise
    /// returns the nearest name, if its distance is at most two edits and at most half of the word's letters.
    ///
    /// An edit inserts, removes or replaces a letter, or swaps two adjacent letters.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let lowercased = word.lowercased()
        if word.count > 1, let longer = names.first(where: { $0.hasPrefix(lowercased) }) { return longer }
        let word = Array(lowercased)
        let distances = names.map { (name: $0, distance: distance(word, Array($0))) }
        let best = distances.min { $0.distance < $1.distance }
        return best.flatMap { $0.distance <= min(2, word.count / 2) ? $0.name : nil }
    }

    /// Returns the optimal string alignment distance.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
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
