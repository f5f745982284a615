/// Requests for bytes that are only made when they are asked for.
extension SelectionOwner {
    /// Keeps a request until its bodies are made; nil where too many are kept already.
    mutating func `defer`(
        _ bodies: Set<Int>, for request: SelectionRequest, pairs: [UInt32]?, of offer: OfferTable,
        until deadline: ContinuousClock.Instant
    ) -> [Effect]? {
        guard defers, deferred.count < limits.transfers else { return nil }
        deferred.append(
            DeferredRequest(request: request, pairs: pairs, offer: offer.id, awaited: bodies, deadline: deadline))
        return bodies.sorted().map { .make(offer.id, body: $0) }
    }

    /// Refuses the kept request whose answer would go to that destination: its requestor asks anew, and a late answer would
    /// spoil the newer one.
    mutating func supersede(_ destination: Destination) -> [Effect] {
        let old = deferred.filter {
            $0.pairs == nil
                && Destination(window: $0.request.requestor, property: $0.request.destination) == destination
        }
        guard !old.isEmpty else { return [] }
        deferred.removeAll { kept in old.contains { $0.request == kept.request && kept.pairs == nil } }
        return old.map { .notify($0.request, property: .none) }
    }

    /// Refuses all kept requests, and those to come that would have to wait: the owner is leaving.
    package mutating func refuseDeferred() -> [Effect] {
        defers = false
        defer { deferred = [] }
        return deferred.map { .notify($0.request, property: .none) }
    }

    /// A body was made, or could not be, as the offer now says. The requests that waited for it are answered.
    package mutating func settled(_ offer: OfferTable, body: Int, now: ContinuousClock.Instant) -> [Effect] {
        for index in deferred.indices where deferred[index].offer == offer.id {
            deferred[index].awaited.remove(body)
        }
        return answerDeferred(now: now, from: { $0 == offer.id ? offer : nil }) {
            $0.offer == offer.id && $0.awaited.isEmpty
        }
    }

    /// Answers the kept requests that are due, from what their offers have.
    mutating func answerDeferred(
        now: ContinuousClock.Instant, from offers: (OfferID) -> OfferTable?, _ isDue: (DeferredRequest) -> Bool
    ) -> [Effect] {
        let due = deferred.filter(isDue)
        deferred.removeAll(where: isDue)
        return due.flatMap { kept -> [Effect] in
            guard let offer = offers(kept.offer) else { return [.notify(kept.request, property: .none)] }
            guard let pairs = kept.pairs else { return answer(kept.request, from: offer, now: now) }
            return answer(kept.request, pairs: pairs, from: offer, now: now)
        }
    }
}
