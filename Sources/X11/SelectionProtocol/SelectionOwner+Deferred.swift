/// A request that waits for data to be generated, or for a side effect to be performed.
struct DeferredRequest: Sendable {
    let request: SelectionRequest
    /// The target-property pairs of a MULTIPLE.
    let pairs: [UInt32]?
    let offer: OfferID
    /// The bodies that are not available yet.
    var awaited: Set<Int>
    /// The pending side effects by number, with the properties that confirm them.
    var pending: [Int: Atom]
    /// The properties of the completed side effects.
    var performed: Set<Atom> = []
    let started: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant

    /// True once nothing is pending.
    var isComplete: Bool { awaited.isEmpty && pending.isEmpty }
}

/// The requests whose data is generated on demand.
extension SelectionOwner {
    /// A target that a request waits for, and the property that receives the answer.
    struct Awaited {
        var entry: OfferTable.Entry
        var property: Atom
    }

    /// Defers a request until its bodies are generated and its side effects performed; returns nil if a limit forbids
    /// deferring or the owner is shutting down.
    mutating func deferRequest(
        _ request: SelectionRequest, awaiting awaited: [Awaited], pairs: [UInt32]? = nil, of offer: OfferTable,
        timeout: Duration, now: ContinuousClock.Instant
    ) -> [Effect]? {
        guard defers else {
            note(.notReady)
            return nil
        }
        guard var effects = admit(request.requestor, now: now) else { return nil }
        let bodies = Set(awaited.filter { !$0.entry.isSideEffect }.map(\.entry.body))
        effects += bodies.sorted().map { Effect.make(offer.id, body: $0) }
        var pending: [Int: Atom] = [:]
        for one in awaited where one.entry.isSideEffect {
            let property = pairs == nil ? request.destination : one.property
            sideEffects += 1
            pending[sideEffects] = property
            effects.append(
                .perform(
                    SideEffect(
                        number: sideEffects, requestor: request.requestor, property: one.property, timeout: timeout)))
        }
        deferred.append(
            DeferredRequest(
                request: request, pairs: pairs, offer: offer.id, awaited: bodies, pending: pending,
                started: now, deadline: now + timeout))
        return effects
    }

    /// Refuses the deferred request whose answer would go to this destination: its requestor has asked again, and a
    /// late answer would overwrite the newer answer.
    mutating func supersede(_ destination: Destination) -> [Effect] {
        let isSuperseded = { (deferred: DeferredRequest) in
            deferred.pairs == nil
                && Destination(window: deferred.request.requestor, property: deferred.request.destination)
                    == destination
        }
        let superseded = deferred.filter(isSuperseded)
        deferred.removeAll(where: isSuperseded)
        for _ in superseded { note(.notReady) }
        return superseded.map { .notify($0.request, property: .none) }
    }

    /// Refuses all deferred requests, and from now on all requests that would have to wait, because the owner is
    /// shutting down.
    package mutating func refuseDeferred() -> [Effect] {
        defers = false
        defer { deferred = [] }
        for _ in deferred { note(.notReady) }
        return deferred.map { .notify($0.request, property: .none) }
    }

    /// Answers the requests that waited for a body. `offer` has the body, or the failure to make it.
    package mutating func settled(_ offer: OfferTable, body: Int, now: ContinuousClock.Instant) -> [Effect] {
        for index in deferred.indices where deferred[index].offer == offer.id {
            deferred[index].awaited.remove(body)
        }
        return answerDeferred(now: now, from: { $0 == offer.id ? offer : nil }) {
            $0.offer == offer.id && $0.isComplete
        }
    }

    /// Records that a side effect was performed, or failed. Answers its request if nothing else is pending for it.
    ///
    /// - Parameter offers: Returns the offer with a number.
    package mutating func performed(
        _ number: Int, _ isDone: Bool, now: ContinuousClock.Instant, offers: (OfferID) -> OfferTable?
    ) -> [Effect] {
        guard let index = deferred.firstIndex(where: { $0.pending[number] != nil }) else { return [] }
        if let property = deferred[index].pending.removeValue(forKey: number), isDone {
            deferred[index].performed.insert(property)
        }
        return answerDeferred(now: now, from: offers) { $0.isComplete }
    }

    /// Answers the deferred requests that are due, from their offers.
    mutating func answerDeferred(
        now: ContinuousClock.Instant, from offers: (OfferID) -> OfferTable?, _ isDue: (DeferredRequest) -> Bool
    ) -> [Effect] {
        let due = deferred.filter(isDue)
        deferred.removeAll(where: isDue)
        return due.flatMap { one -> [Effect] in
            guard let offer = offers(one.offer) else { return refuse(one.request, .retired) }
            guard let pairs = one.pairs else {
                return answer(one.request, from: offer, performed: one.performed, now: now)
            }
            return answer(one.request, pairs: pairs, from: offer, performed: one.performed, now: now)
        }
    }
}
