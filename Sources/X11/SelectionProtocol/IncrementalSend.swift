/// A value being sent by INCR (ICCCM 2.7.2): the property is written again each time the requestor deletes it.
package struct IncrementalSend: Sendable {
    let offer: OfferID
    let selection: Atom
    let target: Atom
    let entry: OfferTable.Entry
    /// The total length in bytes.
    let length: Int
    let chunk: Int
    let started: ContinuousClock.Instant
    /// The time at which the requestor last took a chunk.
    private(set) var lastProgress: ContinuousClock.Instant
    private(set) var sent = 0
    /// The number of bytes that the requestor has taken: all sent bytes except those of the last chunk.
    private(set) var acknowledged = 0

    package init(
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
        lastProgress = started
    }

    /// Returns the range of the next chunk after the requestor has taken the previous one; empty at the end.
    ///
    /// - Parameter end: Returns the preferred end of a chunk within a range. The end is used if it lies within the
    ///   range and leaves the chunk non-empty.
    package mutating func next(now: ContinuousClock.Instant, _ end: (Range<Int>) -> Int) -> Range<Int> {
        lastProgress = now
        acknowledged = sent
        let available = sent..<min(sent + chunk, length)
        let isLast = available.upperBound == length
        let best = isLast ? length : end(available)
        let range = sent..<(available.contains(best - 1) ? best : available.upperBound)
        sent = range.upperBound
        return range
    }
}
