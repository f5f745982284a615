/// A request that waits for bytes which are being made, or for what is being done.
struct DeferredRequest: Sendable {
    let request: SelectionRequest
    /// The list of a MULTIPLE.
    let pairs: [UInt32]?
    let offer: OfferID
    /// The bodies that are not there yet.
    var awaited: Set<Int>
    /// What is being done, by its numbers, and the properties that are to say so.
    var pending: [Int: Atom]
    /// The properties of what was done.
    var performed: Set<Atom> = []
    let started: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant

    /// Whether there is nothing to wait for any more.
    var isComplete: Bool { awaited.isEmpty && pending.isEmpty }
}
