/// Questions to the display thread that several may have at once: each is put once, and its answer is for all of them.
struct RequestCoalescer<Subject: Hashable> {
    /// By what they ask about: the ticket that was sent, and those who share its answer.
    private var asked: [Subject: (sent: Ticket, all: [Ticket])] = [:]

    /// Beyond so many it is looked who waits still: a server that stands still may leave a question without an answer.
    private static var many: Int { 1_024 }

    /// Returns whether the question is to be put: nobody has put the same.
    mutating func ask(_ ticket: Ticket, of subject: Subject, isWaiting: (Ticket) -> Bool) -> Bool {
        if var all = asked[subject]?.all {
            all.append(ticket)
            if all.count.isMultiple(of: Self.many) { all.removeAll { !isWaiting($0) } }
            asked[subject]?.all = all
            return false
        }
        asked[subject] = (ticket, [ticket])
        return true
    }

    /// The question that was sent with this ticket is answered: all who share the answer.
    mutating func answered(_ sent: Ticket) -> [Ticket] {
        guard let subject = asked.first(where: { $0.value.sent == sent })?.key else { return [sent] }
        return asked.removeValue(forKey: subject)?.all ?? []
    }
}
