import CommandCore
package import PasteboardWire
package import Terminal
import TextSearch
import UniformTypes

/// The state of `xpb pick`: keys and entries go in, and effects come out. It is independent of terminal and bridge.
package struct PickModel {
    /// Work for the caller.
    package enum Effect: Equatable, Sendable {
        /// List the entries that match ``PickModel/search``, and pass them to ``PickModel/show(_:)``.
        case list
        /// Pin an entry, or unpin it, and list the entries again.
        case pin(Int, Bool)
        case finish(Ending)
        /// Stop the job, as Ctrl-Z does.
        case suspend
        /// Draw the whole screen again.
        case redraw
    }

    package enum Ending: Equatable, Sendable {
        /// Return: the entries that were marked, in the order in which they were marked, or else the selected entry, by
        /// their numbers.
        case chosen([Int])
        /// Escape.
        case left
        /// Ctrl-C.
        case interrupted
    }

    /// The limit on the entries of a list. A search finds older entries.
    package static let maxEntries = 1_000
    /// The limit on the characters of a search.
    private static let maxSearch = 200
    /// The minimum number of letters for a search that also finds scattered letters. Fewer letters are in every line.
    private static let minLetters = 3

    /// The typed text.
    package private(set) var search = ""
    /// The entries on the screen, latest first, without deleted and concealed ones.
    package private(set) var entries: [WireHistoryEntry] = []
    /// The index of the selected entry; 0 if there is none.
    package private(set) var selection = 0
    /// The index of the first entry on the screen.
    package private(set) var top = 0
    /// The entries to be deleted when the user leaves, in the order in which they were marked.
    package private(set) var deleted: [WireHistoryEntry] = []
    /// The entries that are marked to be chosen together, in the order in which they were marked.
    private var marks: [WireHistoryEntry] = []
    /// The numbers of the marked entries.
    package var marked: [Int] { marks.map(\.id) }
    /// A message for the user, shown until the next key.
    package var message: String?

    /// All entries that match the search.
    private var found: [WireHistoryEntry] = []
    /// The latest entries, as listed without a search. A search also looks for scattered letters among them.
    private var latest: [WireHistoryEntry] = []
    /// The lines of the latest entries, by their numbers. They are made once, since each letter looks at all of them.
    private var lines: [Int: Line] = [:]

    private struct Line {
        let text: String
        let folded: FoldedText
    }

    /// The places of scattered letters in the lines of entries, by the entries' numbers.
    package private(set) var letters: [Int: [Int]] = [:]
    /// True if more entries match the search than are listed.
    package private(set) var isPartial = false
    /// The number of entries that the screen has room for.
    package private(set) var pageLength = 1

    package init() {}

    package var selected: WireHistoryEntry? { entries.indices.contains(selection) ? entries[selection] : nil }

    // MARK: Entries

    /// Shows the entries that match the search. The selected entry stays selected if it is among them, so that a copy
    /// in another program never changes the entry that Return would copy.
    ///
    /// - Parameter isPartial: True if more entries match, and are to be shown next.
    /// - Returns: false if the selected entry is not among them, and another one is selected.
    @discardableResult
    package mutating func show(_ found: [WireHistoryEntry], isPartial: Bool = false) -> Bool {
        self.isPartial = isPartial
        if isListing, !isPartial { noteLatest(found) }
        letters = [:]
        self.found = isPartial ? found : found + scattered(without: found)
        return update()
    }

    /// Takes the latest entries during a search, since entries may be deleted or pinned elsewhere.
    package mutating func noteLatest(_ entries: [WireHistoryEntry]) {
        latest = entries
        let known = lines
        lines = [:]
        for entry in entries { lines[entry.id] = known[entry.id] }
    }

    private mutating func line(of entry: WireHistoryEntry) -> Line {
        if let line = lines[entry.id] { return line }
        let text = Preview().text(entry)
        let line = Line(text: text, folded: FoldedText(text))
        lines[entry.id] = line
        return line
    }

    /// True if the search is empty or blank.
    package var isListing: Bool { search.allSatisfy(\.isWhitespace) }

    /// Returns the latest entries that have the letters of the search in order with others between them, best first.
    private mutating func scattered(without found: [WireHistoryEntry]) -> [WireHistoryEntry] {
        // Quotes and filters mean that the words are to be found as they are.
        guard search.count(where: \.isLetter) >= Self.minLetters, !search.contains(where: { ":\"".contains($0) }) else {
            return []
        }
        let pattern = FuzzyPattern(search)
        let known = Set(found.map(\.id))
        // The scores by the indices of the entries.
        var scores: [Int: Int] = [:]
        for (index, entry) in latest.enumerated() where !known.contains(entry.id) {
            let line = line(of: entry)
            guard pattern.mayMatch(line.folded), let match = pattern.match(line.text) else { continue }
            scores[index] = match.score
            letters[entry.id] = match.offsets
        }
        // The latest comes first among equals.
        let best = scores.keys.sorted { (-scores[$0, default: 0], $0) < (-scores[$1, default: 0], $1) }
        return best.map { latest[$0] }
    }

    @discardableResult
    private mutating func update() -> Bool {
        let former = selected
        let index = selection
        entries = found.filter { entry in
            // A second line of defense, since the history never contains secrets.
            !entry.types.contains(UniformType.concealed.identifier) && !deleted.contains { $0.id == entry.id }
        }
        updateMarks()
        // Another copy of the same contents gives their line a later ID.
        let same = former.flatMap { former in
            entries.firstIndex { $0.id == former.id } ?? entries.firstIndex { $0.hasContents(of: former) }
        }
        selection = same ?? max(min(index, entries.count - 1), 0)
        scroll()
        return former == nil || same != nil
    }

    /// Moves marks to the later lines of the same contents, and removes those of entries that were deleted elsewhere.
    private mutating func updateMarks() {
        let isComplete = isListing && !isPartial && found.count < Self.maxEntries
        marks = marks.compactMap { mark in
            if entries.contains(where: { $0.id == mark.id }) { return mark }
            return entries.first { $0.hasContents(of: mark) } ?? (isComplete ? nil : mark)
        }
    }

    /// Sets the number of entries that the screen has room for.
    package mutating func setPageLength(_ length: Int) {
        pageLength = max(length, 1)
        scroll()
    }

    private mutating func scroll() {
        top = min(max(top, selection - pageLength + 1), selection)
        // No row stays empty while there are entries for it.
        top = max(min(top, entries.count - pageLength), 0)
    }

    // MARK: Keys

    package mutating func handle(_ key: Key) -> [Effect] {
        message = nil
        switch key {
        case .text(let text): return find(String((search + text).prefix(Self.maxSearch)))
        case .backspace: return find(String(search.dropLast()))
        case .control("w"): return find(searchWithoutLastWord)
        case .control("u"): return find("")
        case .up, .control("p"): move(to: selection - 1)
        case .down, .control("n"): move(to: selection + 1)
        case .pageUp: move(to: selection - pageLength)
        case .pageDown: move(to: selection + pageLength)
        case .home: move(to: 0)
        case .end: move(to: entries.count - 1)
        case .delete, .control("d"): markDeleted()
        case .control("r"): bringBack()
        case .control("t"): return selected.map { [.pin($0.id, !$0.pinned)] } ?? []
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .control("c"): return [.finish(.interrupted)]
        case .escape: return [.finish(.left)]
        case .tab: mark()
        case .enter:
            let chosen = marked.isEmpty ? [selected?.id].compactMap(\.self) : marked
            return chosen.isEmpty ? [] : [.finish(.chosen(chosen))]
        case .left, .right, .control: break
        }
        return []
    }

    private mutating func find(_ text: String) -> [Effect] {
        guard text != search else { return [] }
        search = text
        selection = 0
        top = 0
        // The selection must not follow its entry to a place among other results.
        found = []
        entries = []
        return [.list]
    }

    private var searchWithoutLastWord: String {
        let words = search.reversed().drop { $0 == " " }.drop { $0 != " " }
        return String(words.reversed())
    }

    private mutating func move(to index: Int) {
        selection = max(min(index, entries.count - 1), 0)
        scroll()
    }

    /// Marks the selected entry, or removes its mark, and selects the next entry.
    private mutating func mark() {
        guard let entry = selected else { return }
        if let index = marked.firstIndex(of: entry.id) { marks.remove(at: index) } else { marks.append(entry) }
        move(to: selection + 1)
    }

    private mutating func markDeleted() {
        guard let entry = selected else { return }
        deleted.append(entry)
        marks.removeAll { $0.id == entry.id }
        // The next entry takes the place of this one.
        entries.remove(at: selection)
        selection = max(min(selection, entries.count - 1), 0)
        scroll()
        message = "deleted; Ctrl-R brings it back until you leave"
    }

    private mutating func bringBack() {
        guard let entry = deleted.popLast() else {
            message = "nothing was deleted"
            return
        }
        update()
        if let index = entries.firstIndex(where: { $0.id == entry.id }) { move(to: index) }
        message = "brought back"
    }
}

extension WireHistoryEntry {
    /// True if all that the line shows of the contents is the same.
    fileprivate func hasContents(of other: WireHistoryEntry) -> Bool {
        (types, length, preview) == (other.types, other.length, other.preview)
            && (width, height) == (other.width, other.height)
    }
}
