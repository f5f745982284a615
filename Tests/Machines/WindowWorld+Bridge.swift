import SelectionCrossing
import SelectionProtocol

/// The bridge and its operations.
extension WindowWorld {
    mutating func handle(_ event: CrossingEvent) {
        var effects = bridge.machine.handle(event, now: now)
        injection?.effects(&effects)
        for effect in effects { perform(effect) }
    }

    private mutating func perform(_ effect: CrossingEffect) {
        switch effect {
        case .step(let holder, let steps): bridge.step(to: holder, steps: steps)
        case .hold(let holder): bridge.hold(holder)
        case .own(let contents): claim(.bridge(contents, bridge.known[contents]))
        case .forget: claim(.bridge(bridge.nothing(), nil))
        case .release: session.requests.append(.release(unlessAfter: bridge.seenSerial))
        case .look: session.requests.append(.look)
        case .wake(let time): bridge.wake = time
        case .count, .cross, .offer, .clearSeat, .ask, .lookAtSeat, .lookForRefill:
            fault = "there is no seat: \(effect)"
        }
    }

    private mutating func claim(_ owner: WindowSession.Owner) {
        session.requests.append(.claim(owner, unlessAfter: bridge.seenSerial))
    }

    mutating func write(_ model: WindowSession.Contents) {
        let contents = bridge.version(of: model)
        handle(.writing(contents))
        session.set(.bridge(contents, model))
    }

    mutating func due() {
        guard let time = bridge.wake, time <= now else { return }
        bridge.wake = nil
        handle(.due)
    }

    mutating func deliver() {
        guard bridge.isRunning, !session.events.isEmpty else { return }
        let event = session.events.removeFirst()
        (bridge.seen, bridge.seenSerial) = (event.owner, event.serial)
        let change = DisplayChange(
            acquired: ServerTime(event.time), isDeath: event.isDeath, followsDeath: event.followsDeath,
            former: bridge.secrecy)
        handle(.displayChanged(event.owner.seen, change))
    }

    mutating func serve() {
        guard bridge.isRunning, !session.requests.isEmpty else { return }
        let request = session.requests.removeFirst()
        guard case .look = request else { return session.perform(request) }
        handle(.looked(bridge.meaning(of: session.contents)))
    }

    /// Captures the holder's contents, unless the owner has changed.
    mutating func capture() {
        guard bridge.isRunning, !bridge.isListed, bridge.seenSerial == session.serial else { return }
        let model: WindowSession.Contents
        switch (bridge.machine.holder, session.owner) {
        case (.compositor, .compositor(nil)): return handle(.compositorEmptied)
        case (.window, .program(_, let owned)) where bridge.contents == owned: model = owned
        case (.compositor, .compositor(let owned?)) where bridge.contents == owned: model = owned
        default: return
        }
        bridge.isListed = true
        var mayBeSecret = false
        if case .compositor = bridge.machine.holder { mayBeSecret = bridge.machine.followsSecret && model.formats == 1 }
        guard !model.isMarked, !mayBeSecret else { return }
        if model.isSecret { fault = "no secret is captured" }
        handle(.captured(bridge.capture(model)))
    }

    // MARK: The bridge's start

    /// Starts a bridge if none is running, or else reports to the bridge that there is no seat.
    mutating func start() {
        guard !bridge.isAttached else { return }
        // The compositor is faster than a bridge that starts.
        while !session.isComposed { session.compose() }
        if bridge.isRunning {
            bridge.isAttached = true
            return handle(.seatAbsent)
        }
        session.events = []
        bridge.restart(session.owner, serial: session.serial)
        handle(.displayFound(bridge.seen.seen))
    }

    mutating func startBoth() {
        start()
        start()
    }
}

extension WindowSession.Owner {
    /// The owner as the bridge sees it.
    fileprivate var seen: DisplayOwner {
        switch self {
        case .nobody: .nobody
        case .program(let window, _): .program(window)
        case .compositor: .compositor(WindowSession.window)
        case .bridge(let contents, _): .bridge(contents)
        }
    }
}

extension WindowSession {
    /// The contents that a program on either side pastes.
    var contents: Contents? {
        switch owner {
        case .nobody: nil
        case .program(_, let contents): contents
        case .compositor(let contents), .bridge(_, let contents): contents
        }
    }

    /// True if the compositor's window may have lost its contents without a report.
    var hasLostContents: Bool { compositor == .weston && owner == .compositor(nil) }
}
