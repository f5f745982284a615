import SelectionProtocol

/// What who wants a conversion, and who lends it a window, know of a ``Conversion``.
struct ConversionMonitor {
    enum Outcome { case open, finished, failed }

    let limits: TransferLimits
    let silence: Duration
    private(set) var outcome = Outcome.open
    private(set) var isClosed = false
    /// The owner's answer was seen, and is to be read.
    private var isAnswered = false
    /// The owner sends by INCR.
    private(set) var isIncremental = false
    private var kept = 0
    /// Type and format of the first piece.
    private var first: (type: Atom, format: Int)?
    /// Since when the owner is silent.
    private var sign: ContinuousClock.Instant
    /// Since when it is drained, of what its owner has begun or of a former owner's.
    private var drainedSince: ContinuousClock.Instant?
    /// It was given up, and its owner has said nothing and is the owner still.
    private(set) var isAwaiting = false

    init(limits: TransferLimits, silence: Duration, started: ContinuousClock.Instant) {
        self.limits = limits
        self.silence = silence
        sign = started
    }

    /// For the count of what was reached.
    var phase: Int {
        let step = isClosed ? 3 : isIncremental ? 2 : isAnswered ? 1 : 0
        return step * 6 + (outcome == .open ? 0 : 3) + (first == nil ? 0 : 1)
    }

    func agree(with machine: Conversion, now: ContinuousClock.Instant) throws(BrokenInvariant) {
        try expect(
            (machine.deadline == nil) == (isClosed || isAwaiting),
            "it has a deadline until it is closed, but while an owner that has said nothing may still answer")
        try expect(machine.isAwaitingOwner == isAwaiting, "it is told whether its owner's first word is awaited")
        if let deadline = machine.deadline {
            switch outcome {
            case .open: try expect(deadline == sign + silence, "only what the owner sends puts the deadline off")
            case .finished: throw BrokenInvariant("what is finished is closed")
            case .failed:
                let end = (drainedSince ?? now) + limits.maxDrain
                try expect(deadline <= min(now + limits.drain, end), "what was given up is drained for so long at most")
            }
        }
        try expect(machine.isReceiving == (isIncremental && !isClosed), "it is told whether an INCR goes on")
    }

    mutating func handled(
        _ event: Conversion.Event, _ effects: [Conversion.Effect], now: ContinuousClock.Instant
    ) throws(BrokenInvariant) {
        try expect(!isClosed || effects.isEmpty, "nothing is done after the end: \(effects)")
        let before = self
        note(event, now: now)
        try expect(
            effects.count { $0 == .read } == (before.isToBeRead(after: event) ? 1 : 0),
            "what was written and told of is read, and nothing else: \(effects)")
        try expect(
            effects.count { $0 == .keep } == (before.isToBeKept(event) ? 1 : 0), "every piece is kept, once: \(effects)"
        )
        if event == .ownerReplaced, isAwaiting {
            isAwaiting = false
            drainedSince = now
        }
        for effect in effects {
            try expect(!isClosed, "closing is the last that is done")
            switch effect {
            case .read: break
            case .keep: try keep(event)
            case .finish(let type, let format): try finish(type, format, event)
            case .fail(let failure): try fail(failure, after: event, before, now: now)
            case .close:
                try expect(outcome != .open, "nothing closes without a word of how it ended")
                isClosed = true
                isAwaiting = false
            }
        }
        try expect(before.outcome != .open || outcome == before.expected(event), "\(event) ends it, or does not")
        if event == .ended || event == .ownerGone { try expect(isClosed, "nothing is taken any more after \(event)") }
        if case .read(let reading) = event, !isClosed { noteReading(reading, before, now: now) }
    }

    mutating func expired(
        _ effects: [Conversion.Effect], now: ContinuousClock.Instant
    ) throws(BrokenInvariant) {
        let isLate = sign + silence <= now
        if outcome == .open, isLate {
            let failure = isIncremental ? Conversion.Failure.stalled(received: kept) : .silent
            try expect(effects == [.fail(failure)], "who is silent is given up: \(effects)")
            outcome = .failed
            if isIncremental { drainedSince = now } else { isAwaiting = true }
        } else if effects == [.close], outcome == .failed, !isClosed, !isAwaiting {
            isClosed = true
        } else {
            try expect(effects.isEmpty, "what is not late goes on: \(effects)")
        }
        if let drainedSince, drainedSince + limits.maxDrain <= now {
            try expect(isClosed, "nothing is drained without end")
        }
    }

    // MARK: What happened

    private mutating func note(_ event: Conversion.Event, now: ContinuousClock.Instant) {
        if case .notified(let property) = event, property != .none, !isIncremental { isAnswered = true }
    }

