/// The counts of pasteboards that were removed: one that is made again goes on from there. So many of them are
/// remembered; the counts of the earliest ones fold into a floor, from which all others start.
struct RememberedCounts: Equatable, Sendable {
    /// Where a pasteboard starts whose count is not remembered.
    private(set) var floor: Int
    private let limit: Int
    private(set) var counts: [PasteboardName: Int] = [:]
    /// In the order in which they were removed.
    private var order: [PasteboardName] = []

    init(limit: Int, floor: Int) {
        self.limit = limit
        self.floor = floor
    }

    mutating func raise(to floor: Int) { self.floor = max(floor, self.floor) }

    func contains(_ name: PasteboardName) -> Bool { counts[name] != nil }

    /// The count at which a pasteboard would start that was made now.
    func next(of name: PasteboardName) -> Int { counts[name] ?? floor }

    /// The count at which a pasteboard starts that is made now.
    mutating func start(of name: PasteboardName) -> Int {
        guard let count = counts.removeValue(forKey: name) else { return floor }
        order.removeAll { $0 == name }
        return count
    }

    mutating func remember(_ count: Int, of name: PasteboardName) {
        counts[name] = count
        order.append(name)
        guard order.count > limit else { return }
        floor = max(floor, counts.removeValue(forKey: order.removeFirst()) ?? floor)
    }
}
