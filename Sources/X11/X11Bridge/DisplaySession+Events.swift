import SelectionProtocol
import X11Display

extension DisplaySession {
    // MARK: Conversions

    /// Asks the owner of a selection for a target. If the selection is ours, the conversion fails: it was claimed after
    /// the call, and the caller finds the contents without X.
    package func convert(_ request: ConversionRequest) {
        let selection = display.internForeign(request.selection)
        switch trackers[selection]?.owner {
        case .ours: report(.converted(request.ticket, .failure(.ownerReplaced)))
        // Another owner may follow within milliseconds, and is then asked instead: see OwnershipTracker.
        case .some(.none) where trackers[selection]?.deadline != nil:
            deferredConversions[selection, default: []].append(request)
        default: requestor.start(request, of: foreignOwner(of: selection), now: .now)
        }
    }

    /// Starts the conversions that waited until it was clear whether another owner comes.
    func startDeferredConversions(of selection: Atom) {
        for request in deferredConversions.removeValue(forKey: selection) ?? [] { convert(request) }
    }

    /// Asks the clipboard manager to save these targets of the offer on CLIPBOARD.
    func handOver(_ targets: [String], ticket: Ticket, idleTimeout: Duration) {
        let request = ConversionRequest(
            ticket, of: ClipboardManagerProtocol.selection, to: ClipboardManagerProtocol.saveTargets,
            idleTimeout: idleTimeout, parameters: targets)
        requestor.start(request, of: foreignOwner(of: display.intern(request.selection)), now: .now)
    }

    package func cancel(_ ticket: Ticket) {
        for selection in deferredConversions.keys
        where deferredConversions[selection]?.contains(where: { $0.ticket == ticket }) == true {
            deferredConversions[selection]?.removeAll { $0.ticket == ticket }
            return report(.converted(ticket, .failure(.cancelled)))
        }
        requestor.cancel(ticket, now: .now)
    }

    // MARK: The event queue

    /// The maximum number of events that are handled before the answer to a claim.
    private static let maxEventsBeforeReply = 256

    /// Handles all events up to the answers to our requests. Later events are left in the queue, because there may be
    /// no end to them.
    ///
    /// If many events came before the answers, only changes of ownership among the rest are handled: programs that send
    /// more requests than can be answered must not delay a claim.
    func handleReplies() {
        display.synchronize()
        let count = display.gatherEvents()
        handleEvents(min(count, Self.maxEventsBeforeReply))
        guard count > Self.maxEventsBeforeReply else { return }
        for event in display.removeOwnerChanges() { handle(event, now: .now) }
        reportSentContents()
        display.flush()
    }

    /// Handles everything that has arrived up to this moment, and no more.
    ///
    /// The server writes a change of an owner to this connection before it answers the client that made the change. A
    /// forwarded display is farther from this process than from that client, so its changes are asked for.
    package func catchUp() {
        if display.isForwarded { display.synchronize() }
        // The connection is not read while events are queued. If one of them needs an answer from the server, all
        // events on the connection are queued with that answer, and the second call handles them.
        handleEvents(display.gatherEvents())
        handleEvents(display.gatherEvents())
    }

    private func handleEvents(_ count: Int) {
        guard count > 0 else { return }
        for _ in 0..<count {
            guard let event = display.nextGatheredEvent() else { break }
            handle(event, now: .now)
        }
        reportSentContents()
        display.flush()
    }

    /// Sends the buffered requests and handles the events that have arrived, until no requests and no events are left.
    /// Only then may the thread sleep.
    ///
    /// The order matters. A write to the server may also read from it: libxcb takes everything that has arrived when it
    /// polls to send. Such an event is in the process, and no descriptor becomes readable for it. So the queue is
    /// checked after each flush, and the last check finds it empty.
    ///
    /// - Parameter limit: The maximum number of events, of any kind, plus the amount of ``workDone``. Commands and
    ///   deadlines have their turn after that many events.
    /// - Returns: false if the limit was reached, so that the thread must not sleep.
    @discardableResult
    package func drainEvents(limit: Int) -> Bool {
        let before = (workDone: workDone, handled: handledEvents)
        var isOverLimit: Bool { handledEvents - before.handled + workDone - before.workDone >= limit }
        var isDrained = false
        while !isDrained, !display.isBroken {
            display.flush()
            isDrained = true
            while !isOverLimit, let event = display.nextEvent() {
                isDrained = false
                handledEvents += 1
                // The time is read for each event, because each may take a long time: a stopped client may hold the
                // server.
                handle(event, now: .now)
            }
            if reportSentContents() { isDrained = false }
            if isOverLimit {
                display.flush()
                return false
            }
            if isDrained { isDrained = !ownerDriver.releaseRetiredOffers() }
        }
        return true
    }