    /// What was read, once it is known that it was no end.
    private mutating func noteReading(_ reading: Conversion.Reading, _ before: Self, now: ContinuousClock.Instant) {
        guard reading.type != .none else { return }
        if before.isIncremental {
            if outcome == .open, reading.length > 0, first == nil { first = (reading.type, reading.format) }
            if outcome == .open { sign = now }
        } else if reading.type == OwnerCast.atoms.incr, before.isAnswered || before.outcome == .failed {
            isIncremental = true
            if outcome == .open { sign = now } else { drainedSince = drainedSince ?? now }
            isAwaiting = false
        }
    }

    /// Also when nobody wants it any more: it is taken, so that the owner may end.
    private func isToBeRead(after event: Conversion.Event) -> Bool {
        if isClosed { return false }
        return switch event {
        // A second answer has nothing to say.
        case .notified(let property): property != .none && !isIncremental && (!isAnswered || outcome == .failed)
        case .propertyWritten: isIncremental
        case .read, .ownerGone, .ownerReplaced, .cancelled, .ended: false
        }
    }

    private mutating func keep(_ event: Conversion.Event) throws(BrokenInvariant) {
        guard case .read(let reading) = event, reading.type != .none, outcome == .open, isAnswered else {
            throw BrokenInvariant("only what was read, and is wanted, is kept")
        }
        kept += reading.length
        try expect(kept <= limits.incoming, "no more is kept than may be")
        if let first {
            try expect(first == (reading.type, reading.format), "what is kept is of one type")
        }
        if !isIncremental { first = (reading.type, reading.format) }
    }

    private mutating func finish(
        _ type: Atom, _ format: Int, _ event: Conversion.Event
    ) throws(BrokenInvariant) {
        guard case .read(let reading) = event, reading.type != .none, outcome == .open else {
            throw BrokenInvariant("it ends well only by what was read")
        }
        try expect(!isIncremental || reading.length == 0, "an INCR ends by an empty piece")
        let expected = first ?? (reading.type, reading.format)
        try expect(expected == (type, format), "the whole has the type of its first piece")
        try expect(type != OwnerCast.atoms.incr, "INCR is no type of what was asked for")
        outcome = .finished
    }

    private mutating func fail(
        _ failure: Conversion.Failure, after event: Conversion.Event, _ before: Self, now: ContinuousClock.Instant
    ) throws(BrokenInvariant) {
        try expect(outcome == .open, "it ends once")
        outcome = .failed
        if event == .ownerReplaced || before.isIncremental { drainedSince = now } else { isAwaiting = true }
        let reason: [Conversion.Failure] =
            switch event {
            case .notified(.none): [.refused]
            case .read(let reading) where reading.type == .none: before.isIncremental ? [] : [.refused]
            case .read: before.isIncremental ? [.inconsistent, .tooLong] : [.tooLong]
            case .ownerGone: [.ownerGone]
            case .ownerReplaced: [.ownerReplaced]
            case .cancelled: [.cancelled]
            case .ended: [.dripped(received: kept)]
            case .notified, .propertyWritten: []
            }
        try expect(reason.contains(failure), "\(event) is no reason for \(failure)")
    }

    /// Whether it brings bytes that are wanted.
    private func isToBeKept(_ event: Conversion.Event) -> Bool {
        guard case .read(let reading) = event, outcome == .open, isAnswered, reading.type != .none else { return false }
        return isIncremental
            ? reading.length > 0 && expectedOfPiece(reading) == .open : expectedOfWhole(reading) == .finished
    }

    /// How what is open stands after that.
    private func expected(_ event: Conversion.Event) -> Outcome {
        switch event {
        case .notified(let property): property == .none && !isAnswered && !isIncremental ? .failed : .open
        case .propertyWritten: .open
        case .ownerGone, .ownerReplaced, .cancelled, .ended: .failed
        case .read(let reading):
            isAnswered ? isIncremental ? expectedOfPiece(reading) : expectedOfWhole(reading) : .open
        }
    }

    private func expectedOfWhole(_ reading: Conversion.Reading) -> Outcome {
        if reading.type == .none { return .failed }
        guard reading.type == OwnerCast.atoms.incr else {
            return reading.length > limits.incoming ? .failed : .finished
        }
        return Int(reading.firstWord ?? 0) > limits.incoming ? .failed : .open
    }

    private func expectedOfPiece(_ reading: Conversion.Reading) -> Outcome {
        if reading.type == .none { return .open }
        if first == nil, reading.type == OwnerCast.atoms.incr { return .failed }
        if reading.length == 0 { return .finished }
        if let first, first != (reading.type, reading.format) { return .failed }
        return kept + reading.length > limits.incoming ? .failed : .open
    }
}
