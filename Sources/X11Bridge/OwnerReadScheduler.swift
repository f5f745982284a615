/// Keeps what is captured of an owner out of the way of those who read from it: xsel dies when it sends two long texts
/// at once, and xclip never answers who asks while it sends one.
///
/// Readers do not wait for one another, but where the owner looks like one of these two: then its bytes are asked for by one
/// after the other. A capture begins no conversion while there are any, and they wait for the one
/// that it is in; and all wait for what the owner still sends of a conversion that was given up. That may be long, and
/// the owner may be silent: a reader waits for signs of life only, and not for ever.
package struct OwnerReadScheduler {

    package init() {}
    package typealias Instant = ContinuousClock.Instant

    /// A conversion under way.
    private struct Course {
        let selection: String
        /// When it began, or its owner last sent something.
        var sign: Instant
        /// Whether the owner is sending it by INCR.
        var isSending = false
        /// Whether the owner serves nobody else meanwhile.
        var isExclusive = false
    }

    private struct Waiting {
        let ticket: Ticket
        let isCapture: Bool
        let isExclusive: Bool
        let timeout: Duration
        let since: Instant
    }

    private struct Owner {
        var readers: Set<Ticket> = []
        /// Those that nothing is to begin beside: a capture's, one that has to be alone, and what was given up and is still
        /// sent.
        var exclusive: Set<Ticket> = []
        /// In the order in which they came.
        var waiting: [Waiting] = []

        /// A reader begins.
        mutating func begin(_ reader: Waiting) {
            if reader.isExclusive { exclusive.insert(reader.ticket) } else { readers.insert(reader.ticket) }
        }

        var isIdle: Bool { readers.isEmpty && exclusive.isEmpty && waiting.isEmpty }
    }

    private var owners: [String: Owner] = [:]
    private var courses: [Ticket: Course] = [:]

    /// How long a reader waits for an owner that has not begun to answer, and for one that has.
    package static let silence = (unanswered: Duration.seconds(1), sending: Duration.seconds(3))
    /// How long it waits for an owner that goes on sending, unless that would be in vain.
    package static let longest = Duration.seconds(5)

    /// A conversion is to begin.
    ///
    /// - Parameters:
    ///   - isExclusive: Whether its owner fails those that ask while it sends.
    ///   - timeout: How long who wants it waits for the owner.
    /// - Returns: Whether it may; else it is told later that it may.
    package mutating func begin(
        _ ticket: Ticket, of selection: String, isCapture: Bool, isExclusive: Bool = false, timeout: Duration,
        now: Instant
    ) -> Bool {
        var owner = owners[selection] ?? Owner()
        defer { owners[selection] = owner }
        courses[ticket] = Course(selection: selection, sign: now, isExclusive: isExclusive)
        let waiting = Waiting(
            ticket: ticket, isCapture: isCapture, isExclusive: isExclusive && !isCapture, timeout: timeout, since: now)
        if isCapture, owner.exclusive.isEmpty, owner.readers.isEmpty {
            owner.exclusive.insert(ticket)
        } else if !isCapture, owner.exclusive.isEmpty || deadline(of: waiting, at: owner) <= now {
            owner.begin(waiting)
        } else {
            owner.waiting.append(waiting)
            return false
        }
        return true
    }

    /// The owner has sent something of a conversion.
    package mutating func progress(_ ticket: Ticket, now: Instant) {
        courses[ticket]?.sign = now
        courses[ticket]?.isSending = true
    }

    /// A conversion was given up, and its owner still sends it.
    package mutating func drain(_ ticket: Ticket) {
        guard let selection = courses[ticket]?.selection else { return }
        courses[ticket]?.isSending = true
        if owners[selection]?.readers.remove(ticket) != nil { owners[selection]?.exclusive.insert(ticket) }
    }

    /// A conversion is over, or not wanted any more, whether it had begun or not.
    ///
    /// - Returns: Those that may begin now.
    package mutating func end(_ ticket: Ticket, now: Instant) -> [Ticket] {
        guard let selection = courses.removeValue(forKey: ticket)?.selection, var owner = owners[selection] else {
            return []
        }
        owner.readers.remove(ticket)
        owner.exclusive.remove(ticket)
        owner.waiting.removeAll { $0.ticket == ticket }
        var begun: [Ticket] = []
        if owner.exclusive.isEmpty {
            for reader in owner.waiting where !reader.isCapture && owner.exclusive.isEmpty {
                owner.begin(reader)
                begun.append(reader.ticket)
            }
            owner.waiting.removeAll { begun.contains($0.ticket) }
            if owner.readers.isEmpty, owner.exclusive.isEmpty, let next = owner.waiting.first?.ticket {
                owner.waiting.removeFirst()
                owner.exclusive.insert(next)
                begun.append(next)
            }
        }
        for ticket in begun { courses[ticket]?.sign = now }
        owners[selection] = owner.isIdle ? nil : owner
        return begun
    }

    /// Somebody else owns a selection now: what the former owner still sends is in nobody's way.
    ///
    /// - Returns: Those that waited for their turn with the former one.
    package mutating func ownerChanged(of selection: String) -> [Ticket] {
        guard let owner = owners.removeValue(forKey: selection) else { return [] }
        let waiting = owner.waiting.map(\.ticket)
        for ticket in owner.readers.union(owner.exclusive).union(waiting) { courses[ticket] = nil }
        return waiting
    }

    /// Those that wait for a conversion under way.
    package func waiting(for ticket: Ticket) -> [Ticket] {
        guard let selection = courses[ticket]?.selection, let owner = owners[selection],
            owner.exclusive.contains(ticket) || owner.readers.contains(ticket)
        else { return [] }
        return owner.waiting.map(\.ticket)
    }

    // MARK: Time

    /// When a reader waits no longer.
    private func deadline(of waiting: Waiting, at owner: Owner) -> Instant {
        let underway = owner.exclusive.compactMap { courses[$0] }
        let signs = underway.map { course in
            course.sign + min(course.isSending ? Self.silence.sending : Self.silence.unanswered, waiting.timeout / 2)
        }
        let end = waiting.since + Self.longest
        let isInVain = underway.contains { $0.isExclusive && $0.isSending }
        return isInVain ? signs.max() ?? end : min(signs.max() ?? end, end)
    }

    /// When ``expire(now:)`` is due.
    package var deadline: Instant? {
        owners.values.lazy.compactMap { owner in
            owner.waiting.filter { !$0.isCapture }.map { deadline(of: $0, at: owner) }.min()
        }.min()
    }

    /// - Returns: The readers that have waited long enough, and begin.
    package mutating func expire(now: Instant) -> [Ticket] {
        var begun: [Ticket] = []
        for (selection, owner) in owners {
            let due = owner.waiting.filter { !$0.isCapture && deadline(of: $0, at: owner) <= now }
            guard !due.isEmpty else { continue }
            for reader in due { owners[selection]?.begin(reader) }
            let tickets = due.map(\.ticket)
            owners[selection]?.waiting.removeAll { tickets.contains($0.ticket) }
            for ticket in tickets { courses[ticket]?.sign = now }
            begun += tickets
        }
        return begun
    }
}
