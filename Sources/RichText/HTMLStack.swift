/// The open elements, the outermost first.
struct HTMLStack<Output: HTMLOutput> {
    typealias Entry = HTMLOpenElement<Output>

    /// What an end tag closes.
    enum Closing {
        case nothing
        /// The elements from this depth on.
        case all(Int)
        /// One element that others stand in which stay open: `<b><i></b>`.
        case one(Int)
    }

    private var entries: [Entry]
    private let limit: Int
    /// Elements that were not entered, for the depth.
    private var beyondLimit = 0
    /// How many elements are open by the bucket of their name. An end tag that matches nothing is mostly known by it.
    private var openCounts = [Int32](repeating: 0, count: 1024)

    init(root: Entry, limit: Int) {
        entries = [root]
        self.limit = limit
    }

    /// The root, which nothing closes, counts.
    var count: Int { entries.count }
    var top: Entry { entries[entries.count - 1] }

    /// False when the element was not entered, because it is nested too deep.
    mutating func push(_ entry: Entry) -> Bool {
        guard entries.count < limit else {
            beyondLimit += 1
            return false
        }
        var entry = entry
        entry.inherit(from: top, depth: entries.count)
        openCounts[entry.name.bucket(of: 1024)] += 1
        entries.append(entry)
        return true
    }

    mutating func pop() -> Entry {
        let entry = entries.removeLast()
        openCounts[entry.name.bucket(of: 1024)] -= 1
        return entry
    }

    /// Takes one element out from under others, which then inherit from its parent.
    mutating func remove(at depth: Int) {
        openCounts[entries[depth].name.bucket(of: 1024)] -= 1
        entries.remove(at: depth)
        for index in depth..<entries.count { entries[index].inherit(from: entries[index - 1], depth: index) }
    }

    // MARK: What closes what

    mutating func closing(_ name: MarkupName) -> Closing {
        if beyondLimit > 0 {
            beyondLimit -= 1
            return .nothing
        }
        guard openCounts[name.bucket(of: 1024)] > 0 else { return .nothing }
        let element = HTMLElement.named(name)
        guard let found = nearest({ $0.name == name }, within: { $0.bounds(element) }) else { return .nothing }
        return element == .formatting && found < entries.count - 1 ? .one(found) : .all(found)
    }

    /// The depth from which on elements end because this one begins: `<li>a<li>b`.
    func implicitlyClosed(by element: HTMLElement) -> Int? {
        let own: Int? =
            switch element {
            case .item, .definition, .option:
                nearest({ $0.element == element }, within: { $0.isList || $0.element == .cell || $0.element == .table })
            case .cell: nearest({ $0.element == .cell }, within: { $0.element == .row || $0.element == .table })
            case .row:
                nearest({ $0.element == .row }, within: { $0.element == .table })
                    ?? nearest({ $0.element == .cell }, within: { $0.element == .table })
            case .rowGroup:
                nearest({ $0.element == .rowGroup }, within: { $0.element == .table })
                    ?? nearest({ $0.element == .row }, within: { $0.element == .table })
            default: nil
            }
        guard own == nil, element.isBlock, openCounts[HTMLNames.p.bucket(of: 1024)] > 0 else { return own }
        return nearest({ $0.element == .paragraph }, within: { $0.element == .cell || $0.element == .table })
    }

    private func nearest(_ isWanted: (Entry) -> Bool, within isBound: (Entry) -> Bool) -> Int? {
        for index in entries.indices.dropFirst().reversed() {
            if isWanted(entries[index]) { return index }
            if isBound(entries[index]) { return nil }
        }
        return nil
    }

    // MARK: Lists and tables

    /// What stands before the item that was just entered, if anything does.
    mutating func nextMarker(_ item: HTMLLayout) -> ListMarker? {
        guard let list = top.list else { return (item.marker ?? .bullet).marker(item.number ?? 1) }
        let number = item.number ?? entries[list].count
        entries[list].count = number &+ 1
        return (item.marker ?? entries[list].markerStyle).marker(number)
    }

    /// Whether a cell that begins here has a row.
    var isInRow: Bool {
        nearest({ $0.element == .row }, within: { $0.element == .cell || $0.element == .table }) != nil
    }

    /// Counts the cell that was just entered.
    mutating func isFirstCell() -> Bool {
        guard let row = nearest({ $0.element == .row }, within: { $0.element == .table }) else { return true }
        entries[row].count += 1
        return entries[row].count == 1
    }
}

extension HTMLOpenElement {
    fileprivate var isList: Bool {
        if case .list = element { true } else { false }
    }

    /// Whether an end tag of that element closes nothing outside of this one.
    fileprivate func bounds(_ closed: HTMLElement) -> Bool {
        switch closed {
        case .table: false
        case .cell, .row, .rowGroup: element == .table
        case .inline: element.isBlock || element == .cell
        default: element == .cell || element == .table
        }
    }
}
