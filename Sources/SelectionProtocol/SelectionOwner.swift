/// The owner's half of ICCCM section 2: answers requests, and carries long answers by INCR.
///
/// A pure machine. Each call takes what happened and the time, and returns what is to be done, in order; it knows no
/// display, no clock and no bytes, only lengths. Every request is answered exactly once, at once: nothing in here waits
/// for anybody but the requestor of a transfer that has begun.
package struct SelectionOwner: Sendable {
    private let atoms: ProtocolAtoms
    private let limits: TransferLimits
    private var transfers: [Destination: IncrementalSend] = [:]

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
    }

    // MARK: Requests

    /// Answers a request. `offer` is what the asked window offers, nil where it offers nothing any more.
    package mutating func request(
        _ request: SelectionRequest, offer: OfferTable?, now: ContinuousClock.Instant
    ) -> [Effect] {
        let refusal = [Effect.notify(request, property: .none)]
        guard let offer else { return refusal }
        if request.target == atoms.multiple {
            // Without a property there is no list to read.
            return request.property == .none ? refusal : [.readPairs(request)]
        }
        let destination = Destination(window: request.requestor, property: request.destination)
        guard let effects = convert(request.target, to: destination, offer: offer, now: now) else { return refusal }
        return effects + [.notify(request, property: request.destination)]
    }

    /// Answers a MULTIPLE whose list was read; nil where the property is absent or not of format 32.
    ///
    /// Each failed conversion is told by None in place of its property (ICCCM 2.6.2); the whole has one answer.
    package mutating func multiple(
        _ request: SelectionRequest, pairs: [UInt32]?, offer: OfferTable?, now: ContinuousClock.Instant
    ) -> [Effect] {
        let refusal = [Effect.notify(request, property: .none)]
        guard let offer, var pairs, pairs.count.isMultiple(of: 2), pairs.count <= 2 * limits.pairs else {
            return refusal
        }
        var effects: [Effect] = []
        var taken: Set<Atom> = [request.property]
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let target = Atom(pairs[index])
            let property = Atom(pairs[index + 1])
            // A property that is named twice, or that holds the list itself, cannot carry two answers.
            if property != .none, target != atoms.multiple, taken.insert(property).inserted,
                let conversion = convert(
                    target, to: Destination(window: request.requestor, property: property), offer: offer, now: now)
            {
                effects += conversion
            } else {
                pairs[index + 1] = Atom.none.id
            }
        }
        let list = Destination(window: request.requestor, property: request.property)
        effects.append(.write(list, type: atoms.atomPair, .words(pairs)))
        effects.append(.notify(request, property: request.property))
        return effects
    }

    /// Puts one target's value at the destination, or nil where the offer has no such target or no room is left.
    private mutating func convert(
        _ target: Atom, to destination: Destination, offer: OfferTable, now: ContinuousClock.Instant
    ) -> [Effect]? {
        if target == atoms.targets {
            let list = [atoms.targets, atoms.timestamp, atoms.multiple] + offer.order
            return abandon(destination) + [.write(destination, type: .atom, .words(list.map(\.id)))]
        }
        if target == atoms.timestamp {
            return abandon(destination)
                + [.write(destination, type: .integer, .words([offer.acquired.milliseconds]))]
        }
        guard let entry = offer.entries[target] else { return nil }
        guard entry.length > limits.chunk else {
            let content = Content.slice(offer.id, body: entry.body, 0..<entry.length)
            return abandon(destination) + [.write(destination, type: entry.type, content)]
        }
        // The length is announced in 32 bits.
        guard entry.length <= Int(UInt32.max) else { return nil }
        guard transfers.count < limits.transfers || transfers[destination] != nil else { return nil }
        let dropped = abandon(destination)
        transfers[destination] = IncrementalSend(
            offer: offer.id, entry: entry, chunk: limits.chunk, deadline: now + limits.requestorSilence)
        // Watched before the property is written, else a quick requestor's delete is missed (ICCCM 2.7.2). The length
        // is exact: Emacs makes a buffer of it, and fills what is missing with garbage.
        return dropped + [
            .watch(destination.window),
            .write(destination, type: atoms.incr, .words([UInt32(entry.length)])),
        ]
    }

    /// A requestor that asks anew for the same property has given up what was going there.
    private mutating func abandon(_ destination: Destination) -> [Effect] {
        guard transfers.removeValue(forKey: destination) != nil else { return [] }
        return unwatchIfIdle(destination.window)
    }

    // MARK: Transfers

    /// A property of a peer's window was deleted: the requestor is ready for the next piece.
    package mutating func propertyDeleted(
        _ destination: Destination, now: ContinuousClock.Instant
    ) -> [Effect] {
        guard var transfer = transfers[destination] else { return [] }
        let range = transfer.next()
        let content = Content.slice(transfer.offer, body: transfer.entry.body, range)
        let piece = Effect.write(destination, type: transfer.entry.type, content)
        guard range.isEmpty else {
            transfer.deadline = now + limits.requestorSilence
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
    }

    /// Drops the transfers whose requestor has been silent for too long.
    package mutating func expire(now: ContinuousClock.Instant) -> [Effect] {
        let late = transfers.filter { $0.value.deadline <= now }.map(\.key)
        return late.flatMap { destination in abandon(destination) }
    }

    /// When ``expire(now:)`` is due.
    package var deadline: ContinuousClock.Instant? { transfers.values.lazy.map(\.deadline).min() }

    /// How many transfers are under way.
    package var transferCount: Int { transfers.count }

    /// Whether bytes of that version are still on their way to somebody.
    package func isSending(_ offer: OfferID) -> Bool { transfers.values.contains { $0.offer == offer } }

    private func unwatchIfIdle(_ window: WindowID) -> [Effect] {
        transfers.keys.contains { $0.window == window } ? [] : [.unwatch(window)]
    }
}

/// One answer under way by INCR (ICCCM 2.7.2): the property is written anew each time the requestor deletes it.
struct IncrementalSend: Sendable {
    let offer: OfferID
    let entry: OfferTable.Entry
    let chunk: Int
    var sent = 0
    var deadline: ContinuousClock.Instant

    init(offer: OfferID, entry: OfferTable.Entry, chunk: Int, deadline: ContinuousClock.Instant) {
        self.offer = offer
        self.entry = entry
        self.chunk = chunk
        self.deadline = deadline
    }

    /// The next piece; empty at the end.
    mutating func next() -> Range<Int> {
        let range = sent..<min(sent + chunk, entry.length)
        sent = range.upperBound
        return range
    }
}
