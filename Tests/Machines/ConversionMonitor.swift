import SelectionProtocol

/// A model of what the caller of a ``Conversion`` can observe, against which the machine is checked.
struct ConversionMonitor {
    enum Outcome { case open, finished, failed }

    let limits: TransferLimits
    let timeout: Duration
    private(set) var outcome = Outcome.open
    private(set) var isClosed = false
    /// True if the owner's answer was announced, and must be read.
    private var isAnswered = false
    /// True if the owner sends by INCR.
    private(set) var isIncremental = false
    private var stored = 0
    /// The type and format of the first chunk.
    private var first: (type: Atom, format: Int)?
    /// The time of the owner's last sign of life.
    private var lastSign: ContinuousClock.Instant
    /// The time when the draining of a begun transfer, or of a previous owner's transfer, started.
    private var drainedSince: ContinuousClock.Instant?
    /// True if the conversion was abandoned before its owner answered, and that owner still owns the selection.
    private(set) var isAwaiting = false

    init(limits: TransferLimits, timeout: Duration, started: ContinuousClock.Instant) {
        self.limits = limits
        self.timeout = timeout
        lastSign = started
    }

    /// A number for the state, to count the states that were reached.
    var phase: Int {
        let step = isClosed ? 3 : isIncremental ? 2 : isAnswered ? 1 : 0
        return step * 6 + (outcome == .open ? 0 : 3) + (first == nil ? 0 : 1)
    }

    func agree(with machine: Conversion, now: ContinuousClock.Instant) throws(BrokenInvariant) {
        try expect(
            (machine.deadline == nil) == (isClosed || isAwaiting),
            "a conversion has a deadline until it is closed, except while an owner's first answer is awaited")
        try expect(
            machine.isAwaitingOwner == isAwaiting, "a conversion reports whether it awaits its owner's first answer")
        if let deadline = machine.deadline {
            switch outcome {
            case .open: try expect(deadline == lastSign + timeout, "only data from the owner extends the deadline")
            case .finished: throw BrokenInvariant("a finished conversion is closed")
            case .failed:
                let end = (drainedSince ?? now) + limits.maxDrain
                try expect(
                    deadline <= min(now + limits.drain, end), "an abandoned conversion is drained for a limited time")
            }
        }
        try expect(
            machine.isReceiving == (isIncremental && !isClosed), "a conversion reports whether an INCR is in progress")
    }

    mutating func handled(
        _ event: Conversion.Event, _ effects: [Conversion.Effect], now: ContinuousClock.Instant
    ) throws(BrokenInvariant) {
        try expect(!isClosed || effects.isEmpty, "nothing is done after the end: \(effects)")
        let before = self
        note(event, now: now)
        try expect(
            effects.count { $0 == .read } == (before.hasToBeRead(after: event) ? 1 : 0),
            "a value that was written and announced is read, and nothing else: \(effects)")
        try expect(
            effects.count { $0 == .store } == (before.hasToBeStored(event) ? 1 : 0),
            "each chunk is stored once: \(effects)")
        if event == .ownerReplaced, isAwaiting {
            isAwaiting = false
            drainedSince = now
        }
        for effect in effects {
            try expect(!isClosed, "closing is the last effect")
            switch effect {
            case .read: break
            case .store: try store(event)
            case .finish(let type, let format): try finish(type, format, event)
            case .fail(let failure): try fail(failure, after: event, before, now: now)
            case .close:
                try expect(outcome != .open, "a conversion is closed only after its result was reported")
                isClosed = true
                isAwaiting = false
            }
        }
        try expect(before.outcome != .open || outcome == before.expected(event), "\(event) has the expected outcome")
        if event == .evicted || event == .ownerGone { try expect(isClosed, "nothing is read after \(event)") }
        if case .read(let reading) = event, !isClosed { noteReading(reading, before, now: now) }
    }

    mutating func expired(
        _ effects: [Conversion.Effect], now: ContinuousClock.Instant
    ) throws(BrokenInvariant) {
        let isLate = lastSign + timeout <= now
        if outcome == .open, isLate {
            let failure = isIncremental ? Conversion.Failure.stalled(received: stored) : .silent
            try expect(effects == [.fail(failure)], "a conversion fails at its timeout: \(effects)")
            outcome = .failed
            if isIncremental { drainedSince = now } else { isAwaiting = true }
        } else if effects == [.close], outcome == .failed, !isClosed, !isAwaiting {
            isClosed = true
        } else {
            try expect(effects.isEmpty, "a conversion continues before its timeout: \(effects)")
        }
        if let drainedSince, drainedSince + limits.maxDrain <= now {
            try expect(isClosed, "draining has a limit")
        }
    }

