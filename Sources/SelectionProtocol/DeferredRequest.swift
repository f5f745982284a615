/// A request that waits for bytes which are being made.
struct DeferredRequest: Sendable {
    let request: SelectionRequest
    /// The list of a MULTIPLE.
    let pairs: [UInt32]?
    let offer: OfferID
    /// The bodies that are not there yet.
    var awaited: Set<Int>
    let deadline: ContinuousClock.Instant
}
