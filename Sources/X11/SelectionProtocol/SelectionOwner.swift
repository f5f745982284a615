/// The owner's side of ICCCM section 2: answers requests, and sends long answers by INCR.
///
/// This is a pure state machine. Each call takes an event and the time, and returns the effects in the order in which
/// to perform them. It has no display, no clock and no bytes, only lengths. Every request is answered exactly once:
/// immediately if the data is available, and after a short while if the data has to be generated.
package struct SelectionOwner: Sendable {
    private let atoms: ProtocolAtoms
    /// The limits for new transfers. Lowering them does not end transfers in progress.
    package var limits: TransferLimits
    /// The transfers and bytes outside this state machine that count towards the quota.
    package var otherTransfers = TransferQuota.OtherTransfers()
    /// The memory of versions that are no longer offered, but still being sent.
    package var retired: [OfferID: [TransferQuota.Held]] = [:]
    var transfers: [Destination: IncrementalSend] = [:]
    /// The counts of refusals and drops since ``takeRefusals()`` was last called.
    var refusals: [TransferRefusal: Int] = [:]
    var deferred: [DeferredRequest] = []
    /// True while requests may wait for their data.
    var defers = true
    /// The number of the last side effect.
    var sideEffects = 0

    package init(atoms: ProtocolAtoms, limits: TransferLimits) {
        self.atoms = atoms
        self.limits = limits
    }

    /// The property of a peer's window that receives a transfer. Two transfers never share a destination.
    package struct Destination: Hashable, Sendable {
        package var window: WindowID
        package var property: Atom

        package init(window: WindowID, property: Atom) {
            self.window = window
            self.property = property
        }
    }

    package enum Content: Sendable, Equatable {
        /// 32-bit values (format 32).
        case words([UInt32])
        /// A range of one of the version's bodies (format 8).
        case slice(OfferID, body: Int, Range<Int>)
    }

    package enum Effect: Sendable, Equatable {
        /// Select PropertyChange and StructureNotify on a peer's window.
        case watch(WindowID)
        /// Stop selecting events of a window, because no transfer to it is left.
        case unwatch(WindowID)
        /// Replace a property.
        case write(Destination, type: Atom, Content)
        /// Send the SelectionNotify, the only answer; `none` refuses the request.
        case notify(SelectionRequest, property: Atom)
        /// Read the pairs from the request's property and call ``multiple(_:pairs:offer:now:)``.
        case readPairs(SelectionRequest)
        /// Generate a body and call ``settled(_:body:now:)``.
        case make(OfferID, body: Int)
        /// Perform a side effect and call ``performed(_:_:now:offers:)``.
        case perform(SideEffect)
        /// End a slow transfer of the other state machine.
        case end(Destination)
    }

    // MARK: Requests

    /// Answers a request. Every request is answered or refused (invariant 5).
    ///
    /// - Parameters:
    ///   - toolkit: The requestor's toolkit, which decides how long the request may wait.
    ///   - offer: The offer of the window that was asked; nil if it no longer offers anything.
    package mutating func request(
        _ request: SelectionRequest, of toolkit: RequestorToolkit = .other, offer: OfferTable?,
        now: ContinuousClock.Instant
    ) -> [Effect] {
        guard let offer else { return refuse(request, .retired) }
        if request.target == atoms.multiple {
            // Without a property there is no list to read.
            return request.property == .none ? refuse(request, .badList) : [.readPairs(request)]
        }
        let superseded = supersede(Destination(window: request.requestor, property: request.destination))
        if let entry = offer.entries[request.target], let timeout = entry.timeout(of: toolkit) {
            let awaited = Awaited(entry: entry, property: request.property)
            let effects = deferRequest(request, awaiting: [awaited], of: offer, timeout: timeout, now: now)
            return superseded + (effects ?? [.notify(request, property: .none)])
        }
        return superseded + answer(request, from: offer, now: now)
    }

    /// Answers a request from the data that is available.
    ///
    /// - Parameter performed: The properties whose side effects have been performed.
    mutating func answer(
        _ request: SelectionRequest, from offer: OfferTable, performed: Set<Atom> = [], now: ContinuousClock.Instant
    ) -> [Effect] {
        let destination = Destination(window: request.requestor, property: request.destination)
        let effects = convert(
            request.target, of: request, to: destination, offer: offer, performed: performed, now: now)
        guard let effects else { return [.notify(request, property: .none)] }
        return effects + [.notify(request, property: request.destination)]
    }

    /// Answers a MULTIPLE whose list has been read; nil if the property does not exist or is not of format 32.
    ///
    /// Each failed conversion is reported by replacing its property with None (ICCCM 2.6.2); there is a single
    /// SelectionNotify.
    package mutating func multiple(
        _ request: SelectionRequest, of toolkit: RequestorToolkit = .other, pairs: [UInt32]?, offer: OfferTable?,
        now: ContinuousClock.Instant
    ) -> [Effect] {
        guard let offer else { return refuse(request, .retired) }
        guard let pairs, pairs.count.isMultiple(of: 2), pairs.count <= 2 * limits.pairs else {
            return refuse(request, .badList)
        }
        // A pair that fails in any case is not waited for.
        var used: Set<Atom> = [.none, request.property]
        let awaited = stride(from: 0, to: pairs.count, by: 2).compactMap { index -> Awaited? in
            let (target, property) = (Atom(pairs[index]), Atom(pairs[index + 1]))
            guard target != atoms.multiple, used.insert(property).inserted, let entry = offer.entries[target],
                entry.isDeferred
            else { return nil }
            return Awaited(entry: entry, property: property)
        }
        if let timeout = awaited.compactMap({ $0.entry.timeout(of: toolkit) }).min() {
            return deferRequest(request, awaiting: awaited, pairs: pairs, of: offer, timeout: timeout, now: now)
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
        var used: Set<Atom> = [request.property]
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let target = Atom(pairs[index])
            let property = Atom(pairs[index + 1])
            // A property named twice, or the property that holds the list itself, cannot carry two answers.
            if property != .none, target != atoms.multiple, used.insert(property).inserted,
                let conversion = convert(
                    target, of: request, to: Destination(window: request.requestor, property: property),
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

    /// Writes the value of one target to the destination; nil if the target is not offered or a limit forbids the
    /// transfer.
    private mutating func convert(
        _ target: Atom, of request: SelectionRequest, to destination: Destination, offer: OfferTable,
        performed: Set<Atom>, now: ContinuousClock.Instant
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
            guard performed.contains(destination.property) else { return note(.notSaved) }
            return abandon(destination) + [.write(destination, type: entry.type, .words([]))]
        }
        guard let length = entry.length else { return note(.notReady) }
        let chunk = request.isOfCompositor ? limits.compositorChunk : limits.chunk
        guard length > chunk else {
            let content = Content.slice(offer.id, body: entry.body, 0..<length)
            return abandon(destination) + [.write(destination, type: entry.type, content)]
        }
        // INCR announces the length in 32 bits.
        guard length <= Int(UInt32.max) else { return note(.unknownTarget) }
        // The transfer being replaced is abandoned if the new one is admitted, and therefore does not count.
        guard let ended = admit(destination.window, replacing: destination, now: now) else { return nil }
        let dropped = ended + abandon(destination)
        transfers[destination] = IncrementalSend(
            offer: offer.id, selection: request.selection, target: target, entry: entry, length: length, chunk: chunk,
            started: now)
        // The window is watched before the property is written; otherwise the deletion by a fast requestor would be
        // missed (ICCCM 2.7.2). The length must be exact: Emacs allocates a buffer of this length, and leaves garbage
        // in bytes that do not arrive.
        return dropped + [
            .watch(destination.window),
            .write(destination, type: atoms.incr, .words([UInt32(length)])),
        ]
    }

    /// Drops the transfer to a destination. A requestor that asks again for the same property has abandoned the earlier
    /// transfer.
    mutating func abandon(_ destination: Destination) -> [Effect] {
        guard transfers.removeValue(forKey: destination) != nil else { return [] }
        return unwatchIfIdle(destination.window)
    }

    // MARK: Transfers

    /// Sends the next chunk after the requestor has deleted the property.
    ///
    /// - Parameter end: Returns the preferred end of a chunk within a range of a body.
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
        // The zero-length chunk ends the transfer. It keeps the type and format of the other chunks, because GTK 3 and
        // xsel check them.
        transfers[destination] = nil
        return [piece] + unwatchIfIdle(destination.window)
    }

    /// Drops everything for a peer's window that is gone or cannot be written to.
    package mutating func windowGone(_ window: WindowID) {
        transfers = transfers.filter { $0.key.window != window }
        deferred.removeAll { $0.request.requestor == window }
    }

    /// Drops the transfers whose requestors have reached their timeout, and answers the deferred requests that have
    /// reached their timeout.
    ///
    /// - Parameter offers: Returns the offer with a number.
    package mutating func expire(now: ContinuousClock.Instant, offers: (OfferID) -> OfferTable?) -> [Effect] {
        let late = transfers.filter { $0.value.lastProgress + limits.requestorTimeout <= now }.map(\.key)
        for _ in late { note(.stalled) }
        return late.flatMap { destination in abandon(destination) }
            + answerDeferred(now: now, from: offers) { $0.deadline <= now }
    }

    /// The time at which ``expire(now:offers:)`` is due.
    package var deadline: ContinuousClock.Instant? {
        guard transferCount > 0 else { return nil }
        let idle = transfers.values.lazy.map(\.lastProgress).min().map { $0 + limits.requestorTimeout }
        return [idle, deferred.lazy.map(\.deadline).min()].compactMap(\.self).min()
    }

    /// The number of transfers in progress, including requests that wait for data.
    package var transferCount: Int { transfers.count + deferred.count }

    /// Returns true if data of a version is still being sent or waited for.
    package func isSending(_ offer: OfferID) -> Bool {
        transfers.values.contains { $0.offer == offer } || deferred.contains { $0.offer == offer }
    }

    private func unwatchIfIdle(_ window: WindowID) -> [Effect] {
        transfers.keys.contains { $0.window == window } ? [] : [.unwatch(window)]
    }
}
