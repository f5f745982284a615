/// Who owns one selection, told by the sequence of XFixes events and by nothing else.
///
/// Server times repeat (many changes fall into one millisecond), and contents say nothing about who wrote them, so each
/// event is a change of its own, in the order of their arrival. An exception: an owner's window that is destroyed and
/// followed by a new owner within ten milliseconds is one change, because Wine does that at every copy.
package struct OwnershipTracker: Sendable {
    package enum Owner: Sendable, Equatable {
        case none
        case foreign(WindowID)
        case ours(OfferID)
    }

    /// The subtypes of XFixesSelectionNotify.
    package enum Event: Sendable, Equatable {
        /// Somebody set the owner, with that time; to none when the selection was given up.
        case ownerSet(Owner, acquired: ServerTime = .current)
        /// The owner's window was destroyed, or its client's connection ended, at that time of the server.
        case ownerDied(at: ServerTime)
    }

    package struct Change: Sendable, Equatable {
        package var owner: Owner
        /// Whether the former owner died, where others give the selection up.
        package var byDeath: Bool
        /// When it died. Whoever claims the selection with that time is refused if anybody has owned it since.
        package var time: ServerTime
        /// What the owner acquired the selection with: the time of the user's event, which is one for all that a program does
        /// because of it (ICCCM 2.1).
        package var acquired: ServerTime
        /// How many changes it stands for: with those before it that nobody was told of.
        package var steps = 1

        package init(
            owner: Owner, byDeath: Bool, time: ServerTime = .current, acquired: ServerTime = .current
        ) {
            self.owner = owner
            self.byDeath = byDeath
            self.time = time
            self.acquired = acquired
        }
    }

    /// How long a death is held back in case it is the first half of a change.
    package static let grace = Duration.milliseconds(10)

    /// Who owns now. None while a death is held back.
    package private(set) var owner = Owner.none
    /// When ``expire(now:)`` is due.
    package private(set) var deadline: ContinuousClock.Instant?
    /// When the owner died whose death is held back.
    private var death = ServerTime.current
    /// When the owner died that nobody came after, once that is no longer held back. Server times repeat, so whether anybody
    /// came is told by this and not by comparing times.
    package private(set) var unfollowedDeath: ServerTime?

    /// At first, before any event: the owner that was found.
    package init(found owner: Owner) {
        self.owner = owner
    }

    package mutating func handle(_ event: Event, now: ContinuousClock.Instant) -> [Change] {
        switch event {
        case .ownerSet(let new, let acquired):
            // A selection that nobody has, given up once more, is no change.
            guard new != .none || owner != .none || deadline != nil else { return [] }
            deadline = nil
            unfollowedDeath = nil
            owner = new
            return [Change(owner: new, byDeath: false, acquired: acquired)]
        case .ownerDied(let time):
            guard owner != .none else { return [] }
            owner = .none
            death = time
            deadline = now + Self.grace
            return []
        }
    }

    /// No new owner came: the death stands.
    package mutating func expire(now: ContinuousClock.Instant) -> [Change] {
        guard let due = deadline, due <= now else { return [] }
        deadline = nil
        unfollowedDeath = death
        return [Change(owner: .none, byDeath: true, time: death)]
    }
}
