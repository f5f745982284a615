/// The owner's half of ICCCM section 2: answers requests, and carries long answers by INCR.
///
/// A pure machine. Each call takes what happened and the time, and returns what is to be done, in order; it knows no
/// display, no clock and no bytes, only lengths. Every request is answered exactly once: at once where the bytes are
/// there, and after a short while where they have to be made.
package struct SelectionOwner: Sendable {
    private let atoms: ProtocolAtoms
    /// What is under way is not ended by lower ones.
    package var limits: TransferLimits
    /// What counts besides, for the quota.
    package var elsewhere = TransferQuota.Elsewhere()
    /// What versions hold that are not offered any more, for as long as they are sent.
    package var retired: [OfferID: [TransferQuota.Held]] = [:]
    var transfers: [Destination: IncrementalSend] = [:]
    /// How often what was refused or dropped since that was asked last.
    var refusals: [TransferRefusal: Int] = [:]
    var deferred: [DeferredRequest] = []
    /// Whether a request may still wait for its bytes.
    var defers = true
    /// The number of the last one.
    var sideEffects = 0

    package init(atoms: ProtocolAtoms, limits: TransferLimits) {
        self.atoms = atoms
        self.limits = limits
    }

    /// The property of a peer's window that a transfer goes to. Two transfers never share one.
    package struct Destination: Hashable, Sendable {
        package var window: WindowID
        package var property: Atom

        package init(window: WindowID, property: Atom) {
            self.window = window
            self.property = property
        }
    }

    package enum Content: Sendable, Equatable {
        /// Values of 32 bits (format 32).
        case words([UInt32])
        /// A range of one of the version's bodies (format 8).
        case slice(OfferID, body: Int, Range<Int>)
    }

    package enum Effect: Sendable, Equatable {
        /// Select PropertyChange and StructureNotify on a peer's window.
        case watch(WindowID)
        /// Nothing is going to that window any more.
        case unwatch(WindowID)
        /// Replace a property.
        case write(Destination, type: Atom, Content)
        /// Send the SelectionNotify: the one answer. `none` refuses.
        case notify(SelectionRequest, property: Atom)
        /// Read the pairs at the request's property and call ``multiple(_:pairs:offer:now:)``.
        case readPairs(SelectionRequest)
        /// Have a body made and call ``settled(_:body:now:)``.
        case make(OfferID, body: Int)
        /// Bring something about and call ``performed(_:_:now:offers:)``.
        case perform(SideEffect)
        /// One of the transfers elsewhere is to end: it drips.
        case end(Destination)
    }

    // MARK: Requests

    /// Answers a request. `offer` is what the asked window offers, nil where it offers nothing any more.
    package mutating func request(
        _ request: SelectionRequest, offer: OfferTable?, now: ContinuousClock.Instant
    ) -> [Effect] {
        guard let offer else { return refuse(request, .retired) }
        if request.target == atoms.multiple {
            // Without a property there is no list to read.
            return request.property == .none ? refuse(request, .badList) : [.readPairs(request)]
        }
        let superseded = supersede(Destination(window: request.requestor, property: request.destination))
        if let entry = offer.entries[request.target], let patience = entry.patience {
            let awaited = Awaited(target: request.target, entry: entry, property: request.property)
            let kept = `defer`([awaited], for: request, pairs: nil, of: offer, patience: patience, now: now)
            return superseded + (kept ?? [.notify(request, property: .none)])
        }
        return superseded + answer(request, from: offer, now: now)
    }

    /// - Parameter performed: The properties for which was done what was asked.
    mutating func answer(
        _ request: SelectionRequest, from offer: OfferTable, performed: Set<Atom> = [], now: ContinuousClock.Instant
    ) -> [Effect] {
        let destination = Destination(window: request.requestor, property: request.destination)
        let effects = convert(
            request.target, of: request.selection, to: destination, offer: offer, performed: performed, now: now)
        guard let effects else { return [.notify(request, property: .none)] }
        return effects + [.notify(request, property: request.destination)]
    }

    /// Answers a MULTIPLE whose list was read; nil where the property is absent or not of format 32.
    ///
    /// Each failed conversion is told by None in place of its property (ICCCM 2.6.2); the whole has one answer.
    package mutating func multiple(
        _ request: SelectionRequest, pairs: [UInt32]?, offer: OfferTable?, now: ContinuousClock.Instant
    ) -> [Effect] {
        guard let offer else { return refuse(request, .retired) }
        guard let pairs, pairs.count.isMultiple(of: 2), pairs.count <= 2 * limits.pairs else {
            return refuse(request, .badList)
        }
        // Nothing is awaited for a pair that fails whatever comes.
        var taken: Set<Atom> = [.none, request.property]
        let awaited = stride(from: 0, to: pairs.count, by: 2).compactMap { index -> Awaited? in
            let (target, property) = (Atom(pairs[index]), Atom(pairs[index + 1]))
            guard target != atoms.multiple, taken.insert(property).inserted, let entry = offer.entries[target],
                entry.patience != nil
            else { return nil }
            return Awaited(target: target, entry: entry, property: property)
        }
        if let patience = awaited.compactMap(\.entry.patience).min() {
            return `defer`(awaited, for: request, pairs: pairs, of: offer, patience: patience, now: now)
                ?? [.notify(request, property: .none)]
        }
        return answer(request, pairs: pairs, from: offer, now: now)
    }

    mutating func answer(
        _ request: SelectionRequest, pairs: [UInt32], from offer: OfferTable, performed: Set<Atom> = [],
        now: ContinuousClock.Instant
    ) -> [Effect] {
        var pairs = pairs
        var effects: [Effect] = []
        var taken: Set<Atom> = [request.property]
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let target = Atom(pairs[index])
            let property = Atom(pairs[index + 1])
            // A property that is named twice, or that holds the list itself, cannot carry two answers.
            if property != .none, target != atoms.multiple, taken.insert(property).inserted,
                let conversion = convert(
                    target, of: request.selection, to: Destination(window: request.requestor, property: property),
                    offer: offer, performed: performed, now: now)
            {
                effects += conversion
            } else {
                pairs[index + 1] = Atom.none.id
            }
        }
        let list = Destination(window: request.requestor, property: request.property)
        effects += abandon(list)
        effects.append(.write(list, type: atoms.atomPair, .words(pairs)))
        effects.append(.notify(request, property: request.property))
        return effects
    }

    /// Puts one target's value at the destination, or nil where the offer has no such target or no room is left.
    private mutating func convert(
        _ target: Atom, of selection: Atom, to destination: Destination, offer: OfferTable, performed: Set<Atom>,
        now: ContinuousClock.Instant
    ) -> [Effect]? {
        if target == atoms.targets {
            let list = [atoms.targets, atoms.timestamp, atoms.multiple] + offer.available
            return abandon(destination) + [.write(destination, type: .atom, .words(list.map(\.id)))]
        }
        if target == atoms.timestamp {
            return abandon(destination)
                + [.write(destination, type: .integer, .words([offer.acquired.milliseconds]))]
        }
        guard let entry = offer.entries[target] else { return note(.unknownTarget) }
        if entry.isSideEffect {
            guard performed.contains(destination.property) else { return note(.notReady) }
            return abandon(destination) + [.write(destination, type: entry.type, .words([]))]
        }
        guard let length = entry.length else { return note(.notReady) }
        guard length > limits.chunk else {
            let content = Content.slice(offer.id, body: entry.body, 0..<length)
            return abandon(destination) + [.write(destination, type: entry.type, content)]
        }
        // The length is announced in 32 bits.
        guard length <= Int(UInt32.max) else { return note(.unknownTarget) }
        // What goes there is given up if this is admitted, and counts no more.
        guard let ended = admit(destination.window, replacing: destination, now: now) else { return nil }
        let dropped = ended + abandon(destination)
        transfers[destination] = IncrementalSend(
            offer: offer.id, selection: selection, target: target, entry: entry, length: length, chunk: limits.chunk,
            started: now)
        // Watched before the property is written, else a quick requestor's delete is missed (ICCCM 2.7.2). The length
        // is exact: Emacs makes a buffer of it, and fills what is missing with garbage.
        return dropped + [
            .watch(destination.window),
            .write(destination, type: atoms.incr, .words([UInt32(length)])),
        ]
    }

    /// A requestor that asks anew for the same property has given up what was going there.
    mutating func abandon(_ destination: Destination) -> [Effect] {
        guard transfers.removeValue(forKey: destination) != nil else { return [] }
        return unwatchIfIdle(destination.window)
    }

    // MARK: Transfers

    /// A property of a peer's window was deleted: the requestor is ready for the next piece.
    ///
    /// - Parameter end: Where a piece of a body best ends that may have that range at most.
    package mutating func propertyDeleted(
        _ destination: Destination, now: ContinuousClock.Instant,
        end: (OfferID, _ body: Int, Range<Int>) -> Int = { $2.upperBound }
    ) -> [Effect] {
        guard var transfer = transfers[destination] else { return [] }
        let (offer, body) = (transfer.offer, transfer.entry.body)
        let range = transfer.next(now: now) { end(offer, body, $0) }
        let content = Content.slice(transfer.offer, body: transfer.entry.body, range)
        let piece = Effect.write(destination, type: transfer.entry.type, content)
        guard range.isEmpty else {
            transfers[destination] = transfer
            return [piece]
        }
        // The zero-length piece ends it. It keeps the type and format of the others: GTK 3 and xsel look at it.
        transfers[destination] = nil
        return [piece] + unwatchIfIdle(destination.window)
    }

    /// A peer's window is gone, or cannot be written to: everything that was going there ends.
    package mutating func windowGone(_ window: WindowID) {
        transfers = transfers.filter { $0.key.window != window }
        deferred.removeAll { $0.request.requestor == window }
    }

    /// Drops the transfers whose requestor has been silent for too long, and answers the requests that have waited long
    /// enough for their bytes.
    ///
    /// - Parameter offers: What a version offers, by its number.
    package mutating func expire(now: ContinuousClock.Instant, offers: (OfferID) -> OfferTable?) -> [Effect] {
        let late = transfers.filter { $0.value.touched + limits.requestorSilence <= now }.map(\.key)
        for _ in late { note(.stalled) }
        return late.flatMap { destination in abandon(destination) }
            + answerDeferred(now: now, from: offers) { $0.deadline <= now }
    }

    /// When ``expire(now:offers:)`` is due.
    package var deadline: ContinuousClock.Instant? {
        guard transferCount > 0 else { return nil }
        let silent = transfers.values.lazy.map(\.touched).min().map { $0 + limits.requestorSilence }
        return [silent, deferred.lazy.map(\.deadline).min()].compactMap(\.self).min()
    }

    /// How many transfers are under way, those among them that wait for their bytes.
    package var transferCount: Int { transfers.count + deferred.count }

    /// Whether bytes of that version are still on their way to somebody, or somebody waits for them.
    package func isSending(_ offer: OfferID) -> Bool {
        transfers.values.contains { $0.offer == offer } || deferred.contains { $0.offer == offer }
    }

    private func unwatchIfIdle(_ window: WindowID) -> [Effect] {
        transfers.keys.contains { $0.window == window } ? [] : [.unwatch(window)]
    }
}