    /// Reports the contents that have arrived at their windows, which is known only after everything has been sent.
    ///
    /// - Returns: true if the server had to be asked.
    @discardableResult
    private func reportSentContents() -> Bool {
        let asksServer = ownerDriver.hasUnconfirmedPastes
        // The errors of requests to destroyed windows arrive before this answer.
        if asksServer { display.synchronize() }
        for window in display.removeFailedWindows() { ownerDriver.windowGone(window) }
        ownerDriver.reportPastes()
        return asksServer
    }

    /// The work that was done for other programs, besides the handling of their events: a round trip to the server
    /// counts as much as an event, and so do four effects.
    private var workDone: Int { display.roundTrips + ownerDriver.effectCount / 4 }

    // MARK: Events

    private func handle(_ event: DisplayEvent, now: ContinuousClock.Instant) {
        let before = workDone
        dispatch(event, now: now)
        display.charge(workDone - before, for: event)
    }

    private func dispatch(_ event: DisplayEvent, now: ContinuousClock.Instant) {
        switch event {
        case .request(let request): ownerDriver.handle(request, now: now)
        case .notified(let window, let selection, let target, let property, let time):
            requestor.notified(
                window: window, selection: selection, target: target, property: property, time: time, now: now)
        case .propertyWritten(display.root, let property): rootPropertyWritten(property)
        case .propertyWritten(let window, let property): requestor.propertyWritten(property, of: window, now: now)
        case .propertyDeleted(let window, let property): ownerDriver.propertyDeleted(property, of: window, now: now)
        case .windowDestroyed(let window): ownerDriver.windowGone(window)
        case .ownerSet(let selection, let window, let time): ownerSet(selection, window, acquired: time, now: now)
        case .ownerDied(let selection, let byDisconnection, let time):
            track(.ownerDied(at: time), of: selection, now: now)
            // A client that has only destroyed its window may still send the rest of a conversion. A client that has
            // disconnected cannot.
            if byDisconnection {
                requestor.ownerGone(selection, now: now)
            } else {
                requestor.ownerReplaced(selection, now: now)
            }
        case .cleared(let window, let selection):
            if manager.isLost(window: window, selection: selection) { report(.replaced) }
        case .other: break
        }
    }

    private func ownerSet(_ selection: Atom, _ window: WindowID, acquired: ServerTime, now: ContinuousClock.Instant) {
        guard let name = names[selection] else { return }
        let owner = owner(for: window)
        switch owner {
        case .ours(let offer):
            confirmedClaims.insert(offer)
            ownerDriver.retireOffers(of: name, except: offer)
        case .foreign, .compositor: ownerDriver.retireOffers(of: name, except: nil)
        case .none:
            confirmedReleases.insert(selection)
            ownerDriver.retireOffers(of: name, except: nil)
        }
        // The change is reported before the failures of conversions, so that a reader that tries again asks the new
        // owner.
        track(.ownerSet(owner, acquired: acquired), of: selection, now: now)
        requestor.ownerReplaced(selection, now: now)
        startDeferredConversions(of: selection)
        let isOurs = ownerDriver.offer(of: window) != nil
        if unwatchedWhenLost.contains(selection), !isOurs { forget(selection) }
    }

    private func track(_ event: OwnershipTracker.Event, of selection: Atom, now: ContinuousClock.Instant) {
        reportChanges(trackers[selection]?.handle(event, now: now) ?? [], of: selection)
    }
}
