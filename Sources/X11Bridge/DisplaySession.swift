package import Configuration
import EventLoop
import LinuxSystem
package import SelectionProtocol
package import X11Display

/// One display, from its opening to its end: who owns its selections, what we offer, and what we fetch.
package final class DisplaySession {
    /// A conversion that waits for the next owner of its selection.
    private struct DeferredConversion {
        let selection: String
        let target: String
        let ticket: Ticket
        let idleTimeout: Duration
        let limit: Int?
    }

    package let display: XDisplay
    package let ownerDriver: SelectionOwnerDriver
    package let requestor: SelectionRequestor
    package let report: (DisplayReport) -> Void
    package let counters: DisplayCounters
    package let bytes: TransferBytes
    /// Owned as long as this bridge serves the display (ICCCM 2.8).
    private let manager: ManagerSelection
    private var trackers: [Atom: OwnershipTracker] = [:]
    private var names: [Atom: String] = [:]
    /// Watched only until they are ours no more.
    private var leaving: Set<Atom> = []
    /// What is to be asked of selections whose owner has just died, once that is known to be the end.
    private var deferredConversions: [Atom: [DeferredConversion]] = [:]
    /// How many events were handled by now.
    package private(set) var handled = 0
    /// The server's time, for the next claim, and until when it is good for that.
    private var prepared: (time: ServerTime, until: ContinuousClock.Instant)?
    /// The offers whose ownership the server has told of, until their claim is settled.
    private var confirmed: Set<OfferID> = []
    /// The manager selections that were claimed.
    private var managerSelections: Set<Atom> = []
    /// The selections that the server has told to be given up, likewise.
    private var confirmedEmpty: Set<Atom> = []

    /// - Parameter connection: To that display, where there is one already.
    package init(
        opening name: String, on connection: XDisplay? = nil, replacing: Bool, limits: Configuration.Limits = .init(),
        counters: DisplayCounters = DisplayCounters(), bytes: TransferBytes = TransferBytes(),
        report: @escaping (DisplayReport) -> Void
    ) throws(AttachFailure) {
        do {
            display = if let connection { connection } else { try XDisplay(opening: name) }
        } catch {
            throw .display(error)
        }
        manager = try ManagerSelection(on: display, replacing: replacing)
        let own = TransferLimits(limits, on: display)
        ownerDriver = SelectionOwnerDriver(display: display, limits: own, counters: counters, report: report)
        requestor = SelectionRequestor(display: display, limits: own, counters: counters, report: report)
        ownerDriver.answer(for: manager)
        self.report = report
        self.counters = counters
        self.bytes = bytes
        keep(to: limits)
        _ = display.intern(OwnAtoms.names)
        shareQuota()
    }

    // MARK: Ownership

    /// Reports the owner of that selection once more, where it is watched already.
    package func tell(_ name: String) {
        let selection = display.internForOthers(name)
        guard let tracker = trackers[selection] else {
            watch(name)
            return
        }
        leaving.remove(selection)
        report(.found(selection: name, tracker.owner))
    }

    /// Reports the owner of that selection, now and whenever it changes.
    ///
    /// - Returns: false where the server would have to be told one name more than it may: then nobody owns it.
    @discardableResult
    package func watch(_ name: String) -> Bool {
        let selection = display.internForOthers(name)
        guard selection != .none else {
            if !display.isBroken { counters.refused(.atoms) }
            return display.isBroken
        }
        leaving.remove(selection)
        guard trackers[selection] == nil else { return true }
        // Watched first, asked then: a change between the two is seen as an event.
        display.watchSelection(selection)
        let owner = owner(for: display.owner(of: selection))
        trackers[selection] = OwnershipTracker(found: owner)
        names[selection] = name
        report(.found(selection: name, owner))
        return true
    }

    /// Reports no more of that selection; of one that is ours once that is over.
    package func unwatch(_ name: String) {
        let selection = display.internForOthers(name)
        guard let tracker = trackers[selection] else { return }
        if case .ours = tracker.owner { leaving.insert(selection) } else { forget(selection) }
    }

    private func forget(_ selection: Atom) {
        display.unwatchSelection(selection)
        leaving.remove(selection)
        trackers[selection] = nil
        names[selection] = nil
        // They are asked of whoever owns it, without knowing more.
        ask(selection)
    }

    private static let preparation = Duration.seconds(1)

    /// Asks for the server's time beforehand, while what is to be claimed is being stored.
    package func prepareClaim() {
        let time = display.serverTime()
        prepared = time == .current ? nil : (time, .now + Self.preparation)
    }

    /// The time that was asked for beforehand, unless that was too long ago to be that of this claim.
    private func takePrepared() -> ServerTime? {
        defer { prepared = nil }
        return prepared.flatMap { ContinuousClock.now < $0.until ? $0.time : nil }
    }

    /// Owns the offer's selection, and serves the offer.
    package func claim(_ offer: Offer, _ claim: SelectionClaim, until deadline: ContinuousClock.Instant) -> ClaimOutcome
    {
        guard watch(offer.selection) else { return .nameLimit }
        switch claim {
        case .always: return self.claim(offer, until: deadline)
        case .afterDeath(let death): return takeOver(offer, afterDeath: death, until: deadline)
        case .ifUnowned: return claimIfUnowned(offer, until: deadline)
        case .from(let window, let time): return self.claim(offer, from: window, at: time, until: deadline)
        }
    }

    /// Claims a selection from whoever owns it. A race that is lost is run once more, at the server's present time.
    private func claim(_ offer: Offer, until deadline: ContinuousClock.Instant) -> ClaimOutcome {
        for time in [takePrepared(), nil] {
            switch claim(offer, at: time, until: deadline) {
            case .lost: continue
            case let outcome: return outcome
            }
        }
        return .lost
    }

    /// Claims a selection once, at a time of the server's, or its present one.
    private func claim(_ offer: Offer, at time: ServerTime?, until deadline: ContinuousClock.Instant) -> ClaimOutcome {
        let isClaimed = ownerDriver.claim(offer, before: deadline, at: time)
        if isClaimed { settle() }
        if confirmed.remove(offer.id) != nil { return .done }
        ownerDriver.retire(offer.id)
        if display.isBroken { return .noDisplay }
        return isClaimed ? .lost : .timedOut
    }

    /// Claims a selection after an owner that died.
    ///
    /// The server refuses the time of that death when anybody owned the selection with a later one. Somebody may own it
    /// with an earlier one all the same, as Emacs does, or have owned it in the very millisecond, so owners that the
    /// server has reported count as well.
    private func takeOver(
        _ offer: Offer, afterDeath death: ServerTime, until deadline: ContinuousClock.Instant
    ) -> ClaimOutcome {
        settle()
        let isUnfollowed = trackers[display.internForOthers(offer.selection)]?.unfollowedDeath == death
        guard isUnfollowed, death != .current else { return display.isBroken ? .noDisplay : .lost }
        return claim(offer, at: death, until: deadline)
    }

    /// Claims a manager selection that nobody owns, and announces it (ICCCM 2.8).
    private func claimIfUnowned(_ offer: Offer, until deadline: ContinuousClock.Instant) -> ClaimOutcome {
        let selection = display.internForOthers(offer.selection)
        managerSelections.insert(selection)
        // The time first, then the look: the server refuses the claim if anybody owned the selection in between.
        let time = display.serverTime()
        let outcome = claim(offer, from: .none, at: time, until: deadline)
        if case .done = outcome, let window = ownerDriver.window(of: offer.id) {
            display.announceManager(of: selection, window: window, since: time)
        }
        return outcome
    }

    /// Claims a selection from that owner and no other.
    ///
    /// - Parameter time: A time at which the owner had it: the server refuses the claim if the owner acquired it anew
    ///   since, or anybody else did.
    private func claim(
        _ offer: Offer, from owner: WindowID, at time: ServerTime, until deadline: ContinuousClock.Instant
    ) -> ClaimOutcome {
        guard !display.isBroken, display.owner(of: display.internForOthers(offer.selection)) == owner else {
            // The present owner is reported first.
            settle()
            return display.isBroken ? .noDisplay : .lost
        }
        return claim(offer, at: time, until: deadline)
    }

    /// Has nobody own a selection. One of ours is released with the time of its acquisition, which undoes nobody's later
    /// claim.
    package func releaseOwnership(of name: String, until deadline: ContinuousClock.Instant) -> ClaimOutcome {
        // A selection without an atom has no owner.
        guard watch(name) else { return .done }
        let selection = display.internForOthers(name)
        for _ in 1...2 {
            let time = acquired(selection) ?? display.serverTime()
            // A server that stands still answers this no sooner than it would carry out the request below, which nobody
            // may want any longer after that.
            display.synchronize()
            if display.isBroken { return .noDisplay }
            guard ContinuousClock.now < deadline else { return .timedOut }
            confirmedEmpty.remove(selection)
            display.setOwner(of: selection, to: .none, time: time)
            settle()
            if confirmedEmpty.remove(selection) != nil { return .done }
        }
        return display.isBroken ? .noDisplay : .lost
    }

    /// Gives up an offer whose claim came through too late, if it is still what is owned.
    package func withdraw(_ offer: OfferID) {
        for (selection, tracker) in trackers where tracker.owner == .ours(offer) {
            guard let time = ownerDriver.acquired(offer) else { continue }
            display.setOwner(of: selection, to: .none, time: time)
        }
    }

    /// When we acquired that selection, if it is ours.
    private func acquired(_ selection: Atom) -> ServerTime? {
        guard case .ours(let offer) = trackers[selection]?.owner else { return nil }
        return ownerDriver.acquired(offer)
    }

    /// Releases every selection with the time of its acquisition, so that a later owner is left alone.
    package func releaseAll() {
        // The manager selections last: a client that waits for those finds the others free.
        for selection in trackers.keys.filter({ !managerSelections.contains($0) }) + managerSelections {
            if let time = acquired(selection) { display.setOwner(of: selection, to: .none, time: time) }
        }
    }

    /// Asks the owner of a selection for a target. What is ours is not asked of ourselves: it was claimed after the
    /// question was put, and who asks finds it without X.
    package func convert(_ name: String, to target: String, ticket: Ticket, idleTimeout: Duration, limit: Int? = nil) {
        let selection = display.internForOthers(name)
        switch trackers[selection]?.owner {
        case .ours: report(.converted(ticket, .failure(.ownerReplaced)))
        // The next owner may be about to come, and is the one to ask: see OwnershipTracker.
        case .some(.none) where trackers[selection]?.deadline != nil:
            deferredConversions[selection, default: []].append(
                DeferredConversion(
                    selection: name, target: target, ticket: ticket, idleTimeout: idleTimeout, limit: limit))
        default:
            requestor.start(
                selection: name, target: target, of: owner(of: selection), ticket: ticket, idleTimeout: idleTimeout,
                limit: limit, now: .now)
        }
    }

    /// Has the clipboard manager take these targets of what is offered on CLIPBOARD.
    package func handOver(_ targets: [String], ticket: Ticket, idleTimeout: Duration) {
        let manager = owner(of: display.intern(ClipboardManagerProtocol.selection))
        requestor.start(
            selection: ClipboardManagerProtocol.selection, target: ClipboardManagerProtocol.saveTargets, of: manager,
            ticket: ticket, idleTimeout: idleTimeout,
            list: targets, now: .now)
    }

    /// Who owns that selection, where that is known and not we.
    private func owner(of selection: Atom) -> WindowID {
        if case .foreign(let window) = trackers[selection]?.owner { window } else { .none }
    }

    // MARK: Events

    /// So many events are handled before the server's answers to a claim, at most.
    private static let eventsBefore = 256

    /// Handles the answers to all that was asked of the server. What comes behind them is left for later: there may be no
    /// end to it. Where much came before them, most of that is left, too, but for changes of ownership: programs that ask
    /// for more than can be answered are not to hold a claim up.
    package func settle() {
        display.synchronize()
        let count = display.gatherEvents()
        handle(next: min(count, Self.eventsBefore))
        guard count > Self.eventsBefore else { return }
        for event in display.takeOwnerChanges() { handle(event, now: .now) }
        followUp()
        display.flush()
    }

    /// Handles what has come up to this moment, and no more.
    package func catchUp() {
        // The connection is not read as long as anything is queued. Where this asks the server for something, all that was
        // on the connection is queued with the answer, and counts below.
        handle(next: display.gatherEvents())
        handle(next: display.gatherEvents())
    }

    private func handle(next count: Int) {
        guard count > 0 else { return }
        for _ in 0..<count {
            guard let event = display.nextGatheredEvent() else { break }
            handle(event, now: .now)
        }
        followUp()
        display.flush()
    }

    /// Sends what is buffered, and handles what the server has sent, until there is neither: only then may the thread
    /// sleep.
    ///
    /// The order matters. Whatever writes to the server may read from it too: libxcb takes what has come whenever it
    /// polls to send. Such an event lies in the process, and no descriptor tells of it. So each flush is followed by a
    /// look at the queue, and the last look finds nothing.
    ///
    /// - Returns: false where it left off after `limit` events, whether they meant anything or not, and deferredConversions to the
    ///   server and answers together, since commands and deadlines have their turn too: then the thread is not to sleep.
    @discardableResult
    package func drain(limit: Int) -> Bool {
        let before = (effort: effort, handled: handled)
        var isOver: Bool { handled - before.handled + effort - before.effort >= limit }
        var isSettled = false
        while !isSettled, !display.isBroken {
            display.flush()
            isSettled = true
            while !isOver, let event = display.nextEvent() {
                isSettled = false
                handled += 1
                // Its own time, as each may take long: a stopped client may hold the server.
                handle(event, now: .now)
            }
            if followUp() { isSettled = false }
            if isOver {
                display.flush()
                return false
            }
            if isSettled { isSettled = !ownerDriver.collect() }
        }
        return true
    }

    /// Tells what is known only now of what was sent.
    ///
    /// - Returns: whether the server had to be asked.
    @discardableResult
    private func followUp() -> Bool {
        let isUncertain = ownerDriver.isUncertain
        // What the server says to a window that is gone comes before its answer.
        if isUncertain { display.synchronize() }
        for window in display.takeFailedWindows() { ownerDriver.windowGone(window) }
        ownerDriver.tellPasted()
        return isUncertain
    }

    private func handle(_ event: DisplayEvent, now: ContinuousClock.Instant) {
        let before = effort
        carryOut(event, now: now)
        display.charge(effort - before, for: event)
    }

    /// What was done for others by now, besides looking at events: deferredConversions to the server count like those, and of answers
    /// a few.
    private var effort: Int { display.exchanges + ownerDriver.effects / 4 }

    private func carryOut(_ event: DisplayEvent, now: ContinuousClock.Instant) {
        switch event {
        case .request(let request): ownerDriver.handle(request, now: now)
        case .notified(let window, let selection, let target, let property, let time):
            requestor.notified(
                window: window, selection: selection, target: target, property: property, time: time, now: now)
        case .propertyWritten(let window, let property): requestor.propertyWritten(property, of: window, now: now)
        case .propertyDeleted(let window, let property): ownerDriver.propertyDeleted(property, of: window, now: now)
        case .windowDestroyed(let window): ownerDriver.windowGone(window)
        case .ownerSet(let selection, let window, let time): ownerSet(selection, window, acquired: time, now: now)
        case .ownerDied(let selection, let byDisconnection, let time):
            track(.ownerDied(at: time), of: selection, now: now)
            // A client whose window is gone may still send what it began; one that is gone cannot.
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

    private func owner(for window: WindowID) -> OwnershipTracker.Owner {
        if window == .none { return .none }
        return ownerDriver.offer(of: window).map { .ours($0) } ?? .foreign(window)
    }

    private func ownerSet(
        _ selection: Atom, _ window: WindowID, acquired: ServerTime, now: ContinuousClock.Instant
    ) {
        guard let name = names[selection] else { return }
        let owner = owner(for: window)
        switch owner {
        case .ours(let offer):
            confirmed.insert(offer)
            ownerDriver.retireAll(of: name, but: offer)
        case .foreign: ownerDriver.retireAll(of: name, but: nil)
        case .none:
            confirmedEmpty.insert(selection)
            ownerDriver.retireAll(of: name, but: nil)
        }
        // The change is told first: who starts over then asks the new owner.
        track(.ownerSet(owner, acquired: acquired), of: selection, now: now)
        requestor.ownerReplaced(selection, now: now)
        ask(selection)
        if leaving.contains(selection), window == .none || ownerDriver.offer(of: window) == nil { forget(selection) }
    }

    private func track(_ event: OwnershipTracker.Event, of selection: Atom, now: ContinuousClock.Instant) {
        tell(trackers[selection]?.handle(event, now: now) ?? [], of: selection)
    }

    private func tell(_ changes: [OwnershipTracker.Change], of selection: Atom) {
        guard let name = names[selection], !changes.isEmpty else { return }
        for change in changes { report(.changed(selection: name, change)) }
    }

    /// Asks what was kept until it was clear whether another owner comes.
    private func ask(_ selection: Atom) {
        for conversion in deferredConversions.removeValue(forKey: selection) ?? [] {
            convert(
                conversion.selection, to: conversion.target, ticket: conversion.ticket,
                idleTimeout: conversion.idleTimeout,
                limit: conversion.limit)
        }
    }

    /// Nobody wants that conversion any more.
    package func cancel(_ ticket: Ticket) {
        for selection in deferredConversions.keys
        where deferredConversions[selection]?.contains(where: { $0.ticket == ticket }) == true {
            deferredConversions[selection]?.removeAll { $0.ticket == ticket }
            return report(.converted(ticket, .failure(.cancelled)))
        }
        requestor.cancel(ticket, now: .now)
    }

    // MARK: Time

    package var deadline: ContinuousClock.Instant? {
        trackers.values.reduce(ownerDriver.deadline.orEarlier(requestor.deadline)) { $0.orEarlier($1.deadline) }
    }

    package func expire(now: ContinuousClock.Instant) {
        guard let deadline, deadline <= now else { return }
        for selection in names.keys {
            let changes = trackers[selection]?.expire(now: now) ?? []
            guard !changes.isEmpty else { continue }
            tell(changes, of: selection)
            ask(selection)
        }
        ownerDriver.expire(now: now)
        requestor.expire(now: now)
    }

    package var transferCount: Int { ownerDriver.transferCount + requestor.transferCount }
}
