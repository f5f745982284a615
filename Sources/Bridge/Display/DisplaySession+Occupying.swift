import SelectionProtocol
import X11Display

/// Selections that are taken from nobody, or from one owner and no other.
extension DisplaySession {
    /// Owns a manager selection with this offer, where nobody does, and announces it (ICCCM 2.8), or reports why not.
    func occupy(_ offer: Offer, ticket: Ticket, until deadline: ContinuousClock.Instant) {
        guard watch(offer.selection) else { return report(.claimNameless(ticket)) }
        let selection = display.internForOthers(offer.selection)
        occupied.insert(selection)
        // The time first, the look then: the server refuses the claim if anybody owned the selection in between.
        let time = display.serverTime()
        claim(offer, from: .none, at: time, ticket: ticket, until: deadline) {
            guard let window = server.window(of: offer.id) else { return }
            display.announceManager(of: selection, window: window, since: time)
        }
    }

    /// Owns a selection with this offer in place of its owner, which wants that, or reports why not.
    ///
    /// - Parameter asked: A time at which that owner had it: if it owned the selection anew since, or anybody else, the
    ///   server refuses the claim.
    func relieve(
        _ offer: Offer, of window: WindowID, asked: ServerTime, ticket: Ticket, until deadline: ContinuousClock.Instant
    ) {
        guard watch(offer.selection) else { return report(.claimNameless(ticket)) }
        claim(offer, from: window, at: asked, ticket: ticket, until: deadline) {}
    }

    private func claim(
        _ offer: Offer, from owner: WindowID, at time: ServerTime, ticket: Ticket,
        until deadline: ContinuousClock.Instant, onSuccess: () -> Void
    ) {
        guard !display.isBroken, display.owner(of: display.internForOthers(offer.selection)) == owner else {
            // Who has it is told first.
            settle()
            return report(display.isBroken ? .claimWithoutDisplay(ticket) : .claimLost(ticket))
        }
        let isClaimed = server.claim(offer, before: deadline, at: time)
        if isClaimed { settle() }
        if confirmed.remove(offer.id) != nil {
            onSuccess()
            return report(.claimed(ticket, offer.id))
        }
        server.retire(offer.id)
        if display.isBroken { return report(.claimWithoutDisplay(ticket)) }
        report(isClaimed ? .claimLost(ticket) : .claimExpired(ticket))
    }
}
