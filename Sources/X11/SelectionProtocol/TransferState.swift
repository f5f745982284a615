/// The progress of a transfer, for reports.
package struct TransferState: Sendable, Equatable {
    package enum Direction: Sendable, Equatable {
        case sending, receiving
        /// The data that still arrives is discarded.
        case draining
    }

    package var direction: Direction
    package var selection: Atom
    package var target: Atom
    /// The requestor's or the owner's window; none if it is not known.
    package var window: WindowID
    /// The number of bytes that have arrived.
    package var moved: Int
    /// The total length in bytes; nil if it is not known.
    package var length: Int?
    package var started: ContinuousClock.Instant
    package var lastProgress: ContinuousClock.Instant

    package init(
        direction: Direction, selection: Atom, target: Atom, window: WindowID, moved: Int, length: Int?,
        started: ContinuousClock.Instant, lastProgress: ContinuousClock.Instant
    ) {
        self.direction = direction
        self.selection = selection
        self.target = target
        self.window = window
        self.moved = moved
        self.length = length
        self.started = started
        self.lastProgress = lastProgress
    }
}

/// The reason why a peer got none, or only part, of the requested data.
package enum TransferRefusal: Sendable, Hashable {
    case unknownTarget
    /// The data to be generated was not ready in time, or generating it failed.
    case notReady
    /// The contents that a program asked to save were not saved.
    case notSaved
    /// The window that was asked no longer offers anything.
    case retired
    /// A MULTIPLE without a readable list.
    case badList
    /// The peer reached its timeout.
    case stalled
    case limit(TransferQuota.Limit)
    /// The transfer was slow, and a new transfer needed its place.
    case evicted(TransferQuota.Limit)
}
