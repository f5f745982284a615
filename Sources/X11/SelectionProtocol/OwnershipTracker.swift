/// The owner of one selection, determined only by the sequence of XFixes events.
///
/// Server times repeat (many changes fall into one millisecond), and contents do not reveal who wrote them, so each
/// event counts as a separate change, in order of arrival. There is one exception: the destruction of an owner's
/// window, followed by a new owner within ten milliseconds, is a single change, because Wine does that on every copy.
package struct OwnershipTracker: Sendable {
    package enum Owner: Sendable, Equatable {
        case none
        case foreign(WindowID)
        /// The compositor of a Wayland session, which owns selections of X11 for Wayland programs.
        case compositor(WindowID)
        case ours(OfferID)
    }

    /// The kinds of XFixesSelectionNotify events.
    package enum Event: Sendable, Equatable {
        /// The owner was set, with the given time of acquisition. The owner is none if the selection was released.
        case ownerSet(Owner, acquired: ServerTime = .current)
        /// The owner's window was destroyed, or its client's connection ended, at the given server time.
        case ownerDied(at: ServerTime)
    }

    package struct Change: Sendable, Equatable {
        package var owner: Owner
        /// True if the previous owner died, false if it released the selection.
        package var isDeath: Bool
        /// The time of death. A claim with this time is refused by the server if the selection has had an owner since.
        package var time: ServerTime
        /// The time with which the owner acquired the selection. It is the time of the user's event, and the same for
        /// everything that a program does in response to that event (ICCCM 2.1).
        package var acquired: ServerTime
        /// True if the previous owner died just before.
        package var followsDeath = false
        /// True for an owner that may have put back the contents of a program on another connection that died within
        /// ``OwnershipTracker/refillTime``, as clipboard managers do.
        package var mayBeRefill = false
        /// True for the release of a selection that this bridge owned.
        package var endsOurs = false
        /// The number of changes that this one represents, including earlier changes that were not reported.
        package var steps = 1

        package init(owner: Owner, isDeath: Bool, time: ServerTime = .current, acquired: ServerTime = .current) {
            self.owner = owner
            self.isDeath = isDeath
            self.time = time
            self.acquired = acquired
        }
    }

    /// The time for which a death is held back, in case it is the first half of a change.
    package static let grace = Duration.milliseconds(10)
    /// The time in which a clipboard manager puts back the contents of a program that has died.
    package static let refillTime = Duration.milliseconds(500)

    /// The current owner; none while a death is held back.
    package private(set) var owner = Owner.none
    /// The time at which ``expire(now:)`` is due.
    package private(set) var deadline: ContinuousClock.Instant?
    /// The time of the death that is held back.
    private var death = ServerTime.current
    /// The time at which the last owner died, if no owner followed; set once the death is no longer held back. Server
    /// times repeat, so comparing times would not show whether an owner followed.
    package private(set) var unfollowedDeath: ServerTime?
    /// The window of the last program that died, if no other program has followed, and the end of ``refillTime``.
    private var dead: (window: WindowID, until: ContinuousClock.Instant)?
    /// The bits with which a client numbers its own windows.
    private let windowBits: UInt32

    /// Creates the tracker before any event, with the owner that was found.
    package init(found owner: Owner, windowBits: UInt32 = 0) {
        self.owner = owner
        self.windowBits = windowBits
    }

    package mutating func handle(_ event: Event, now: ContinuousClock.Instant) -> [Change] {
        switch event {
        case .ownerSet(let new, let acquired):
            // Releasing a selection that has no owner is not a change.
            guard new != .none || owner != .none || deadline != nil else { return [] }
            var change = Change(owner: new, isDeath: false, acquired: acquired)
            change.followsDeath = deadline != nil
            if case .ours = owner, new == .none { change.endsOurs = true }
            change.mayBeRefill = mayRefill(new, now: now)
            deadline = nil
            unfollowedDeath = nil
            owner = new
            return [change]
        case .ownerDied(let time):
            guard owner != .none else { return [] }
            if case .foreign(let window) = owner { dead = (window, now + Self.refillTime) }
            owner = .none
            death = time
            deadline = now + Self.grace
            return []
        }
    }

    /// Returns true if a new owner may put back a dead program's contents. The bridge itself may have owned the
    /// selection in between.
    private mutating func mayRefill(_ new: Owner, now: ContinuousClock.Instant) -> Bool {
        if case .ours = new { return false }
        defer { dead = nil }
        guard case .foreign(let window) = new, let dead, now <= dead.until else { return false }
        return window.id & ~windowBits != dead.window.id & ~windowBits
    }

    /// Reports the death that was held back, if no new owner came before the deadline.
    package mutating func expire(now: ContinuousClock.Instant) -> [Change] {
        guard let due = deadline, due <= now else { return [] }
        deadline = nil
        unfollowedDeath = death
        return [Change(owner: .none, isDeath: true, time: death)]
    }
}
