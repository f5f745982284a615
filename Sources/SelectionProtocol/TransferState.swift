/// How far a transfer is, to be told.
package struct TransferState: Sendable, Equatable {
    package enum Direction: Sendable, Equatable {
        case sending, receiving
        /// Nobody wants what still comes.
        case draining
    }

    package var direction: Direction
    package var selection: Atom
    package var target: Atom
    /// The requestor's, or the owner's; none where that is not known.
    package var window: WindowID
    /// In bytes, those that came.
    package var moved: Int
    /// Of the whole; nil where it is not known.
    package var length: Int?
    package var started: ContinuousClock.Instant
    /// When something moved last.
    package var touched: ContinuousClock.Instant

    package init(
        direction: Direction, selection: Atom, target: Atom, window: WindowID, moved: Int, length: Int?,
        started: ContinuousClock.Instant, touched: ContinuousClock.Instant
    ) {
        self.direction = direction
        self.selection = selection
        self.target = target
        self.window = window
        self.moved = moved
        self.length = length
        self.started = started
        self.touched = touched
    }
}
