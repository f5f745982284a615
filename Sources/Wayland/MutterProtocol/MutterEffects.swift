package import DataControlProtocol

extension MutterClipboard {
    package enum Effect: Hashable, Sendable {
        /// Call mutter, and pass its answer to ``MutterClipboard/answered(_:_:)``.
        case call(Call)
        /// From now on, the selection is reported, beginning with the current owner.
        case attached
        /// The selection's initial owner has been reported.
        case settled
        /// The selection cannot be read yet. This effect occurs at most once, before the first ``settled``.
        ///
        /// - Parameter reason: The reason, if the selection may become readable later; nil if the bus has no mutter.
        case unavailable(_ reason: String?)
        /// The selection has a new owner. Each such effect is one change.
        case changed(DataControlClient.Owner)
        /// A source is no longer offered. This effect follows each ``MutterClipboard/set(types:marker:isWithheld:)``
        /// once, unless the session ends.
        case ended(SourceID, DataControlClient.SourceEnd)
        /// The selection is unknown until the next ``attached``. All sources and offers have ended.
        case detached
        /// Call ``MutterClipboard/open()`` after this time, or when the screen is unlocked.
        case retry(after: Duration)
        /// mutter has handled everything that was sent before the sync call.
        case synced(SyncID)
        /// Find out whether an offer is empty text and whether the screen is locked, and pass the answer to
        /// ``MutterClipboard/looked(at:isBlank:isLocked:)``.
        case look(ForeignOfferID, type: String)
    }

    /// A method of mutter. The names are those of the interface.
    package enum Call: Hashable, Sendable {
        case createSession
        case enableClipboard
        /// `SetSelection` with types.
        case set(SourceID, types: [String])
        /// `SetSelection` without types, which releases the selection.
        case unset
        /// `SelectionWrite`: the answer has the descriptor for a source's contents in a type.
        case write(SourceID, type: String, serial: UInt32)
        /// `SelectionWriteDone`, without success.
        case refuse(UInt32)
        /// A call that mutter answers in order, for this machine (`fence`) or for a caller (`sync`).
        case fence(Int)
        case sync(SyncID)
    }

    package enum Answer: Hashable, Sendable {
        case done
        /// There is no such service on the bus, or it lacks the interface.
        case noService
        case failed(String)
    }
}
