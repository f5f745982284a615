/// Requests for bytes that are only made when they are asked for.
extension SelectionOwner {
    /// Keeps a request until its bodies are made; nil where too many are kept already.
    mutating func `defer`(
        _ bodies: Set<Int>, for request: SelectionRequest, pairs: [UInt32]?, of offer: OfferTable,
        until deadline: ContinuousClock.Instant
    ) -> [Effect]? {
        guard deferred.count < limits.transfers else { return nil }
        deferred.append(
            DeferredRequest(request: request, pairs: pairs, offer: offer.id, awaited: bodies, deadline: deadline))
        return bodies.sorted().map { .make(offer.id, body: $0) }
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
