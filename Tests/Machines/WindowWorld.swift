package import SelectionCrossing
import SelectionProtocol
package import TestRandom

/// A session of mutter, which shows the bridge no seat: its window on X11 stands for Wayland programs. After all, the
/// pasteboard has the last copy with what was captured of it, each copy has been counted, and no secret was captured.
package struct WindowWorld: MachineWorld {
    package typealias Operation = WindowOperation
    package typealias Effect = CrossingEffect

    package static let name = "crossing-window"

    private let injection: FaultInjection<Operation, Effect>?
    private var hasBegun = false
    private var machine = CrossingMachine()
    private var session = WindowSession(makesPairs: true)
    private var now = ContinuousClock.now
    private var wake: ContinuousClock.Instant?
    /// The last number of a copy, and of the bridge's contents.
    private var copies = 0
    private var versions = 0

    // The bridge around the machine.
    private var seenSerial = 0
    private var seen = WindowSession.Owner.nobody
    private var count = 0
    private var contents: WindowSession.Contents?
    private var known: [CrossingContents: WindowSession.Contents] = [:]
    private var captured: WindowSession.Contents?
    /// True once the present holder's formats are known.
    private var isListed = false
    /// True if the contents before the present ones were a secret, or may have been one.
    private var followsSecret = false
    private var fault: String?

    // The reference.
    private var expected: Int?
    private var counts = 0...0

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        begin(makesPairs: true)
    }

    private mutating func begin(makesPairs: Bool) {
        session = WindowSession(makesPairs: makesPairs)
        _ = machine.handle(.seatAbsent, now: now)
        _ = machine.handle(.displayFound(.nobody), now: now)
    }

    package var phase: Int {
        let holder =
            switch machine.holder {
            case .nobody: 0
            case .bridge: 1
            case .window: 2
            case .offer, .compositor: 3
            }
        let owner =
            switch session.owner {
            case .nobody: 0
            case .program: 1
            case .compositor(nil): 2
            case .compositor(let contents?): contents.isKept ? 3 : 4
            case .bridge(_, let contents): contents == nil ? 5 : 6
            }
        return (holder * 7 + owner) * 2 + (machine.isDecided ? 1 : 0)
    }

    // MARK: Random operations

    package func random(using generator: inout SeededGenerator) -> Operation {
        guard hasBegun else { return .begin(makesPairs: generator.one(in: 2)) }
        let isSecret = generator.one(in: 6)
        switch generator.pick(Array("xxewwwWrddddsssscccCCCSl")) {
        case "x":
            return .copyOnDisplay(
                program: generator.number(0..<3), formats: generator.number(1..<4), isSecret: isSecret)
        case "e": return .endOnDisplay(isDeath: !generator.one(in: 3))
        case "w":
            return .copyOnSeat(
                program: generator.number(0..<2), formats: generator.number(1..<4), isSecret: isSecret)
        case "W": return .endOnSeat(isClear: generator.one(in: 3))
        case "r": return .write(isSecret: isSecret)
        case "l": return .lock
        case "d": return .deliver
        case "s": return .serve
        case "c": return .compose
        case "C": return .capture
        default: return .settle
        }
    }

    // MARK: Steps

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        session.pass()
        switch operation {
        case .begin(let makesPairs): if !hasBegun { begin(makesPairs: makesPairs) }
        case .copyOnDisplay(let program, let formats, let isSecret):
            session.set(.program(WindowID(UInt32(10 + abs(program % 3))), next(formats, isSecret)))
        case .endOnDisplay(let isDeath): try endOnDisplay(isDeath: isDeath)
        case .copyOnSeat(let program, let formats, let isSecret):
            session.copy(next(formats, isSecret), by: abs(program % 2))
        case .endOnSeat(let isClear): try endOnSeat(isClear: isClear)
        case .lock: try lock()
        case .write(let isSecret): write(isSecret)
        case .deliver: deliver()
        case .serve: serve()
        case .compose: session.compose()
        case .capture: capture()
        case .settle: try settle()
        }
        hasBegun = true
        if let fault { throw BrokenInvariant(fault) }
    }

    package mutating func finish() throws(BrokenInvariant) { try settle() }

    private mutating func next(_ formats: Int, _ isSecret: Bool) -> WindowSession.Contents {
        copies += 1
        expected = copies
        counts = counts.lowerBound + 1...counts.upperBound + 1
        return WindowSession.Contents(number: copies, formats: min(max(formats, 1), 3), isSecret: isSecret)
    }

    private mutating func lose(changes: ClosedRange<Int>, keeping number: Int?) {
        expected = number
        counts = counts.lowerBound + changes.lowerBound...counts.upperBound + changes.upperBound
    }

    private mutating func endOnDisplay(isDeath: Bool) throws(BrokenInvariant) {
        guard case .program = session.owner else { return }
        try settle()
        guard case .program(_, let contents) = session.owner else { return }
        switch (isDeath, captured) {
        case (true, _?): break
        // The bridge has seen the mark, and has mutter forget what it has kept.
        case (true, nil) where contents.isMarked && isListed: lose(changes: 1...1, keeping: nil)
        // The death may be reported before mutter owns what it has kept.
        case (true, nil): lose(changes: 1...2, keeping: contents.number)
        case (false, _): lose(changes: 1...1, keeping: nil)
        }
        session.set(.nobody, isDeath: isDeath)
        try settle()
    }

    private mutating func endOnSeat(isClear: Bool) throws(BrokenInvariant) {
        guard session.hasCopier else { return }
        try settle()
        guard session.hasCopier, case .compositor(let contents?) = session.owner else { return }
        if isClear {
            lose(changes: 1...1, keeping: nil)
            session.clear()
        } else {
            let isKept = captured != nil && contents.formats > 1
            lose(changes: isKept ? 0...0 : 1...1, keeping: contents.number)
            session.endCopier()
        }
        try settle()
    }

    private mutating func lock() throws(BrokenInvariant) {
        try settle()
        switch machine.holder {
        case .nobody, .bridge: break
        case .window, .offer, .compositor: if captured == nil { lose(changes: 1...1, keeping: nil) }
        }
        session.lock()
        try settle()
    }

    private mutating func write(_ isSecret: Bool) {
        let model = next(2, isSecret)
        versions += 1
        let contents = CrossingContents(OfferID(versions), isConcealed: isSecret)
        known[contents] = model
        handle(.writing(contents))
        session.set(.bridge(contents, model))
    }

    // MARK: The bridge around the machine

    private mutating func handle(_ event: CrossingEvent) {
        var effects = machine.handle(event, now: now)
        injection?.effects(&effects)
        for effect in effects { perform(effect) }
    }

    private mutating func perform(_ effect: CrossingEffect) {
        switch effect {
        case .step(let holder, let steps):
            count += steps
            hold(holder)
        case .hold(let holder): hold(holder)
        case .own(let contents):
            session.requests.append(.claim(.bridge(contents, known[contents]), unlessAfter: seenSerial))
        case .forget:
            versions += 1
            let nothing = CrossingContents(OfferID(versions))
            session.requests.append(.claim(.bridge(nothing, nil), unlessAfter: seenSerial))
        case .release: session.requests.append(.release(unlessAfter: seenSerial))
        case .look: session.requests.append(.look)
        case .wake(let time): wake = time
        case .count, .relay, .offer, .clearSeat, .ask: fault = "there is no seat: \(effect)"
        }
    }

    private mutating func hold(_ holder: CrossingHolder) {
        (isListed, captured) = (false, nil)
        contents =
            switch (holder, seen) {
            case (.bridge(let contents), _): known[contents]
            case (.window, .program(_, let model)): model
            case (.compositor, .compositor(let model)): model
            default: nil
            }
    }

    private mutating func deliver() {
        guard !session.events.isEmpty else { return }
        let event = session.events.removeFirst()
        let isAfterSecret = isListed && contents?.isMarked == true
        if machine.holder != .nobody { followsSecret = isSecretOrUnknown }
        (seen, seenSerial) = (event.owner, event.serial)
        let owner: DisplayOwner =
            switch event.owner {
            case .nobody: .nobody
            case .program(let window, _): .program(window)
            case .compositor: .compositor(WindowSession.window)
            case .bridge(let contents, _): .bridge(contents)
            }
        let change = DisplayChange(
            acquired: ServerTime(event.time), isDeath: event.isDeath, followsDeath: event.followsDeath,
            isAfterSecret: isAfterSecret)
        handle(.displayChanged(owner, change))
    }

    private var isSecretOrUnknown: Bool {
        if case .bridge = machine.holder { return contents?.isSecret == true }
        return isListed ? captured == nil : true
    }

    private mutating func serve() {
        guard !session.requests.isEmpty else { return }
        let request = session.requests.removeFirst()
        guard case .look = request else { return session.perform(request) }
        handle(.looked(compositorContents))
    }

    private var compositorContents: CompositorContents {
        guard case .compositor(let model?) = session.owner, model.formats == 1 else { return .other }
        if model.isBlank { return .blank }
        guard let captured, captured.formats > 1, model.number == captured.number else { return .other }
        return .part
    }

    /// Captures the holder's contents, as long as its owner has not changed.
    private mutating func capture() {
        let model: WindowSession.Contents?
        switch (machine.holder, session.owner) {
        case (.window, .program(_, let owned)) where contents == owned: model = owned
        case (.compositor, .compositor(nil)) where seen == .compositor(nil): return handle(.compositorEmptied)
        case (.compositor, .compositor(let owned)) where contents == owned: model = owned
        default: model = nil
        }
        guard let model, !isListed else { return }
        isListed = true
        var mayBeSecret = false
        if case .compositor = machine.holder { mayBeSecret = followsSecret && model.formats == 1 }
        guard !model.isMarked, !mayBeSecret else { return }
        if model.isSecret { fault = "no secret is captured" }
        captured = model
        versions += 1
        let contents = CrossingContents(OfferID(versions))
        known[contents] = model
        handle(.captured(contents))
    }

    // MARK: The end

    private mutating func settle() throws(BrokenInvariant) {
        for _ in 0..<3 {
            try quiet()
            capture()
            now += .seconds(1)
            guard let time = wake, time <= now else { continue }
            wake = nil
            handle(.due)
        }
        try quiet()
        if let fault { throw BrokenInvariant(fault) }
        try expect(contents?.number == expected, "the pasteboard has \(expected ?? 0): \(contents?.number ?? 0)")
        try expect(counts.contains(count), "each copy is counted once: \(count) is not in \(counts)")
        try expect(
            isLocked || pasted?.number == expected && pasted?.formats == contents?.formats,
            "a program pastes \(expected ?? 0) with all its formats")
        try expect(expected != nil || session.kept?.isSecret != true, "mutter has forgotten a secret")
        counts = count...count
    }

    private mutating func quiet() throws(BrokenInvariant) {
        for _ in 0..<1_000 {
            guard !session.isQuiet else { return }
            session.compose()
            deliver()
            serve()
        }
        throw BrokenInvariant("the messages come to an end")
    }

    /// True if nothing was copied since the screen was locked.
    private var isLocked: Bool {
        if case .compositor(let contents?) = session.owner { contents.isBlank } else { false }
    }

    /// The contents that a program of either side pastes.
    private var pasted: WindowSession.Contents? {
        switch session.owner {
        case .nobody: nil
        case .program(_, let contents): contents
        case .compositor(let contents), .bridge(_, let contents): contents
        }
    }
}
