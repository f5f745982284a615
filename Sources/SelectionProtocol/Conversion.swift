/// The requestor's half of ICCCM section 2: one conversion, on a window of its own, from the request to the last byte.
///
/// A pure machine: each call takes what happened and the time, and returns what is to be done, in order. The bytes pass
/// it by: it sees how many were read, and says whether they are kept.
///
/// A conversion that was given up is *drained*, not forgotten: its window lives on and takes what the owner still
/// sends, because an INCR that nobody takes locks xclip for everybody, and a late answer to a destroyed window kills a
/// naive owner. What the owner began to send is drained for so long; who has said nothing is awaited as long as it owns the
/// selection.
package struct Conversion: Sendable {
    private enum Phase: Sendable, Equatable {
        case requested
        case reading
        case receiving(type: Atom, format: Int)
        /// Given up; `incremental` once the owner is known to send by INCR.
        case draining(incremental: Bool)
        case closed
    }

    private let atoms: ProtocolAtoms
    private let limits: TransferLimits
    private let silence: Duration
    private var phase = Phase.requested
    private var received = 0
    /// Until when it is drained at most, once it is.
    private var drainEnd: ContinuousClock.Instant?

    /// When ``expire(now:)`` is due; nil once closed, and while ``isAwaitingOwner``.
    package private(set) var deadline: ContinuousClock.Instant?

    /// The request was just sent. `silence` is how long the owner may take for each step.
    package init(
        atoms: ProtocolAtoms, limits: TransferLimits, silence: Duration, now: ContinuousClock.Instant
    ) {
        self.atoms = atoms
        self.limits = limits
        self.silence = silence
        deadline = now + silence
    }

    /// Whether the owner sends it by INCR, wanted or not, and has not come to the end.
    package var isReceiving: Bool {
        switch phase {
        case .receiving, .draining(incremental: true): true
        case .requested, .reading, .draining(incremental: false), .closed: false
        }
    }

    /// Whether it was given up before its owner has answered. A stopped program that goes on a day later still answers, and
    /// xclip and xsel die where its window is gone by then: it stays for as long as they own the selection.
    package var isAwaitingOwner: Bool { phase == .draining(incremental: false) && deadline == nil }

    /// Whether bytes have begun to come.
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
        case .ended: return isDraining ? close() : [.fail(.dripped(received: received))] + close()
        }
    }

    /// The deadline has passed.
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
            // The answer came after all: it is taken, so that the owner may end.
            return property == .none ? close() : [.read]
        case .reading, .receiving, .draining(incremental: true), .closed:
            // A second answer, or a forged one.
            return []
        }
    }

    private mutating func propertyWritten() -> [Effect] {
        switch phase {
        case .receiving, .draining(incremental: true): [.read]
        // The write before the notify is seen here too: it is read when the notify comes.
        case .requested, .reading, .draining(incremental: false), .closed: []
        }
    }

    private mutating func read(_ reading: Reading, now: ContinuousClock.Instant) -> [Effect] {
        switch phase {
        case .reading: return readAnswer(reading, now: now)
        case .receiving(let type, let format): return readPiece(reading, type: type, format: format, now: now)
        case .draining(let incremental):
            // The notice of a write that an earlier read took already.
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
        // Qt refuses by a notify with a property that it never wrote.
        guard reading.type != .none else { return [.fail(.refused)] + close() }
        if reading.type == atoms.incr {
            // The read deleted it, and that starts the transfer. Its length is only a lower bound, and xclip leaves it
            // out.
            phase = .receiving(type: .none, format: 0)
            deadline = now + silence
            if let bound = reading.firstWord, Int(bound) > limits.incoming { return giveUp(.tooLong, now: now) }
            return []
        }
        guard !reading.isChanged else { return [.fail(.inconsistent)] + close() }
        guard reading.length <= limits.incoming else { return [.fail(.tooLong)] + close() }
        return [.keep, .finish(type: reading.type, format: reading.format)] + close()
    }

    private mutating func readPiece(
        _ reading: Reading, type: Atom, format: Int, now: ContinuousClock.Instant
    ) -> [Effect] {
        // The notice of a write that an earlier read took already: the INCR property's own comes here.
        guard reading.type != .none else { return [] }
        deadline = now + silence
        // No piece, nor an end without any: the owner has begun anew, or does not know what it sends.
        guard !reading.isChanged, type != .none || reading.type != atoms.incr else {
            return giveUp(.inconsistent, now: now)
        }
        guard reading.length > 0 else {
            // GTK 3 takes type and format of the whole from this piece, where others leave them out: the first counts.
            let whole = type == .none ? (reading.type, reading.format) : (type, format)
            return [.finish(type: whole.0, format: whole.1)] + close()
        }
        guard type == .none || (type == reading.type && format == reading.format) else {
            return giveUp(.inconsistent, now: now)
        }
        received += reading.length
        guard received <= limits.incoming else { return giveUp(.tooLong, now: now) }
        phase = .receiving(type: reading.type, format: reading.format)
        return [.keep]
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
        let end = drainEnd ?? now + limits.longestDrain
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
