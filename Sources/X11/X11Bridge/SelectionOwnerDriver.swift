import LinuxSystem
package import SelectionProtocol
import X11Display

/// The owner's side of one display: our owner windows, the offer of each, and the transfers under way.
///
/// Every version of a pasteboard has its own window, so the window of a request identifies the version. The window
/// exists until the version is neither owned nor transferred.
package final class SelectionOwnerDriver {
    private struct Version {
        var offer: Offer
        var table: OfferTable
        var window: WindowID
        /// True once another owner has the selection. The window is destroyed after the last transfer.
        var isRetired = false
        /// True until the compositor has been refused a conversion of an offer that is withheld from its manager.
        var refusesCompositor: Bool

        init(offer: Offer, table: OfferTable, window: WindowID) {
            self.offer = offer
            self.table = table
            self.window = window
            refusesCompositor = offer.isWithheldFromManager
        }
    }

    private let display: XDisplay
    private let counters: DisplayCounters
    private var machine: SelectionOwner
    private var versions: [OfferID: Version] = [:]
    private var windows: [WindowID: OfferID] = [:]
    /// The manager selection, which shows only its owner: its table has no entries.
    private var manager: (selection: Atom, window: WindowID, table: OfferTable)?
    private var readAhead = ReadAhead()
    /// The bodies that the service has been asked to make.
    private var requestedBodies: [OfferID: Set<Int>] = [:]
    /// The contents that may be pasted once and were sent. They count as pasted if the receiving window still exists.
    private var unconfirmedPastes: [(offer: OfferID, window: WindowID)] = []
    /// The number of effects that were carried out for requestors.
    private(set) var effectCount = 0
    private let report: (DisplayReport) -> Void
    /// The function that returns true for a window of the compositor of a Wayland session.
    var isOfCompositor: (WindowID) -> Bool = { _ in false }
    /// The function that returns the other transfers that count towards the same limits.
    var otherTransfers: () -> TransferQuota.OtherTransfers = { .init() }
    /// The function that ends another transfer that counts towards the same limits.
    var endOtherTransfer: (SelectionOwner.Destination) -> Void = { _ in }

    init(
        display: XDisplay, limits: TransferLimits, counters: DisplayCounters, report: @escaping (DisplayReport) -> Void
    ) {
        self.display = display
        self.counters = counters
        self.report = report
        machine = SelectionOwner(atoms: display.atoms, limits: limits)
    }

    // MARK: Limits

    var limits: TransferLimits {
        get { machine.limits }
        set { machine.limits = newValue }
    }

    var quotaTransfers: [TransferQuota.Transfer] { machine.quotaTransfers }

    var states: [TransferState] { machine.states }

    /// Ends a transfer to make room for a new one.
    func endTransfer(_ destination: SelectionOwner.Destination) {
        run(machine.end(destination), now: .now)
    }

    // MARK: Versions

    /// Begins to answer requests for the bridge's manager selection too: every owner must support TARGETS, TIMESTAMP
    /// and MULTIPLE (ICCCM 2.6.2).
    func serve(_ selection: ManagerSelection) {
        let table = OfferTable(id: OfferID(0), acquired: selection.time, entries: [])
        manager = (selection.selection, selection.window, table)
    }

    /// Creates a window for the offer and claims the selection with it, at the given time or at the present time of the
    /// server.
    ///
    /// - Returns: false, with nothing claimed, if the server answered after the deadline.
    func claim(_ offer: Offer, before deadline: ContinuousClock.Instant, at given: ServerTime? = nil) -> Bool {
        // The selection is watched, so its name has an atom.
        let selection = display.internForeign(offer.selection)
        let entries = entries(of: offer)
        let window = versions[offer.id]?.window ?? display.createWindow(for: .owner)
        let time = given ?? display.serverTime()
        let table = OfferTable(id: offer.id, acquired: time, entries: entries)
        versions[offer.id] = Version(offer: offer, table: table, window: window)
        windows[window] = offer.id
        machine.retired[offer.id] = nil
        // A claim needs a time of the server: CurrentTime is not allowed (ICCCM 2.1).
        guard ContinuousClock.now < deadline, time != .current else { return false }
        display.setOwner(of: selection, to: window, time: time)
        return true
    }

    /// Returns the targets of an offer by their atoms, without those whose names may not be interned.
    private func entries(of offer: Offer) -> [(target: Atom, entry: OfferTable.Entry)] {
        let short = offer.targets.filter {
            $0.name.utf8.count <= limits.typeName && $0.type.utf8.count <= limits.typeName
        }
        let (targets, types) = (display.internForeign(short.map(\.name)), display.internForeign(short.map(\.type)))
        let known = short.indices.filter { targets[$0] != .none && types[$0] != .none }
        // A claim may be attempted twice, and counts once.
        if versions[offer.id] == nil {
            for _ in short.count..<offer.targets.count { counters.refused(.typeName) }
            for _ in known.count..<short.count { counters.refused(.atoms) }
        }
        return known.map { index in
            let body = short[index].body
            return (targets[index], .init(type: types[index], body: body, offer.bodies[body].availability))
        }
    }

    func offer(of window: WindowID) -> OfferID? { windows[window] }

    func window(of offer: OfferID) -> WindowID? { versions[offer]?.window }

    /// Returns the time at which a version was acquired; nil if it is released.
    package func acquired(_ offer: OfferID) -> ServerTime? { versions[offer]?.table.acquired }

    /// Stops offering a version. Requests in Xlib's queue still find it: see ``releaseRetiredOffers()``.
    func retire(_ offer: OfferID) {
        setRetired(true, offer)
    }

    /// Retires all versions of a selection except the current one.
    ///
    /// The current version may have been retired a moment ago, by a change of owner that came before the version's
    /// claim and was read after the claim.
    func retireOffers(of selection: String, except current: OfferID?) {
        for (id, version) in versions where version.offer.selection == selection {
            setRetired(id != current, id)
        }
    }

    private func setRetired(_ isRetired: Bool, _ offer: OfferID) {
        guard let version = versions[offer] else { return }
        versions[offer]?.isRetired = isRetired
        machine.retired[offer] = isRetired ? version.offer.heldMemory : nil
    }

    /// Releases the retired versions that are not being transferred. Call this when the event queue is empty: the
    /// server sends no request for a version after the change of owner, so no request can follow.
    ///
    /// - Returns: true if any version was released.
    func releaseRetiredOffers() -> Bool {
        let idle = versions.filter { id, version in version.isRetired && !machine.isSending(id) }
        for (id, version) in idle {
            versions[id] = nil
            machine.retired[id] = nil
            windows[version.window] = nil
            requestedBodies[id] = nil
            display.destroyWindow(version.window)
            report(.collected(id))
        }
        return !idle.isEmpty
    }

    // MARK: Bodies on demand

    /// Answers the requests that wait for a body.
    func provide(_ offer: OfferID, body: Int, _ provision: Provision, now: ContinuousClock.Instant) {
        requestedBodies[offer]?.remove(body)
        guard var version = versions[offer], version.offer.bodies.indices.contains(body) else { return }
        switch provision {
        case .made(let bytes):
            version.offer.bodies[body].content = .held(bytes)
            version.table.settle(body, .ready(length: bytes.range.count))
        case .impossible: version.table.settle(body, .failed)
        case .failed: break
        }
        versions[offer] = version
        if version.isRetired { machine.retired[offer] = version.offer.heldMemory }
        machine.otherTransfers = otherTransfers()
        run(machine.settled(version.table, body: body, now: now), now: now)
    }

    /// Answers the request that waits for a side effect.
    func sideEffectEnded(_ number: Int, isDone: Bool, now: ContinuousClock.Instant) {
        machine.otherTransfers = otherTransfers()
        run(machine.performed(number, isDone, now: now) { versions[$0]?.table }, now: now)
    }

    /// Returns the targets that a requestor names as the parameters of a side effect; nil if it names no targets.
    private func targets(of effect: SideEffect) -> [String]? {
        guard effect.property != .none else { return nil }
        // The property is not deleted, since the answer replaces it.
        let list = display.read(
            effect.property, of: effect.requestor, maximum: 4 * limits.targets, deleting: false)
        let found = list.words.map { display.find(Atom($0)) }
        for atom in found where atom == .tooLong { counters.refused(.typeName) }
        guard found.contains(where: { $0 != .none }) else { return nil }
        return found.compactMap { if case .name(let name) = $0 { name } else { nil } }
    }

    /// Refuses the requests that wait for bodies or side effects, because the bridge is ending.
    func refuseDeferredRequests() {
        run(machine.refuseDeferred(), now: .now)
    }

    // MARK: Events

    func handle(_ request: SelectionRequest, now: ContinuousClock.Instant) {
        // The server accepts any window as the requestor. The bridge asks nothing of itself, so only a hostile client
        // names one of its windows. An answer would change properties, and event masks, of a window that serves another
        // purpose.
        guard !display.isOwn(request.requestor) else {
            counters.refused(.ownWindow)
            return display.notify(request, property: .none)
        }
        if let id = windows[request.owner], let version = versions[id], request.target != display.atoms.targets,
            request.target != display.atoms.timestamp
        {
            if version.refusesCompositor, isOfCompositor(request.requestor) {
                versions[id]?.refusesCompositor = false
                return display.notify(request, property: .none)
            }
            let needsProcess = !version.offer.pasted.isEmpty || version.offer.refusesReader != nil
            let process = needsProcess ? display.process(of: request.requestor) : nil
            if let process, version.offer.refusesReader?(process) == true {
                return display.notify(request, property: .none)
            }
            if !version.offer.pasted.isEmpty { report(.asked(id, by: request.requestor, process: process)) }
        }
        machine.otherTransfers = otherTransfers()
        let table = table(for: request)
        var request = request
        // A list of targets is short.
        request.isOfCompositor = request.target != display.atoms.targets && isOfCompositor(request.requestor)
        run(machine.request(request, of: toolkit(of: request, in: table), offer: table, now: now), now: now)
    }

    /// Returns the toolkit of a requestor. The server is asked for the property's name only if the request may have to
    /// wait.
    private func toolkit(of request: SelectionRequest, in table: OfferTable?) -> RequestorToolkit {
        let entry = table?.entries[request.target]
        let isDeferred =
            request.target == display.atoms.multiple
            ? table?.entries.values.contains(where: \.isDeferred) : entry?.isDeferred
        guard isDeferred == true else { return .other }
        return RequestorToolkit(
            property: display.name(of: request.property), saves: entry?.isSideEffect ?? false)
    }

    func propertyDeleted(_ property: Atom, of window: WindowID, now: ContinuousClock.Instant) {
        let effects = machine.propertyDeleted(.init(window: window, property: property), now: now) {
            pieceEnd(of: $2, in: $1, of: $0)
        }
        run(effects, now: now)
    }

    /// Returns the best end of a piece: before a UTF-8 character that the piece would cut, because Tk decodes each
    /// piece separately. For other data the exact end does not matter.
    private func pieceEnd(of range: Range<Int>, in body: Int, of offer: OfferID) -> Int {
        guard let found = versions[offer]?.offer.bodies[body], found.format == 8, case .held(let bytes) = found.content
        else { return range.upperBound }
        // A character has at most four bytes, so its first byte is at most three before the cut.
        let start = bytes.range.lowerBound
        let tail = start + max(range.lowerBound, range.upperBound - 3)..<start + range.upperBound + 1
        guard let near = try? bytes.held.bytes(in: tail), let cut = near.indices.last, near[cut] & 0xC0 == 0x80,
            let first = near.lastIndex(where: { $0 & 0xC0 != 0x80 }), near[first] >= 0xC0
        else { return range.upperBound }
        return range.upperBound - (cut - first)
    }

    /// True if contents were sent to windows that may no longer exist.
    var hasUnconfirmedPastes: Bool { !unconfirmedPastes.isEmpty }

    /// Reports the pastes to windows that exist. All windows that are gone must have been reported by
    /// ``windowGone(_:)``.
    func reportPastes() {
        for (offer, window) in unconfirmedPastes { report(.pasted(offer, by: window)) }
        unconfirmedPastes = []
    }

    func windowGone(_ window: WindowID) {
        unconfirmedPastes.removeAll { $0.window == window }
        machine.windowGone(window)
        display.forget(window)
        if machine.transferCount != 1 { readAhead.drop() }
    }

    func expire(now: ContinuousClock.Instant) {
        machine.otherTransfers = otherTransfers()
        run(machine.expire(now: now) { versions[$0]?.table }, now: now)
    }

    var deadline: ContinuousClock.Instant? { machine.deadline }

    package var transferCount: Int { machine.transferCount }

    // MARK: Effects

    private func table(for request: SelectionRequest) -> OfferTable? {
        if let manager, manager.window == request.owner {
            return manager.selection == request.selection ? manager.table : nil
        }
        guard let id = windows[request.owner], let version = versions[id],
            display.internForeign(version.offer.selection) == request.selection
        else { return nil }
        return version.table
    }

    private func run(_ effects: [SelectionOwner.Effect], now: ContinuousClock.Instant) {
        counters.note(machine.takeRefusals())
        effectCount += effects.count
        // The destinations of values that could not be written completely.
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
            case .end(let destination): endOtherTransfer(destination)
            case .make(let offer, let body):
                if requestedBodies[offer, default: []].insert(body).inserted { report(.wanted(offer, body: body)) }
            case .perform(let effect):
                report(
                    .saveRequested(
                        effect.number, by: effect.requestor, targets: targets(of: effect),
                        asked: display.serverTime(), within: effect.timeout))
            case .readPairs(let request):
                // The list is not deleted: it stays on the requestor's window for the answer (ICCCM 2.6.2).
                let list = display.read(
                    request.property, of: request.requestor, maximum: 4 * 2 * (limits.pairs + 1), deleting: false)
                let offer = table(for: request)
                let pairs = list.format == 32 ? checked(list.words, for: offer) : nil
                run(
                    machine.multiple(
                        request, of: toolkit(of: request, in: offer), pairs: pairs, offer: offer, now: now), now: now)
            }
        }
        if machine.transferCount != 1 { readAhead.drop() }
    }

    /// The maximum number of words in a list that are not atoms: each of them costs a round trip to the server.
    private static let maxUnknown = 16

    /// Replaces each property that is not an atom with None in the pairs of a MULTIPLE request: the server checks the
    /// property of a request, but not the properties in a list.
    ///
    /// The server is asked only about pairs whose target is on offer, because other pairs fail anyway.
    ///
    /// - Returns: nil if too many properties are not atoms.
    private func checked(_ words: [UInt32], for offer: OfferTable?) -> [UInt32]? {
        // A list that is refused as a whole need not be checked.
        guard let offer, words.count.isMultiple(of: 2), words.count <= 2 * limits.pairs else { return words }
        var pairs = words
        var unknown = 0
        for index in stride(from: 1, to: words.count, by: 2) {
            let property = Atom(words[index])
            guard converts(Atom(words[index - 1]), of: offer), property != .none, display.find(property) == .none
            else { continue }
            pairs[index] = Atom.none.id
            unknown += 1
            if unknown > Self.maxUnknown { return nil }
        }
        return pairs
    }

    private func converts(_ target: Atom, of offer: OfferTable) -> Bool {
        offer.entries[target] != nil || target == display.atoms.targets || target == display.atoms.timestamp
    }

    /// Writes a value. Returns false if it could not be written, so that the requestor must be refused.
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
            // A length that is not a multiple of the unit is written as bytes, so that no byte is lost.
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
                // The protocol cannot refuse in the middle of a transfer. An empty piece ends the transfer before the
                // announced length; without an end, the requestor would wait.
                write(RawSpan())
                run(machine.end(destination), now: .now)
                return true
            }
            if bytes.held.secret != nil { display.flushAndWipe() }
            // An incremental transfer ends with an empty piece.
            let isLast = range.isEmpty || range.count == bytes.range.count
            if isLast, versions[offer]?.offer.pasted.contains(body) == true {
                unconfirmedPastes.append((offer, destination.window))
            }
            return true
        }
    }
}
