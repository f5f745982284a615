/// What one version of a pasteboard offers, in the server's atoms.
package struct OfferTable: Sendable {
    /// Whether the bytes of a body are there.
    package enum Availability: Sendable, Equatable {
        /// With their length, in bytes.
        case ready(length: Int)
        /// They are made when they are asked for. A request waits for them so long, and is refused then: requestors
        /// have little patience, and SDL takes the selection itself when a text has not come after a second.
        case made(within: Duration)
        /// They could not be made.
        case failed
        /// There are none: something is done whenever it is asked for, and a request waits for it so long.
        case performed(within: Duration)
    }

    package struct Entry: Sendable, Equatable {
        /// The type of the property that answers; the target's own, but for TEXT.
        package var type: Atom
        /// Which of the version's bodies.
        package var body: Int
        package var availability: Availability

        package init(type: Atom, body: Int, _ availability: Availability) {
            self.type = type
            self.body = body
            self.availability = availability
        }

        /// In bytes; nil where there are none, or none yet.
        var length: Int? {
            if case .ready(let length) = availability { length } else { nil }
        }

        /// How long a request waits; nil where it needs not, or there is nothing to wait for.
        var patience: Duration? {
            switch availability {
            case .made(let patience), .performed(let patience): patience
            case .ready, .failed: nil
            }
        }

        /// Whether it stands for something to be done.
        var isSideEffect: Bool {
            if case .performed = availability { true } else { false }
        }
    }

    package let id: OfferID
    /// The time of acquisition: the answer to TIMESTAMP (ICCCM 2.6.2).
    package let acquired: ServerTime
    /// The data targets in the order of the offer.
    package let order: [Atom]
    package private(set) var entries: [Atom: Entry]

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

    /// The targets that may convert: those of which the bytes could not be made are not promised again.
    var available: [Atom] { order.filter { entries[$0]?.availability != .failed } }

    /// A body was made, or could not be.
    package mutating func settle(_ body: Int, _ availability: Availability) {
        for (target, entry) in entries where entry.body == body { entries[target]?.availability = availability }
    }
}
