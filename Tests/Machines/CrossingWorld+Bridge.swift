import SelectionCrossing
import SelectionProtocol

/// The bridge and its operations.
extension CrossingWorld {
    mutating func handle(_ event: CrossingEvent) {
        var effects = bridge.machine.handle(event, now: now)
        injection?.effects(&effects)
        for effect in effects { perform(effect) }
    }

    private mutating func perform(_ effect: CrossingEffect) {
        switch effect {
        case .step(let holder, let steps):
            bridge.add(steps)
            bridge.hold(holder)
        case .count(let steps): bridge.add(steps)
        case .hold(let holder): bridge.hold(holder)
        case .own(let contents):
            reference.works += 1
            guard let model = bridge.known[contents] else { return }
            claim(.bridge(contents, model))
        case .cross(let offer):
            reference.works += 1
            if bridge.sawFocus { fault = "the compositor serves windows with the focus" }
            claim(.crossing(offer))
        case .release: session.displayRequests.append(.release(unlessAfter: bridge.seenSerial))
        case .offer(let contents):
            reference.works += 1
            guard let model = bridge.known[contents] else { return }
            session.seatRequests.append(.offer(contents, model))
        case .clearSeat: session.seatRequests.append(.clear)
        // The seat is asked first, and the display after the seat's answer.
        case .ask: session.seatRequests.append(.question)
        case .look: handle(.looked(bridge.seenOnDisplay == bridge.contents ? .same : .other))
        case .lookAtSeat(let offer): handle(.looked(bridge.offers[offer] == bridge.contents ? .same : .other))
        case .lookForRefill: handle(.looked(bridge.seenOnDisplay?.isRefill == true ? .part : .other))
        case .forget: fault = "there is a seat: \(effect)"
        case .wake(let time): bridge.wakes.append(time)
        }
    }

    private mutating func claim(_ owner: SessionModel.Owner) {
        session.displayRequests.append(.claim(owner, unlessAfter: bridge.seenSerial))
    }

    /// Captures the holder's contents, unless they are marked as a secret. Nothing is captured from an owner before the
    /// owner is reported.
    mutating func capture() {
        guard bridge.isRunning, !bridge.machine.isCaptured, bridge.seenSerial == session.serial,
            let (model, isMarked) = session.contents(of: bridge.machine.holder), !isMarked
        else { return }
        if bridge.machine.mayBeUnmarked, bridge.seenOnDisplay?.isSecret == true { return }
        if model.isSecret { fault = "no secret is captured" }
        handle(.captured(bridge.capture(model)))
    }

    /// From this value of `types` on, a Wayland program offers a type that no compositor's copy has.
    private static let firstUncopied = 4

    // MARK: Events

    mutating func deliverDisplay() {
        guard !session.displayEvents.isEmpty else { return }
        let event = session.displayEvents.removeFirst()
        guard bridge.isRunning else { return }
        switch event {
        case .answer(let isFocused):
            bridge.sawFocus = isFocused
            let isCopyOfNothing =
                isFocused && session.isFocused && session.owner == .compositor && session.isCopyOfNothing
            handle(.answered(bridge.answer(isFocused: isFocused, isCopyOfNothing: isCopyOfNothing)))
        case .owner(let owner, let isDeath, let serial):
            bridge.seenSerial = serial
            let mayBeRefill = if case .program(Self.manager, _) = owner { true } else { false }
            handle(.displayChanged(seen(owner), DisplayChange(isDeath: isDeath, mayBeRefill: mayBeRefill)))
        }
    }

    /// Returns an owner of the X11 selection as the bridge sees it, and records its contents.
    private mutating func seen(_ owner: SessionModel.Owner) -> DisplayOwner {
        bridge.seenOnDisplay = nil
        bridge.isProgramOnDisplay = if case .program = owner { true } else { false }
        switch owner {
        case .nobody: return .nobody
        case .program(let window, let model):
            bridge.windows[window] = model
            bridge.seenOnDisplay = model
            return .program(window)
        case .compositor: return .compositor(SessionModel.compositorWindow)
        case .bridge(let contents, let model):
            bridge.seenOnDisplay = model
            return .bridge(contents)
        case .crossing(let offer): return .crossing(offer)
        }
    }

    mutating func deliverSeat() {
        guard !session.seatEvents.isEmpty else { return }
        let event = session.seatEvents.removeFirst()
        guard bridge.isAttached else { return }
        switch event {
        case .answer: session.displayRequests.append(.question)
        case .owner(let selection):
            guard let owner = seen(selection) else { return }
            if case .program(let offer, let model) = selection, model.isRefill { return handle(.seatRefilled(offer)) }
            handle(.seatChanged(owner))
        }
    }

    /// Returns an owner of the seat's selection as the bridge sees it, and records its contents.
    private mutating func seen(_ selection: SessionModel.Selection) -> SeatOwner? {
        switch selection {
        case .nobody: return .nobody
        case .program(let offer, let model), .copy(let offer, of: .program(_, let model)):
            bridge.offers[offer] = model
            if case .program = selection, model.types >= Self.firstUncopied { bridge.uncopied.insert(offer) }
            return .program(offer)
        case .bridge(let contents, _), .copy(_, of: .bridge(let contents, _)):
            if case .bridge = selection { return .bridge(contents) }
            return .copy(contents)
        case .copy(_, of: .crossing): return .copy(nil)
        case .copy: return nil
        }
    }

    // MARK: The bridge's start

    /// Starts a bridge if none is running, or else attaches the seat to the bridge.
    mutating func start() {
        guard !bridge.isAttached else { return }
        // The compositor is faster than a bridge that starts.
        while !session.compositorEvents.isEmpty { session.composeDisplay() }
        guard bridge.isRunning else {
            session.displayEvents = []
            reference.started(finding: found)
            bridge.restart(serial: session.serial)
            return handle(.displayFound(seen(session.owner)))
        }
        session.seatEvents = []
        bridge.isAttached = true
        // The bridge does not know the contents of an earlier bridge.
        var owner = seen(session.selection) ?? .nobody
        if case .copy = owner { owner = .copy(nil) }
        handle(.seatFound(owner))
    }
}
