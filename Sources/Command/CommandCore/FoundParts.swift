package import PasteboardWire

/// The parts of an entry's line that show the words of a search.
package struct FoundParts {
    /// The limit on the number of different words.
    private static let maxWords = 16

    /// The words as they stand in the line, longest first.
    private let words: [String]

    package init(of entry: WireHistoryEntry) {
        let text = Array((entry.searchedText ?? "").utf8)
        let found = entry.matchRanges.map { Preview.oneLine(String(decoding: text[$0], as: UTF8.self)) }
        words = Set(found).filter { !$0.isEmpty }.sorted { ($1.count, $0) < ($0.count, $1) }.prefix(Self.maxWords).map(
            \.self)
    }

    package var isEmpty: Bool { words.isEmpty }

    /// Returns the parts in order, without overlaps.
    ///
    /// - Parameters:
    ///   - start: The number of characters before the text of the entry.
    ///   - count: The number of characters of that text; nil for all that follow.
    package func ranges(in line: String, from start: Int = 0, _ count: Int? = nil) -> [Range<String.Index>] {
        let text = line.dropFirst(start).prefix(count ?? .max)
        var parts: [Range<String.Index>] = []
        for word in words {
            for part in text.ranges(of: word) where !parts.contains(where: { $0.overlaps(part) }) { parts.append(part) }
        }
        return parts.sorted { $0.lowerBound < $1.lowerBound }
    }
}
