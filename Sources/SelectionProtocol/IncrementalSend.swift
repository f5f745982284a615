/// One answer under way by INCR (ICCCM 2.7.2): the property is written anew each time the requestor deletes it.
struct IncrementalSend: Sendable {
    let offer: OfferID
    let selection: Atom
    let target: Atom
    let entry: OfferTable.Entry
    /// Of the whole, in bytes.
    let length: Int
    let chunk: Int
    let started: ContinuousClock.Instant
    /// When the requestor took something last.
    private(set) var touched: ContinuousClock.Instant
    private(set) var sent = 0
    /// What the requestor has taken: all but the last piece.
    private(set) var taken = 0

    init(
        offer: OfferID, selection: Atom, target: Atom, entry: OfferTable.Entry, length: Int, chunk: Int,
        started: ContinuousClock.Instant
    ) {
        self.offer = offer
        self.selection = selection
        self.target = target
        self.entry = entry
        self.length = length
        self.chunk = chunk
        self.started = started
        touched = started
    }

    /// The requestor took what there was. The next piece; empty at the end.
    ///
    /// - Parameter end: Where a piece in that range best ends. It is kept to where that leaves something of the piece.
    mutating func next(now: ContinuousClock.Instant, _ end: (Range<Int>) -> Int) -> Range<Int> {
        touched = now
        taken = sent
        let longest = sent..<min(sent + chunk, length)
        let isLast = longest.upperBound == length
        let best = isLast ? length : end(longest)
        let range = sent..<(longest.contains(best - 1) ? best : longest.upperBound)
        sent = range.upperBound
        return range
    }
}
