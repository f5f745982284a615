/// The open elements, outermost first.
struct HTMLElementStack<Output: HTMLOutput> {
    typealias Entry = HTMLOpenElement<Output>

    /// The elements to close for an end tag.
    enum Closing {
        case nothing
        /// The elements from this depth on.
        case all(Int)
        /// One element, while the elements inside of it stay open: `<b><i></b>`.
        case one(Int)
    }

    private var entries: [Entry]
    private let maxDepth: Int
    /// The number of elements that were not entered because of the maximum depth.
    private var skippedCount = 0
    /// The number of open elements by hash of their name. A count of 0 shows that an end tag has no open element,
    /// without a search of the stack.
    private var openCounts = [Int32](repeating: 0, count: Self.bucketCount)

    private static var bucketCount: Int { 1024 }

    init(root: Entry, maxDepth: Int) {
        entries = [root]
        self.maxDepth = maxDepth
    }

    /// The number of open elements, including the root, which is never closed.
    var count: Int { entries.count }
    var top: Entry { entries[entries.count - 1] }

    /// Opens an element. Returns false if the element was not entered because it is nested too deeply.
    mutating func push(_ entry: Entry) -> Bool {
        guard entries.count < maxDepth else {
            skippedCount += 1
            return false
        }
        var entry = entry
        entry.inherit(from: top, depth: entries.count)
        openCounts[Self.bucket(entry.name)] += 1
        entries.append(entry)
        return true
    }

    mutating func pop() -> Entry {
        let entry = entries.removeLast()
        openCounts[Self.bucket(entry.name)] -= 1
        return entry
    }

    /// Removes an element that surrounds other elements, which then inherit from its parent.
    mutating func remove(at depth: Int) {
        openCounts[Self.bucket(entries[depth].name)] -= 1
        entries.remove(at: depth)
        for index in depth..<entries.count { entries[index].inherit(from: entries[index - 1], depth: index) }
    }

    private static func bucket(_ name: MarkupName) -> Int { name.bucket(of: bucketCount) }

    // MARK: Closing

    /// Forgets the last element that was not entered, whose end tag has already been read.
    mutating func forgetSkipped() { skippedCount -= 1 }

    mutating func takeEndTag(_ name: MarkupName) -> Closing {
        if skippedCount > 0 {
            skippedCount -= 1
            return .nothing
        }
        guard openCounts[Self.bucket(name)] > 0 else { return .nothing }
        let element = HTMLElement.named(name)
        guard let found = nearest({ $0.name == name }, within: { $0.protects(from: element) }) else { return .nothing }
        return element == .formatting && found < entries.count - 1 ? .one(found) : .all(found)
    }

    /// Returns the depth from which elements end because a new one begins: `<li>a<li>b`.
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
        guard own == nil, element.isBlock, openCounts[Self.bucket(HTMLNames.p)] > 0 else { return own }
        return nearest({ $0.element == .paragraph }, within: { $0.element == .cell || $0.element == .table })
    }

    /// Searches outwards for the nearest matching element, up to one that limits the search.
    private func nearest(_ matches: (Entry) -> Bool, within isLimit: (Entry) -> Bool) -> Int? {
        for index in entries.indices.dropFirst().reversed() {
            if matches(entries[index]) { return index }
            if isLimit(entries[index]) { return nil }
        }
        return nil
    }

    // MARK: Lists and tables

    /// Returns the marker of the item that was just entered; nil if the item's style has no marker.
    mutating func nextMarker(_ item: HTMLLayout) -> ListMarker? {
        guard let list = top.list else { return (item.marker ?? .bullet).marker(item.number ?? 1) }
        let number = item.number ?? entries[list].count
        entries[list].count = number &+ 1
        return (item.marker ?? entries[list].markerStyle).marker(number)
    }

    /// True if a cell that begins here is in a row.
    var isInRow: Bool {
        nearest({ $0.element == .row }, within: { $0.element == .cell || $0.element == .table }) != nil
    }

    /// Counts the cell that was just entered. Returns true if the cell is the first of its row.
    mutating func isFirstCell() -> Bool {
        guard let row = nearest({ $0.element == .row }, within: { $0.element == .table }) else { return true }
        entries[row].count += 1
        return entries[row].count == 1
    }
}

/// An open element, with the properties that it inherits.
struct HTMLOpenElement<Output: HTMLOutput> {
    let name: MarkupName
    let element: HTMLElement
    let layout: HTMLLayout
    let change: Output.StyleChange
    /// True if neither the element nor anything in it is displayed.
    private(set) var isRemoved = false
    private(set) var isVisible = true
    private(set) var whiteSpace = HTMLWhiteSpace.collapse
    private(set) var style: Output.Style
    /// The depth of the list that items inside of the element belong to.
    private(set) var list: Int?
    private(set) var listLevel = 0
    /// For a list, the number of its next item; for a row, the number of its cells.
    var count: Int

    init(name: MarkupName, element: HTMLElement, layout: HTMLLayout, change: Output.StyleChange, style: Output.Style) {
        self.name = name
        self.element = element
        self.layout = layout
        self.change = change
        self.style = style
        if case .list = element { count = layout.number ?? 1 } else { count = 0 }
    }

    mutating func inherit(from parent: Self, depth: Int) {
        isRemoved = parent.isRemoved || layout.display == .removed || element == .hidden
        isVisible = layout.isVisible ?? parent.isVisible
        whiteSpace = layout.whiteSpace ?? (element == .preformatted ? .preserve : parent.whiteSpace)
        style = Output.style(applying: change, to: parent.style)
        list = parent.list
        listLevel = parent.listLevel
        if case .list(let kind) = element {
            list = depth
            if kind != .plain { listLevel += 1 }
        }
    }

    var isShown: Bool { !isRemoved && isVisible }

    /// True if a line begins before and after the element.
    var isBlock: Bool {
        switch layout.display {
        case .block: true
        case .inline: false
        case .removed, nil: element.isBlock
        }
    }

    var isList: Bool {
        if case .list = element { true } else { false }
    }

    var markerStyle: ListMarkerStyle {
        if let marker = layout.marker { return marker }
        return switch element {
        case .list(.numbered): .numbers(.decimal)
        case .list(.plain): .none
        default: .bullet
        }
    }

    /// Returns true if an end tag of `closed` inside this element closes no element outside of it.
    func protects(from closed: HTMLElement) -> Bool {
        switch closed {
        case .table: false
        case .cell, .row, .rowGroup: element == .table
        case .inline: element.isBlock || element == .cell
        default: element == .cell || element == .table
        }
    }
}
