import SelectionProtocol
import X11Display

/// Manager selections (ICCCM 2.8), which are taken from nobody.
extension DisplaySession {
    /// Owns a manager selection with this offer and announces it, or reports why not.
    func occupy(_ offer: Offer, ticket: Ticket, until deadline: ContinuousClock.Instant) {
        watch(offer.selection)
        let selection = display.intern(offer.selection)
        occupied.insert(selection)
        // The time first, the look then: the server refuses the claim if anybody owned the selection in between.
        let time = display.serverTime()
        guard !display.isBroken, display.owner(of: selection) == .none else {
            // Who has it is told first.
            settle()
            return report(display.isBroken ? .claimWithoutDisplay(ticket) : .claimLost(ticket))
        }
        let isClaimed = server.claim(offer, before: deadline, at: time)
        if isClaimed { settle() }
        guard confirmed.remove(offer.id) != nil, let window = server.window(of: offer.id) else {
            server.retire(offer.id)
            if display.isBroken { return report(.claimWithoutDisplay(ticket)) }
            return report(isClaimed ? .claimLost(ticket) : .claimExpired(ticket))
        }
        display.announceManager(of: selection, window: window, since: time)
        report(.claimed(ticket, offer.id))
    }
}
