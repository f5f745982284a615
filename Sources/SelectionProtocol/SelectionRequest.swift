/// A peer's request for what a window of ours offers (ICCCM 2.2), as the SelectionRequest event carries it.
package struct SelectionRequest: Hashable, Sendable {
    /// The window asked: it names the version that is offered.
    package var owner: WindowID
    package var requestor: WindowID
    package var selection: Atom
    package var target: Atom
    /// Where the answer is to go; none from obsolete requestors.
    package var property: Atom
    /// Served whatever it is, and echoed: Emacs sends its last user time, older than the ownership, and AWT drops an
    /// answer with another time than it sent.
    package var time: ServerTime

    package init(
        owner: WindowID, requestor: WindowID, selection: Atom, target: Atom, property: Atom, time: ServerTime
    ) {
        self.owner = owner
        self.requestor = requestor
        self.selection = selection
        self.target = target
        self.property = property
        self.time = time
    }

    /// The property the answer goes to: an obsolete requestor that names none gets it under the target's name
    /// (ICCCM 2.2).
    package var destination: Atom { property == .none ? target : property }
}

/// What one version of a pasteboard offers, in the server's atoms.
package struct OfferTable: Sendable {
    package struct Entry: Sendable, Equatable {
        /// The type of the property that answers; the target's own, but for TEXT.
        package var type: Atom
        /// Which of the version's bodies.
        package var body: Int
        /// In bytes.
        package var length: Int

        package init(type: Atom, body: Int, length: Int) {
            self.type = type
            self.body = body
            self.length = length
        }
    }

    package let id: OfferID
    /// The time of acquisition: the answer to TIMESTAMP (ICCCM 2.6.2).
    package let acquired: ServerTime
    /// The data targets in the order of the offer.
    package let order: [Atom]
    package let entries: [Atom: Entry]

    package init(id: OfferID, acquired: ServerTime, entries: [(target: Atom, entry: Entry)]) {
        self.id = id
        self.acquired = acquired
        var order: [Atom] = []
        var table: [Atom: Entry] = [:]
        for (target, entry) in entries where table[target] == nil {
            order.append(target)
            table[target] = entry
        }
        self.order = order
        self.entries = table
    }
}