    // MARK: Events

    private mutating func note(_ event: Conversion.Event, now: ContinuousClock.Instant) {
        if case .notified(let property) = event, property != .none, !isIncremental { isAnswered = true }
    }

    /// Records a value that was read and did not end the conversion.
    private mutating func noteReading(_ reading: Conversion.Reading, _ before: Self, now: ContinuousClock.Instant) {
        guard reading.type != .none else { return }
        if before.isIncremental {
            if outcome == .open, reading.length > 0, first == nil { first = (reading.type, reading.format) }
            if outcome == .open { lastSign = now }
        } else if reading.type == OwnerCast.atoms.incr, before.isAnswered || before.outcome == .failed {
            isIncremental = true
            if outcome == .open { lastSign = now } else { drainedSince = drainedSince ?? now }
            isAwaiting = false
        }
    }

    /// Returns true if the property has to be read after an event, even if the result is no longer wanted, so that the
    /// owner can finish.
    private func hasToBeRead(after event: Conversion.Event) -> Bool {
        if isClosed { return false }
        return switch event {
        // A second answer is ignored.
        case .notified(let property): property != .none && !isIncremental && (!isAnswered || outcome == .failed)
        case .propertyWritten: isIncremental
        case .read, .ownerGone, .ownerReplaced, .cancelled, .evicted: false
        }
    }

    private mutating func store(_ event: Conversion.Event) throws(BrokenInvariant) {
        guard case .read(let reading) = event, reading.type != .none, outcome == .open, isAnswered else {
            throw BrokenInvariant("only a value that was read and is wanted is stored")
        }
        stored += reading.length
        try expect(stored <= limits.incoming, "the stored bytes do not exceed the limit")
        if let first {
            try expect(first == (reading.type, reading.format), "all stored chunks have the same type")
        }
        if !isIncremental { first = (reading.type, reading.format) }
    }

    private mutating func finish(
        _ type: Atom, _ format: Int, _ event: Conversion.Event
    ) throws(BrokenInvariant) {
        guard case .read(let reading) = event, reading.type != .none, outcome == .open else {
            throw BrokenInvariant("only a value that was read finishes a conversion")
        }
        try expect(!isIncremental || reading.length == 0, "an INCR ends with an empty chunk")
        let expected = first ?? (reading.type, reading.format)
        try expect(expected == (type, format), "the whole has the type of its first chunk")
        try expect(type != OwnerCast.atoms.incr, "INCR is never the type of the result")
        outcome = .finished
    }

    private mutating func fail(
        _ failure: Conversion.Failure, after event: Conversion.Event, _ before: Self, now: ContinuousClock.Instant
    ) throws(BrokenInvariant) {
        try expect(outcome == .open, "a conversion ends once")
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
            case .evicted: [.tooSlow(received: stored)]
            case .notified, .propertyWritten: []
            }
        try expect(reason.contains(failure), "\(event) cannot cause \(failure)")
    }

    /// Returns true if the event delivers bytes that are wanted.
    private func hasToBeStored(_ event: Conversion.Event) -> Bool {
        guard case .read(let reading) = event, outcome == .open, isAnswered, reading.type != .none else { return false }
        return isIncremental
            ? reading.length > 0 && expectedOfChunk(reading) == .open : expectedOfWhole(reading) == .finished
    }

    /// Returns the outcome that an open conversion has after the event.
    private func expected(_ event: Conversion.Event) -> Outcome {
        switch event {
        case .notified(let property): property == .none && !isAnswered && !isIncremental ? .failed : .open
        case .propertyWritten: .open
        case .ownerGone, .ownerReplaced, .cancelled, .evicted: .failed
        case .read(let reading):
            isAnswered ? isIncremental ? expectedOfChunk(reading) : expectedOfWhole(reading) : .open
        }
    }

    private func expectedOfWhole(_ reading: Conversion.Reading) -> Outcome {
        if reading.type == .none { return .failed }
        guard reading.type == OwnerCast.atoms.incr else {
            return reading.length > limits.incoming ? .failed : .finished
        }
        return Int(reading.firstWord ?? 0) > limits.incoming ? .failed : .open
    }

    private func expectedOfChunk(_ reading: Conversion.Reading) -> Outcome {
        if reading.type == .none { return .open }
        if first == nil, reading.type == OwnerCast.atoms.incr { return .failed }
        if reading.length == 0 { return .finished }
        if let first, first != (reading.type, reading.format) { return .failed }
        return stored + reading.length > limits.incoming ? .failed : .open
    }
}
