/// Keeps what is captured of an owner out of the way of those who read from it: xsel dies when it sends two long texts
/// at once.
///
/// Readers do not wait for one another. A capture begins no conversion while there are any, and they wait for the one
/// that it is in.
struct ReadingTurns {
    private struct Owner {
        var readers: Set<Ticket> = []
        var capture: Ticket?
        /// In the order in which they came.
        var waiting: [(ticket: Ticket, isCapture: Bool)] = []
    }

    private var owners: [String: Owner] = [:]
    private var selections: [Ticket: String] = [:]

    /// A conversion is to begin.
    ///
    /// - Returns: Whether it may; else ``end(_:)`` says when.
    mutating func begin(_ ticket: Ticket, of selection: String, isCapture: Bool) -> Bool {
        selections[ticket] = selection
        var owner = owners[selection] ?? Owner()
        defer { owners[selection] = owner }
        let isFree = owner.capture == nil && (!isCapture || owner.readers.isEmpty)
        if !isFree {
            owner.waiting.append((ticket, isCapture))
        } else if isCapture {
            owner.capture = ticket
        } else {
            owner.readers.insert(ticket)
        }
        return isFree
    }

    /// A conversion is over, or not wanted any more, whether it had begun or not.
    ///
    /// - Returns: Those that may begin now.
    mutating func end(_ ticket: Ticket) -> [Ticket] {
        guard let selection = selections.removeValue(forKey: ticket), var owner = owners[selection] else { return [] }
        owner.readers.remove(ticket)
        if owner.capture == ticket { owner.capture = nil }
        owner.waiting.removeAll { $0.ticket == ticket }
        var begun: [Ticket] = []
        if owner.capture == nil {
            begun = owner.waiting.filter { !$0.isCapture }.map(\.ticket)
            owner.waiting.removeAll { !$0.isCapture }
            owner.readers.formUnion(begun)
            if owner.readers.isEmpty, let next = owner.waiting.first?.ticket {
                owner.waiting.removeFirst()
                owner.capture = next
                begun.append(next)
            }
        }
        let isIdle = owner.readers.isEmpty && owner.capture == nil && owner.waiting.isEmpty
        owners[selection] = isIdle ? nil : owner
        return begun
    }

    /// Those that wait for a conversion under way.
    func waiting(for ticket: Ticket) -> [Ticket] {
        guard let selection = selections[ticket], let owner = owners[selection],
            owner.capture == ticket || owner.readers.contains(ticket)
        else { return [] }
        return owner.waiting.map(\.ticket)
    }
}
