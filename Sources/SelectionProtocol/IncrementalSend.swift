/// One answer under way by INCR (ICCCM 2.7.2): the property is written anew each time the requestor deletes it.
struct IncrementalSend: Sendable {
    let offer: OfferID
    let entry: OfferTable.Entry
    /// Of the whole, in bytes.
    let length: Int
    let chunk: Int
    var sent = 0
    var deadline: ContinuousClock.Instant

    init(offer: OfferID, entry: OfferTable.Entry, length: Int, chunk: Int, deadline: ContinuousClock.Instant) {
        self.offer = offer
        self.entry = entry
        self.length = length
        self.chunk = chunk
        self.deadline = deadline
    }

    /// The next piece; empty at the end.
    ///
    /// - Parameter end: Where a piece in that range best ends. It is kept to where that leaves something of the piece.
    mutating func next(_ end: (Range<Int>) -> Int) -> Range<Int> {
        let longest = sent..<min(sent + chunk, length)
        let isLast = longest.upperBound == length
        let best = isLast ? length : end(longest)
        let range = sent..<(longest.contains(best - 1) ? best : longest.upperBound)
        sent = range.upperBound
        return range
    }
}
