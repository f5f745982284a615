/// The order of conversions by the same owner, which keeps captures from disturbing readers: xsel exits when it sends
/// two long strings at once, and xclip never answers a request that arrives while it sends.
///
/// Readers convert concurrently, except from an owner that looks like xsel or xclip, which they read one after the
/// other. A capture starts a conversion only while there is no reader, and readers wait for its conversion under way.
/// Readers and captures wait while the owner is still sending a canceled conversion. Sending may take a long time, and
/// the owner may stop, so a reader waits only while the owner makes progress, and not longer than ``maxWait``.
package struct OwnerReadScheduler {
    package typealias Instant = ContinuousClock.Instant

    /// A conversion under way or in line.
    private struct Conversion {
        let selection: String
        /// The time at which the conversion started, or at which its owner last sent something.
        var lastActivity: Instant
        /// True once the owner sends the conversion by INCR.
        var isSending = false
        /// True if the owner serves no other requestor until the conversion ends.
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
        /// The conversions during which no other conversion starts: those of a capture, exclusive ones, and canceled
        /// ones that are still being sent.
        var exclusive: Set<Ticket> = []
        /// The queue, in the order of arrival.
        var waiting: [Waiting] = []

        mutating func start(_ reader: Waiting) {
            if reader.isExclusive { exclusive.insert(reader.ticket) } else { readers.insert(reader.ticket) }
        }

        var isIdle: Bool { readers.isEmpty && exclusive.isEmpty && waiting.isEmpty }
    }

    private var owners: [String: Owner] = [:]
    private var conversions: [Ticket: Conversion] = [:]

    /// The time that a reader waits for an owner that makes no progress, before its first answer and while it sends.
    static let idleTimeout = (unanswered: Duration.seconds(1), sending: Duration.seconds(3))
    /// The time that a reader waits for an owner that continues to send, unless the reader's own request would then
    /// fail.
    static let maxWait = Duration.seconds(5)

    package init() {}

    /// Starts a conversion, or puts it into the queue.
    ///
    /// - Parameters:
    ///   - isExclusive: True if the owner fails other requestors while it sends to one.
    ///   - timeout: The time that the requestor waits for the owner.
    /// - Returns: true if the conversion may start now. If false, a later call returns its ticket.
    package mutating func start(
        _ ticket: Ticket, of selection: String, isCapture: Bool, isExclusive: Bool = false, timeout: Duration,
        now: Instant
    ) -> Bool {
        var owner = owners[selection] ?? Owner()
        defer { owners[selection] = owner }
        conversions[ticket] = Conversion(selection: selection, lastActivity: now, isExclusive: isExclusive)
        let waiting = Waiting(
            ticket: ticket, isCapture: isCapture, isExclusive: isExclusive && !isCapture, timeout: timeout, since: now)
        if isCapture, owner.exclusive.isEmpty, owner.readers.isEmpty {
            owner.exclusive.insert(ticket)
        } else if !isCapture, owner.exclusive.isEmpty || deadline(of: waiting, at: owner) <= now {
            owner.start(waiting)
        } else {
            owner.waiting.append(waiting)
            return false
        }
        return true
    }

    /// Records that the owner has sent a part of a conversion.
    package mutating func progress(_ ticket: Ticket, now: Instant) {
        conversions[ticket]?.lastActivity = now
        conversions[ticket]?.isSending = true
    }

    /// Records that a conversion was canceled while its owner sends it.
    package mutating func drain(_ ticket: Ticket) {
        guard let selection = conversions[ticket]?.selection else { return }
        conversions[ticket]?.isSending = true
        if owners[selection]?.readers.remove(ticket) != nil { owners[selection]?.exclusive.insert(ticket) }
    }

    /// Removes a conversion that has ended, or that was canceled while it was in the queue.
    ///
    /// - Returns: The conversions that may start now.
    package mutating func finish(_ ticket: Ticket, now: Instant) -> [Ticket] {
        guard let selection = conversions.removeValue(forKey: ticket)?.selection, var owner = owners[selection] else {
            return []
        }
        owner.readers.remove(ticket)
        owner.exclusive.remove(ticket)
        owner.waiting.removeAll { $0.ticket == ticket }
        var started: [Ticket] = []
        if owner.exclusive.isEmpty {
            for reader in owner.waiting where !reader.isCapture && owner.exclusive.isEmpty {
                owner.start(reader)
                started.append(reader.ticket)
            }
            owner.waiting.removeAll { started.contains($0.ticket) }
            if owner.readers.isEmpty, owner.exclusive.isEmpty, let next = owner.waiting.first?.ticket {
                owner.waiting.removeFirst()
                owner.exclusive.insert(next)
                started.append(next)
            }
        }
        for ticket in started { conversions[ticket]?.lastActivity = now }
        owners[selection] = owner.isIdle ? nil : owner
        return started
    }

    /// Forgets the conversions by the former owner of a selection: they do not disturb conversions by the new owner.
    ///
    /// - Returns: The conversions that were in the queue.
    package mutating func ownerChanged(of selection: String) -> [Ticket] {
        guard let owner = owners.removeValue(forKey: selection) else { return [] }
        let waiting = owner.waiting.map(\.ticket)
        for ticket in owner.readers.union(owner.exclusive).union(waiting) { conversions[ticket] = nil }
        return waiting
    }

    /// Returns the conversions in the queue after a conversion under way.
    package func waiting(for ticket: Ticket) -> [Ticket] {
        guard let selection = conversions[ticket]?.selection, let owner = owners[selection],
            owner.exclusive.contains(ticket) || owner.readers.contains(ticket)
        else { return [] }
        return owner.waiting.map(\.ticket)
    }

    // MARK: Time

    /// Returns the time at which a reader starts although other conversions are under way.
    private func deadline(of waiting: Waiting, at owner: Owner) -> Instant {
        let underWay = owner.exclusive.compactMap { conversions[$0] }
        let timeouts = underWay.map { conversion in
            let timeout = conversion.isSending ? Self.idleTimeout.sending : Self.idleTimeout.unanswered
            return conversion.lastActivity + min(timeout, waiting.timeout / 2)
        }
        let end = waiting.since + Self.maxWait
        // While an exclusive conversion is sent, another request would fail.
        let wouldFail = underWay.contains { $0.isExclusive && $0.isSending }
        return wouldFail ? timeouts.max() ?? end : min(timeouts.max() ?? end, end)
    }

    /// The time at which ``expire(now:)`` is due.
    package var deadline: Instant? {
        owners.values.lazy.compactMap { owner in
            owner.waiting.filter { !$0.isCapture }.map { deadline(of: $0, at: owner) }.min()
        }.min()
    }

    /// Starts the readers that have waited long enough, and returns them.
    package mutating func expire(now: Instant) -> [Ticket] {
        var started: [Ticket] = []
        for (selection, owner) in owners {
            let due = owner.waiting.filter { !$0.isCapture && deadline(of: $0, at: owner) <= now }
            guard !due.isEmpty else { continue }
            for reader in due { owners[selection]?.start(reader) }
            let tickets = due.map(\.ticket)
            owners[selection]?.waiting.removeAll { tickets.contains($0.ticket) }
            for ticket in tickets { conversions[ticket]?.lastActivity = now }
            started += tickets
        }
        return started
    }
}
