/// Requests for bytes that are only made when they are asked for.
extension SelectionOwner {
    /// What a request waits for: a target that has no bytes yet, and the property that is to answer for it.
    struct Awaited {
        var target: Atom
        var entry: OfferTable.Entry
        var property: Atom
    }

    /// Keeps a request until its bodies are made, and done what it asks for; nil where there is no room for that.
    mutating func `defer`(
        _ awaited: [Awaited], for request: SelectionRequest, pairs: [UInt32]?, of offer: OfferTable,
        patience: Duration, now: ContinuousClock.Instant
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
                        number: sideEffects, offer: offer.id, target: one.target, requestor: request.requestor,
                        property: one.property)))
        }
        deferred.append(
            DeferredRequest(
                request: request, pairs: pairs, offer: offer.id, awaited: bodies, pending: pending,
                started: now, deadline: now + patience))
        return effects
    }

    /// Refuses the kept request whose answer would go to that destination: its requestor asks anew, and a late answer would
    /// spoil the newer one.
    mutating func supersede(_ destination: Destination) -> [Effect] {
        let old = deferred.filter {
            $0.pairs == nil
                && Destination(window: $0.request.requestor, property: $0.request.destination) == destination
        }
        guard !old.isEmpty else { return [] }
        for _ in old { note(.notReady) }
        deferred.removeAll { kept in old.contains { $0.request == kept.request && kept.pairs == nil } }
        return old.map { .notify($0.request, property: .none) }
    }

    /// Refuses all kept requests, and those to come that would have to wait: the owner is leaving.
    package mutating func refuseDeferred() -> [Effect] {
        defers = false
        defer { deferred = [] }
        for _ in deferred { note(.notReady) }
        return deferred.map { .notify($0.request, property: .none) }
    }

    /// A body was made, or could not be, as the offer now says. The requests that waited for it are answered.
    package mutating func settled(_ offer: OfferTable, body: Int, now: ContinuousClock.Instant) -> [Effect] {
        for index in deferred.indices where deferred[index].offer == offer.id {
            deferred[index].awaited.remove(body)
        }
        return answerDeferred(now: now, from: { $0 == offer.id ? offer : nil }) {
            $0.offer == offer.id && $0.isComplete
        }
    }

    /// A side effect was brought about, or could not be. Its request is answered if that is all it waited for.
    ///
    /// - Parameter offers: What a version offers, by its number.
    package mutating func performed(
        _ number: Int, _ isDone: Bool, now: ContinuousClock.Instant, offers: (OfferID) -> OfferTable?
    ) -> [Effect] {
        guard let index = deferred.firstIndex(where: { $0.pending[number] != nil }) else { return [] }
        if let property = deferred[index].pending.removeValue(forKey: number), isDone {
            deferred[index].performed.insert(property)
        }
        return answerDeferred(now: now, from: offers) { $0.isComplete }
    }

    /// Answers the kept requests that are due, from what their offers have.
    mutating func answerDeferred(
        now: ContinuousClock.Instant, from offers: (OfferID) -> OfferTable?, _ isDue: (DeferredRequest) -> Bool
    ) -> [Effect] {
        let due = deferred.filter(isDue)
        deferred.removeAll(where: isDue)
        return due.flatMap { kept -> [Effect] in
            guard let offer = offers(kept.offer) else { return refuse(kept.request, .retired) }
            guard let pairs = kept.pairs else {
                return answer(kept.request, from: offer, performed: kept.performed, now: now)
            }
            return answer(kept.request, pairs: pairs, from: offer, performed: kept.performed, now: now)
        }
    }
}
