/// Queries under way, each sent to the X thread once, however many callers ask it: its answer is for all of them.
///
/// A client that floods the bridge with a question does not fill the X thread's queue with it.
package struct RequestCoalescer {

    package init() {}
    /// By query: the ticket that was sent, and the tickets of all who share the answer.
    private var asked: [AnyHashable: (sent: Ticket, all: [Ticket])] = [:]

    /// At each multiple of this number of callers, those that no longer wait are dropped: a server that stands still may
    /// leave a query unanswered.
    private static let pruneInterval = 1_024

    /// Adds a caller.
    ///
    /// - Returns: true if the query has to be sent, because it is not under way.
    package mutating func add(_ ticket: Ticket, for query: AnyHashable, isWaiting: (Ticket) -> Bool) -> Bool {
        guard var all = asked[query]?.all else {
            asked[query] = (ticket, [ticket])
            return true
        }
        all.append(ticket)
        if all.count.isMultiple(of: Self.pruneInterval) { all.removeAll { !isWaiting($0) } }
        asked[query]?.all = all
        return false
    }

    /// Removes the query that was sent with this ticket, and returns all tickets that share its answer.
    package mutating func remove(sentWith ticket: Ticket) -> [Ticket] {
        guard let query = asked.first(where: { $0.value.sent == ticket })?.key else { return [ticket] }
        return asked.removeValue(forKey: query)?.all ?? []
    }
}
