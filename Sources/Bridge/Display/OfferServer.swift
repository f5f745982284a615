import LinuxSystem
import SelectionProtocol
import X11Display

/// The owner's side on one display: our owner windows, what each offers, and the transfers under way.
///
/// Every version has a window of its own, so the window of a request names the version; it lives until nobody owns or
/// receives that version any more.
final class OfferServer {
    private struct Version {
        var offer: Offer
        var table: OfferTable
        var window: WindowID
        /// Not the owner any more. Its window goes when the last transfer has ended.
        var isRetired = false
    }

    private let display: XDisplay
    private var machine: SelectionOwner
    private var versions: [OfferID: Version] = [:]
    private var windows: [WindowID: OfferID] = [:]

    init(display: XDisplay) {
        self.display = display
        machine = SelectionOwner(
            atoms: display.atoms, limits: TransferLimits(maximumRequest: display.maximumRequest))
    }

    // MARK: Versions

    /// Makes a window for the offer and claims the selection with it, at the server's present time.
    ///
    /// - Returns: false, with nothing claimed, where the server took longer than the deadline to tell the time.
    func claim(_ offer: Offer, before deadline: ContinuousClock.Instant) -> Bool {
        let selection = display.intern(offer.selection)
        let targets = display.intern(offer.targets.map(\.name))
        let types = display.intern(offer.targets.map(\.type))
        let window = versions[offer.id]?.window ?? display.createWindow(for: .owner)
        let time = display.serverTime()
        let entries = offer.targets.indices.map { index in
            let body = offer.targets[index].body
            let entry = OfferTable.Entry(type: types[index], body: body, length: offer.bodies[body].range.count)
            return (target: targets[index], entry: entry)
        }
        let table = OfferTable(id: offer.id, acquired: time, entries: entries)
        versions[offer.id] = Version(offer: offer, table: table, window: window)
        windows[window] = offer.id
        // Without a time of the server's nothing is claimed: CurrentTime is for no owner (ICCCM 2.1).
        guard ContinuousClock.now < deadline, time != .current else { return false }
        display.setOwner(of: selection, to: window, time: time)
        return true
    }

    func offer(of window: WindowID) -> OfferID? { windows[window] }

    /// When that version was acquired.
    func acquired(_ offer: OfferID) -> ServerTime? { versions[offer]?.table.acquired }

    /// The version is not offered any more. Requests that are in Xlib's queue still find it: see ``collect()``.
    func retire(_ offer: OfferID) {
        versions[offer]?.isRetired = true
    }

    /// Who owns that selection is known: every version of it but one is retired.
    ///
    /// That one may have been retired a moment ago, by a change of owner that came before its claim and was read after.
    func retireAll(of selection: String, but kept: OfferID?) {
        for (id, version) in versions where version.offer.selection == selection {
            versions[id]?.isRetired = id != kept
        }
    }

    /// Lets the retired versions go that nobody receives. Called when the queue is drained: no request for them can
    /// come then, since the server sends none after the change of owner.
    ///
    /// - Returns: whether there was any.
    func collect() -> Bool {
        let idle = versions.filter { id, version in version.isRetired && !machine.isSending(id) }
        for (id, version) in idle {
            versions[id] = nil
            windows[version.window] = nil
            display.destroyWindow(version.window)
        }
        return !idle.isEmpty
    }

    // MARK: Events

    func handle(_ request: SelectionRequest, now: ContinuousClock.Instant) {
        run(machine.request(request, offer: table(for: request), now: now), now: now)
    }

    func propertyDeleted(_ property: Atom, of window: WindowID, now: ContinuousClock.Instant) {
        run(machine.propertyDeleted(.init(window: window, property: property), now: now), now: now)
    }

    func windowGone(_ window: WindowID) {
        machine.windowGone(window)
        display.forget(window)
    }

    func expire(now: ContinuousClock.Instant) {
        run(machine.expire(now: now), now: now)
    }

    var deadline: ContinuousClock.Instant? { machine.deadline }

    var transferCount: Int { machine.transferCount }

    // MARK: Effects

    private func table(for request: SelectionRequest) -> OfferTable? {
        guard let id = windows[request.owner], let version = versions[id],
            display.intern(version.offer.selection) == request.selection
        else { return nil }
        return version.table
    }

    private func run(_ effects: [SelectionOwner.Effect], now: ContinuousClock.Instant) {
        for effect in effects {
            switch effect {
            case .watch(let window): display.watch(window)
            case .unwatch(let window): display.unwatch(window)
            case .write(let destination, let type, let content): write(content, to: destination, type: type)
            case .notify(let request, let property): display.notify(request, property: property)
            case .readPairs(let request):
                // Kept for the answer: the list stays on the requestor's window (ICCCM 2.6.2).
                let list = display.read(
                    request.property, of: request.requestor, maximum: 4 * 2 * 1_025, deleting: false)
                run(
                    machine.multiple(
                        request, pairs: list.format == 32 ? list.words.map(knownAtom) : nil,
                        offer: table(for: request), now: now),
                    now: now)
            }
        }
    }

    /// None for a number that is no atom: the server checks those of a request, and not those in a list.
    private func knownAtom(_ word: UInt32) -> UInt32 {
        display.name(of: Atom(word)) == nil ? Atom.none.id : word
    }

    private func write(_ content: SelectionOwner.Content, to destination: SelectionOwner.Destination, type: Atom) {
        switch content {
        case .words(let words):
            display.write(words, to: destination.property, of: destination.window, type: type)
        case .slice(let offer, let body, let range):
            guard let version = versions[offer] else { return }
            // Bytes that cannot be mapped are not written: the requestor finds no property, which means refused.
            try? version.offer.bodies[body].withBytes(in: range) { bytes in
                display.write(bytes, to: destination.property, of: destination.window, type: type)
            }
        }
    }
}
