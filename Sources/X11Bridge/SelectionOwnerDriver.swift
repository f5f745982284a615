import LinuxSystem
package import SelectionProtocol
import X11Display

/// The owner's side on one display: our owner windows, what each offers, and the transfers under way.
///
/// Every version has a window of its own, so the window of a request names the version; it lives until nobody owns or
/// receives that version any more.
package final class SelectionOwnerDriver {
    private struct Version {
        var offer: Offer
        var table: OfferTable
        var window: WindowID
        /// Not the owner any more. Its window goes when the last transfer has ended.
        var isRetired = false
    }

    private let display: XDisplay
    private let counters: DisplayCounters
    private var machine: SelectionOwner
    private var versions: [OfferID: Version] = [:]
    private var windows: [WindowID: OfferID] = [:]
    /// What is told of a selection that only tells who owns it.
    private var manager: (selection: Atom, window: WindowID, table: OfferTable)?
    private var readAhead = ReadAhead()
    /// The bodies that are being made.
    private var wanted: [OfferID: Set<Int>] = [:]
    /// Contents that are pasted once, sent to windows: they came there if these are not found to be gone.
    private var sent: [(offer: OfferID, window: WindowID)] = []
    /// How much was done for requestors by now.
    package private(set) var effects = 0
    private let report: (DisplayReport) -> Void
    /// What counts towards the limits besides.
    package var elsewhere: () -> TransferQuota.Elsewhere = { .init() }
    /// Ends a transfer there.
    var endElsewhere: (SelectionOwner.Destination) -> Void = { _ in }

    init(
        display: XDisplay, limits: TransferLimits, counters: DisplayCounters, report: @escaping (DisplayReport) -> Void
    ) {
        self.display = display
        self.counters = counters
        self.report = report
        machine = SelectionOwner(atoms: display.atoms, limits: limits)
    }

    // MARK: Limits

    package var limits: TransferLimits {
        get { machine.limits }
        set { machine.limits = newValue }
    }

    var quotaTransfers: [TransferQuota.Transfer] { machine.quotaTransfers }

    package var states: [TransferState] { machine.states }

    /// Drops a transfer for a newcomer.
    package func end(_ destination: SelectionOwner.Destination) {
        run(machine.end(destination), now: .now)
    }

    // MARK: Versions

    /// Answers for the bridge's own selection, too: TARGETS, TIMESTAMP and MULTIPLE are asked of every one (ICCCM 2.6.2).
    package func answer(for own: ManagerSelection) {
        let table = OfferTable(id: OfferID(0), acquired: own.time, entries: [])
        manager = (own.selection, own.window, table)
    }

    /// Makes a window for the offer and claims the selection with it, at the server's present time or at one that is given.
    ///
    /// - Returns: false, with nothing claimed, where the server took longer than the deadline to tell the time.
    package func claim(_ offer: Offer, before deadline: ContinuousClock.Instant, at given: ServerTime? = nil) -> Bool {
        // Its name has an atom, since the selection is watched.
        let selection = display.internForOthers(offer.selection)
        let entries = entries(of: offer)
        let window = versions[offer.id]?.window ?? display.createWindow(for: .owner)
        let time = given ?? display.serverTime()
        let table = OfferTable(id: offer.id, acquired: time, entries: entries)
        versions[offer.id] = Version(offer: offer, table: table, window: window)
        windows[window] = offer.id
        machine.retired[offer.id] = nil
        // Without a time of the server's nothing is claimed: CurrentTime is for no owner (ICCCM 2.1).
        guard ContinuousClock.now < deadline, time != .current else { return false }
        display.setOwner(of: selection, to: window, time: time)
        return true
    }

    /// The targets in the server's atoms, but for those whose names it cannot be told.
    private func entries(of offer: Offer) -> [(target: Atom, entry: OfferTable.Entry)] {
        let short = offer.targets.filter {
            $0.name.utf8.count <= limits.typeName && $0.type.utf8.count <= limits.typeName
        }
        let (targets, types) = (
            display.internForOthers(short.map(\.name)), display.internForOthers(short.map(\.type))
        )
        let known = short.indices.filter { targets[$0] != .none && types[$0] != .none }
        // A claim may be tried twice.
        if versions[offer.id] == nil {
            for _ in short.count..<offer.targets.count { counters.refused(.typeName) }
            for _ in known.count..<short.count { counters.refused(.atoms) }
        }
        return known.map { index in
            let body = short[index].body
            return (targets[index], .init(type: types[index], body: body, offer.bodies[body].availability))
        }
    }

    package func offer(of window: WindowID) -> OfferID? { windows[window] }

    /// The window that the version is offered from.
    package func window(of offer: OfferID) -> WindowID? { versions[offer]?.window }

    /// When that version was acquired.
    package func acquired(_ offer: OfferID) -> ServerTime? { versions[offer]?.table.acquired }

    /// The version is not offered any more. Requests that are in Xlib's queue still find it: see ``collect()``.
    func retire(_ offer: OfferID) {
        setRetired(true, offer)
    }

    /// Who owns that selection is known: every version of it but one is retired.
    ///
    /// That one may have been retired a moment ago, by a change of owner that came before its claim and was read after.
    func retireAll(of selection: String, but kept: OfferID?) {
        for (id, version) in versions where version.offer.selection == selection {
            setRetired(id != kept, id)
        }
    }

    private func setRetired(_ isRetired: Bool, _ offer: OfferID) {
        guard let version = versions[offer] else { return }
        versions[offer]?.isRetired = isRetired
        machine.retired[offer] = isRetired ? version.offer.blobs : nil
    }

    /// Lets the retired versions go that nobody receives. Called when the queue is drained: no request for them can
    /// come then, since the server sends none after the change of owner.
    ///
    /// - Returns: whether there was any.
    func collect() -> Bool {
        let idle = versions.filter { id, version in version.isRetired && !machine.isSending(id) }
        for (id, version) in idle {
            versions[id] = nil
            machine.retired[id] = nil
            windows[version.window] = nil
            wanted[id] = nil
            display.destroyWindow(version.window)
            report(.collected(id))
        }
        return !idle.isEmpty
    }

    /// The making of a body has ended: those who wait for it are answered.
    package func provide(_ offer: OfferID, body: Int, _ provision: Provision, now: ContinuousClock.Instant) {
        wanted[offer]?.remove(body)
        guard var version = versions[offer], version.offer.bodies.indices.contains(body) else { return }
        switch provision {
        case .made(let bytes):
            version.offer.bodies[body].content = .held(bytes)
            version.table.settle(body, .ready(length: bytes.range.count))
        case .impossible: version.table.settle(body, .failed)
        case .failed: break
        }
        versions[offer] = version
        if version.isRetired { machine.retired[offer] = version.offer.blobs }
        machine.elsewhere = elsewhere()
        run(machine.settled(version.table, body: body, now: now), now: now)
    }

    /// What a request wanted done was done, or could not be.
    package func performed(_ number: Int, _ isDone: Bool, now: ContinuousClock.Instant) {
        machine.elsewhere = elsewhere()
        run(machine.performed(number, isDone, now: now) { versions[$0]?.table }, now: now)
    }

    /// The targets that a requestor wants something done with, as it names them; nil where it names none.
    private func list(of effect: SideEffect) -> [String]? {
        guard effect.property != .none else { return nil }
        // The answer takes its place.
        let list = display.read(
            effect.property, of: effect.requestor, maximum: 4 * limits.targets, deleting: false)
        let found = list.words.map { display.find(Atom($0)) }
        for atom in found where atom == .tooLong { counters.refused(.typeName) }
        guard found.contains(where: { $0 != .none }) else { return nil }
        return found.compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    /// The bridge is leaving: nobody waits any more for what would have to be made.
    func refuseWaiting() {
        run(machine.refuseDeferred(), now: .now)
    }

    // MARK: Events

    package func handle(_ request: SelectionRequest, now: ContinuousClock.Instant) {
        // The server lets everybody name any window as the requestor. We ask nothing of ourselves, and an answer would
        // change properties, and what is selected, on a window that serves another end.
        guard !display.isOwn(request.requestor) else {
            counters.refused(.ownWindow)
            return display.notify(request, property: .none)
        }
        if let id = windows[request.owner], versions[id]?.offer.pasted.isEmpty == false,
            request.target != display.atoms.targets, request.target != display.atoms.timestamp
        {
            report(.asked(id, by: request.requestor, process: display.process(of: request.requestor)))
        }
        machine.elsewhere = elsewhere()
        run(machine.request(request, offer: table(for: request), now: now), now: now)
    }

    func propertyDeleted(_ property: Atom, of window: WindowID, now: ContinuousClock.Instant) {
        let effects = machine.propertyDeleted(.init(window: window, property: property), now: now) {
            self.end(of: $2, in: $1, of: $0)
        }
        run(effects, now: now)
    }

    /// Where a piece best ends: before a character of UTF-8 that would be cut. Tk decodes each piece by itself. In other
    /// data it makes no difference.
    private func end(of range: Range<Int>, in body: Int, of offer: OfferID) -> Int {
        guard let found = versions[offer]?.offer.bodies[body], found.format == 8, case .held(let bytes) = found.content
        else { return range.upperBound }
        // The longest character has four bytes: its first one is at most three before the cut.
        let start = bytes.range.lowerBound
        let tail = start + max(range.lowerBound, range.upperBound - 3)..<start + range.upperBound + 1
        guard let near = try? bytes.held.bytes(in: tail), let cut = near.indices.last, near[cut] & 0xC0 == 0x80,
            let first = near.lastIndex(where: { $0 & 0xC0 != 0x80 }), near[first] >= 0xC0
        else { return range.upperBound }
        return range.upperBound - (cut - first)
    }

    /// Whether it is to be seen yet if what was sent has come to its windows.
    var isUncertain: Bool { !sent.isEmpty }

    /// The windows that were gone by now are known.
    func tellPasted() {
        for (offer, window) in sent { report(.pasted(offer, by: window)) }
        sent = []
    }

    func windowGone(_ window: WindowID) {
        sent.removeAll { $0.window == window }
        machine.windowGone(window)
        display.forget(window)
        if machine.transferCount != 1 { readAhead.drop() }
    }

    package func expire(now: ContinuousClock.Instant) {
        machine.elsewhere = elsewhere()
        run(machine.expire(now: now) { versions[$0]?.table }, now: now)
    }

    package var deadline: ContinuousClock.Instant? { machine.deadline }

    package var transferCount: Int { machine.transferCount }

    // MARK: Effects

    private func table(for request: SelectionRequest) -> OfferTable? {
        if let manager, manager.window == request.owner {
            return manager.selection == request.selection ? manager.table : nil
        }
        guard let id = windows[request.owner], let version = versions[id],
            display.internForOthers(version.offer.selection) == request.selection
        else { return nil }
        return version.table
    }

    private func run(_ effects: [SelectionOwner.Effect], now: ContinuousClock.Instant) {
        counters.note(machine.takeRefusals())
        self.effects += effects.count
        // What could not be written whole.
        var failed: Set<SelectionOwner.Destination> = []
        for effect in effects {
            switch effect {
            case .watch(let window): display.watch(window)
            case .unwatch(let window): display.unwatch(window)
            case .write(let destination, let type, let content):
                if !write(content, to: destination, type: type) { failed.insert(destination) }
            case .notify(let request, let property):
                let isFailed = failed.contains(.init(window: request.requestor, property: property))
                display.notify(request, property: isFailed ? .none : property)
            case .end(let destination): endElsewhere(destination)
            case .make(let offer, let body):
                if wanted[offer, default: []].insert(body).inserted { report(.wanted(offer, body: body)) }
            case .perform(let effect):
                report(
                    .wantedSaved(
                        effect.number, by: effect.requestor, targets: list(of: effect), asked: display.serverTime()))
            case .readPairs(let request):
                // Kept for the answer: the list stays on the requestor's window (ICCCM 2.6.2).
                let list = display.read(
                    request.property, of: request.requestor, maximum: 4 * 2 * (limits.pairs + 1), deleting: false)
                let offer = table(for: request)
                let pairs = list.format == 32 ? checked(list.words, for: offer) : nil
                run(machine.multiple(request, pairs: pairs, offer: offer, now: now), now: now)
            }
        }
        if machine.transferCount != 1 { readAhead.drop() }
    }

    /// How many numbers that are no atoms a list may have: each costs an exchange with the server.
    private static let mostUnknown = 16

    /// The pairs with None for each property that is no atom: the server checks those of a request, and not those in a
    /// list. It is only asked for those of targets on offer, as the other pairs fail without; nil where too many are none.
    private func checked(_ words: [UInt32], for offer: OfferTable?) -> [UInt32]? {
        // What is refused as a whole is not looked through.
        guard let offer, words.count.isMultiple(of: 2), words.count <= 2 * limits.pairs else { return words }
        var pairs = words
        var unknown = 0
        for index in stride(from: 1, to: words.count, by: 2) {
            let property = Atom(words[index])
            guard converts(Atom(words[index - 1]), of: offer), property != .none, display.find(property) == .none
            else { continue }
            pairs[index] = Atom.none.id
            unknown += 1
            if unknown > Self.mostUnknown { return nil }
        }
        return pairs
    }

    private func converts(_ target: Atom, of offer: OfferTable) -> Bool {
        offer.entries[target] != nil || target == display.atoms.targets || target == display.atoms.timestamp
    }

    /// - Returns: false where a value could not be written, and the requestor is to be refused.
    private func write(
        _ content: SelectionOwner.Content, to destination: SelectionOwner.Destination, type: Atom
    ) -> Bool {
        switch content {
        case .words(let words):
            display.write(words, to: destination.property, of: destination.window, type: type)
            return true
        case .slice(let offer, let body, let range):
            guard let found = versions[offer]?.offer.bodies[body], case .held(let bytes) = found.content else {
                return false
            }
            // What is no whole number of units goes as bytes, so that none is lost.
            let format = bytes.range.count.isMultiple(of: found.format / 8) ? found.format : 8
            func write(_ part: RawSpan) {
                display.write(part, to: destination.property, of: destination.window, type: type, format: format)
            }
            do {
                try readAhead.withBytes(in: range, of: bytes) { write($0) }
                if machine.transferCount == 1 { readAhead.prepare(after: range, of: bytes) }
            } catch {
                counters.refused(.unreadable)
                guard range.count < bytes.range.count else { return false }
                // In the midst of a transfer there is no way to refuse: it ends here, short of the length that was
                // announced. Without an end the requestor would wait.
                write(RawSpan())
                run(machine.end(destination), now: .now)
                return true
            }
            if bytes.held.secret != nil { display.flushAndWipe() }
            // An incremental transfer ends with a piece of nothing.
            let isLast = range.isEmpty || range.count == bytes.range.count
            if isLast, versions[offer]?.offer.pasted.contains(body) == true { sent.append((offer, destination.window)) }
            return true
        }
    }
}
