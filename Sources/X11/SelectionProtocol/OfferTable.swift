/// The targets that one version of a pasteboard offers, as atoms of the server.
package struct OfferTable: Sendable {
    /// The state of a body's data.
    package enum Availability: Sendable, Equatable {
        /// The data is available; its length is in bytes.
        case ready(length: Int)
        /// The data is generated on demand. A request waits for it and is refused after this timeout, unless its
        /// toolkit is known to wait longer.
        case made(within: Duration)
        case failed
        /// There is no data: each request performs a side effect, and waits for it up to this timeout, unless its
        /// toolkit is known to wait longer.
        case performed(within: Duration)
    }

    package struct Entry: Sendable, Equatable {
        /// The type of the property with the answer; the same as the target, except for TEXT.
        package var type: Atom
        /// The index of the body in the version.
        package var body: Int
        package var availability: Availability

        package init(type: Atom, body: Int, _ availability: Availability) {
            self.type = type
            self.body = body
            self.availability = availability
        }

        /// The length in bytes; nil if there is no data, or no data yet.
        var length: Int? {
            if case .ready(let length) = availability { length } else { nil }
        }

        /// True if a request has to wait.
        package var isDeferred: Bool {
            switch availability {
            case .made, .performed: true
            case .ready, .failed: false
            }
        }

        /// Returns the time that a request may wait; nil if it need not wait, or if there is nothing to wait for.
        func timeout(of toolkit: RequestorToolkit) -> Duration? {
            switch availability {
            case .made(let timeout): toolkit.answerTimeout ?? timeout
            case .performed(let timeout): toolkit.saveTimeout ?? timeout
            case .ready, .failed: nil
            }
        }

        /// True if the target stands for a side effect.
        package var isSideEffect: Bool {
            if case .performed = availability { true } else { false }
        }
    }

    package let id: OfferID
    /// The time at which the selection was acquired, which answers TIMESTAMP (ICCCM 2.6.2).
    package let acquired: ServerTime
    /// The data targets, in the order in which they are offered.
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

    /// The targets that can be converted. Targets whose data could not be generated are not offered again.
    var available: [Atom] { order.filter { entries[$0]?.availability != .failed } }

    /// Records that a body's data has become available, or that generating it failed.
    package mutating func settle(_ body: Int, _ availability: Availability) {
        for (target, entry) in entries where entry.body == body { entries[target]?.availability = availability }
    }
}
