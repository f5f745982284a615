/// The requestor's side of ICCCM section 2: one conversion, on its own window, from the request to the last byte.
///
/// This is a pure state machine: each call takes an event and the time, and returns the effects in the order in which
/// to perform them. The bytes do not pass through the machine, which only learns how many were read and decides whether
/// they are stored.
///
/// An abandoned conversion is *drained*, not forgotten: its window stays and receives whatever the owner still sends,
/// because an unread INCR transfer blocks xclip for all requestors, and a late answer to a destroyed window kills an
/// owner that does not handle errors. A transfer that has begun is drained for a limited time; an owner that has not
/// answered at all is awaited for as long as it owns the selection.
package struct Conversion: Sendable {
    private enum Phase: Sendable, Equatable {
        case requested
        case reading
        case receiving(type: Atom, format: Int)
        /// Abandoned. `incremental` is true once the owner is known to send by INCR.
        case draining(incremental: Bool)
        case closed
    }

    private let atoms: ProtocolAtoms
    private let limits: TransferLimits
    private let idleTimeout: Duration
    private var phase = Phase.requested
    private var received = 0
    /// The latest time at which draining ends; nil until draining has begun.
    private var drainEnd: ContinuousClock.Instant?

    /// The time at which ``expire(now:)`` is due; nil once closed, and while ``isAwaitingOwner``.
    package private(set) var deadline: ContinuousClock.Instant?

    /// Creates the conversion right after its request was sent. `idleTimeout` limits the time that the owner takes for
    /// each step.
    package init(atoms: ProtocolAtoms, limits: TransferLimits, idleTimeout: Duration, now: ContinuousClock.Instant) {
        self.atoms = atoms
        self.limits = limits
        self.idleTimeout = idleTimeout
        deadline = now + idleTimeout
    }

    /// True while the owner sends by INCR, whether the data is wanted or not.
    package var isReceiving: Bool {
        switch phase {
        case .receiving, .draining(incremental: true): true
        case .requested, .reading, .draining(incremental: false), .closed: false
        }
    }

    /// True if the conversion was abandoned before its owner answered. A stopped program that resumes a day later still
    /// answers, and xclip and xsel die if the window has been destroyed. The window is therefore kept for as long as
    /// the owner owns the selection.
    package var isAwaitingOwner: Bool { phase == .draining(incremental: false) && deadline == nil }

    /// True once the owner has answered.
    package var hasBegun: Bool { phase != .requested }

    package mutating func handle(_ event: Event, now: ContinuousClock.Instant) -> [Effect] {
        switch event {
        case .notified(let property): return notified(property, now: now)
        case .propertyWritten: return propertyWritten()
        case .read(let reading): return read(reading, now: now)
        case .ownerGone: return isDraining ? close() : [.fail(.ownerGone)] + close()
        case .ownerReplaced:
            if isAwaitingOwner { drain(now: now) }
            return isDraining ? [] : giveUp(.ownerReplaced, now: now)
        case .cancelled: return isDraining ? [] : giveUp(.cancelled, now: now)
        case .evicted: return isDraining ? close() : [.fail(.tooSlow(received: received))] + close()
        }
    }

    /// Handles the deadline, if it has passed.
    package mutating func expire(now: ContinuousClock.Instant) -> [Effect] {
        guard let deadline, deadline <= now else { return [] }
        switch phase {
        case .requested, .reading: return giveUp(.silent, now: now)
        case .receiving: return giveUp(.stalled(received: received), now: now)
        case .draining, .closed: return close()
        }
    }

    // MARK: Steps

    private mutating func notified(_ property: Atom, now: ContinuousClock.Instant) -> [Effect] {
        switch phase {
        case .requested:
            guard property != .none else { return [.fail(.refused)] + close() }
            phase = .reading
            return [.read]
        case .draining(incremental: false):
            // A late answer is still read, so that the owner can finish.
            return property == .none ? close() : [.read]
        case .reading, .receiving, .draining(incremental: true), .closed:
            // This is a second answer, or a forged one.
            return []
        }
    }

    private mutating func propertyWritten() -> [Effect] {
        switch phase {
        case .receiving, .draining(incremental: true): [.read]
        // This write precedes the SelectionNotify, and the value is read after the SelectionNotify.
        case .requested, .reading, .draining(incremental: false), .closed: []
        }
    }

    private mutating func read(_ reading: Reading, now: ContinuousClock.Instant) -> [Effect] {
        switch phase {
        case .reading: return readAnswer(reading, now: now)
        case .receiving(let type, let format): return readChunk(reading, type: type, format: format, now: now)
        case .draining(let incremental):
            // This notice is for a write that an earlier read has already consumed.
            if reading.type == .none, incremental { return [] }
            if reading.type == atoms.incr || (incremental && reading.length > 0) {
                phase = .draining(incremental: true)
                drain(now: now)
                return []
            }
            return close()
        case .requested, .closed: return []
        }
    }

    private mutating func readAnswer(_ reading: Reading, now: ContinuousClock.Instant) -> [Effect] {
        // Qt refuses a conversion by naming, in the notify, a property that it never wrote.
        guard reading.type != .none else { return [.fail(.refused)] + close() }
        if reading.type == atoms.incr {
            // Reading the property deleted it, which starts the transfer. The announced length is only a lower bound,
            // and xclip omits it.
            phase = .receiving(type: .none, format: 0)
            deadline = now + idleTimeout
            if let bound = reading.firstWord, Int(bound) > limits.incoming { return giveUp(.tooLong, now: now) }
            return []
        }
        guard !reading.isChanged else { return [.fail(.inconsistent)] + close() }
        guard reading.length <= limits.incoming else { return [.fail(.tooLong)] + close() }
        return [.store, .finish(type: reading.type, format: reading.format)] + close()
    }

    private mutating func readChunk(
        _ reading: Reading, type: Atom, format: Int, now: ContinuousClock.Instant
    ) -> [Effect] {
        // This notice, such as that of the INCR property itself, is for a write that an earlier read has already
        // consumed.
        guard reading.type != .none else { return [] }
        deadline = now + idleTimeout
        // The owner has started the transfer again, or replaced the property: this is neither a chunk nor a valid end.
        guard !reading.isChanged, type != .none || reading.type != atoms.incr else {
            return giveUp(.inconsistent, now: now)
        }
        guard reading.length > 0 else {
            // GTK 3 takes the type and format of the whole value from this last chunk, where other owners leave them
            // out. Here the type and format of the first chunk count.
            let whole = type == .none ? (reading.type, reading.format) : (type, format)
            return [.finish(type: whole.0, format: whole.1)] + close()
        }
        guard type == .none || (type == reading.type && format == reading.format) else {
            return giveUp(.inconsistent, now: now)
        }
        received += reading.length
        guard received <= limits.incoming else { return giveUp(.tooLong, now: now) }
        phase = .receiving(type: reading.type, format: reading.format)
        return [.store]
    }

    // MARK: Ends

    private var isDraining: Bool {
        switch phase {
        case .draining, .closed: true
        case .requested, .reading, .receiving: false
        }
    }

    private mutating func giveUp(_ failure: Failure, now: ContinuousClock.Instant) -> [Effect] {
        let incremental =
            switch phase {
            case .receiving: true
            case .requested, .reading, .draining, .closed: false
            }
        phase = .draining(incremental: incremental)
        if incremental || failure == .ownerReplaced { drain(now: now) } else { deadline = nil }
        return [.fail(failure)]
    }

    private mutating func drain(now: ContinuousClock.Instant) {
        let end = drainEnd ?? now + limits.maxDrain
        drainEnd = end
        deadline = min(now + limits.drain, end)
    }

    private mutating func close() -> [Effect] {
        guard phase != .closed else { return [] }
        phase = .closed
        deadline = nil
        return [.close]
    }
}
