/// The expected state of the pasteboard after the programs' copies.
struct CrossingReference {
    enum Side { case display, seat, bridge }

    /// The number of copies since everything was settled, and their sides.
    private var copies = 0
    private var sides: Set<Side> = []
    /// The contents that the pasteboard may have now, by number; nil for none.
    private var possible: Set<Int?> = [nil]
    /// True if programs on the seat paste contents other than the pasteboard's, for example because an X11 program's
    /// secret leaves the seat unchanged. The compositor may bring the two in line when the focus changes.
    private var isSplit = false
    /// True if a bridge has started since everything was settled. The bridge claims its stored contents, and the claim
    /// may cross a copy.
    private var isStarted = false
    /// True if a client of the bridge has written a secret since everything was settled.
    private var hasSecret = false
    /// The expected number of changes.
    private var count = 0
    /// The number of claims and offers of the bridge, and of changes of the focus, since everything was settled.
    var works = 0
    var focusChanges = 0
    /// The number of times that something may have changed while there was no bridge.
    private var misses = 0

    /// True if nothing has been copied or missed since everything was settled.
    var isSettled: Bool { copies == 0 && misses == 0 }

    /// True if nothing has crossed the last copy.
    var isSingle: Bool { copies <= 1 && misses == 0 && focusChanges == 0 }

    /// The side of the only copy or write since everything was settled, if nothing else has happened.
    var onlySide: Side? { isSingle ? sides.first : nil }
    /// True if a client had written before everything was settled.
    private var followsWrite = false
    var isSecondWrite: Bool { onlySide == .bridge && followsWrite }

    /// - Parameter isAlone: True if nothing is under way that could cross this copy.
    mutating func copied(_ number: Int, _ side: Side, isSecret: Bool, isAlone: Bool) {
        hasSecret = hasSecret || side == .bridge && isSecret
        if isSettled && !isStarted || isAlone { possible = [] }
        possible.insert(number)
        copies += 1
        sides.insert(side)
    }

    /// Records that an owner has ended: the contents are kept at the same count, or they are gone.
    mutating func ended(keeping isKept: Bool) {
        guard !isKept else { return }
        possible = [nil]
        count += 1
    }

    /// Records that the bridge was killed while nothing was under way, and the contents were its own.
    mutating func killed(leaving number: Int?) {
        isSplit = false
        followsWrite = false
        possible = [number]
    }

    /// Records changes that no bridge has counted. The next bridge finds some of these contents.
    mutating func missed(finding numbers: Set<Int?>) {
        possible.formUnion(numbers)
        misses += 1
    }

    /// Records that a bridge has started, and the contents that it may find.
    mutating func started(finding numbers: Set<Int?>) {
        isStarted = true
        if misses > 0 { possible.formUnion(numbers) }
    }

    func compare(_ number: Int?, count actual: Int) throws(BrokenInvariant) {
        // A late copy of an X11 program's contents from before a secret was written looks like a Wayland program's copy
        // whose contents disappear at once.
        let mayBeLost = hasSecret && copies > 2 && sides.count > 1 && number == nil
        try expect(
            possible.contains(number) || mayBeLost,
            "the pasteboard has the last copy: \(number ?? 0) is not one of \(possible.map { $0 ?? 0 }.sorted())")
        let due = count + copies
        if misses > 0 {
            try expect(
                count...due + copies + 2 * misses ~= actual,
                "copies and found owners are counted: \(actual) is not \(due)")
        } else if sides.count <= 1 {
            // The copies that a compositor makes of an X11 program's quick copies may be taken for a Wayland program's
            // copies.
            let isQuick = copies > 1 && sides == [.display]
            let most = due + (isSplit ? 1 : 0) + (isQuick ? copies : 0)
            try expect(due...most ~= actual, "each copy is counted once: \(actual) is not \(due)")
        } else {
            // Copies on both sides that cross each other may be counted as returns of the previous contents.
            try expect(
                count + 1...due + copies ~= actual,
                "copies that cross each other are counted: \(actual) is not \(due)")
        }
        let causes = copies + focusChanges + misses + 1
        try expect(works <= 12 * causes, "the bridge does not claim again and again: \(works)")
    }

    mutating func settled(_ number: Int?, seat: Int?, isSplit: Bool, count: Int) {
        self.count = count
        followsWrite = onlySide == .bridge
        self.isSplit = isSplit
        possible = [number, seat]
        copies = 0
        (hasSecret, isStarted) = (false, false)
        sides = []
        works = 0
        focusChanges = 0
        misses = 0
    }
}
