package import SelectionProtocol
import X11Display

/// A query that only the X thread can answer.
///
/// Each kind of query is a type with its own answer. The X thread calls ``answer(by:)``, and
/// ``DisplayProxy/ask(_:within:)`` returns the answer to the service.
package protocol DisplayQuery: Sendable, Hashable {
    associatedtype Answer: Sendable

    /// True if callers may share an answer that is under way, which may be slightly out of date.
    static var isCoalesced: Bool { get }

    /// Answers on the X thread.
    func answer(by thread: DisplayThread) -> Answer
}

extension DisplayQuery {
    package static var isCoalesced: Bool { false }
    var isCoalesced: Bool { Self.isCoalesced }

    func report(by thread: DisplayThread, to ticket: Ticket) -> DisplayReport {
        .answered(ticket, answer(by: thread))
    }
}

/// A request to read everything that the server has sent. All events before the query are reported before the answer
/// (invariant 7).
package struct CatchUpQuery: DisplayQuery {
    package init() {}

    package func answer(by thread: DisplayThread) { thread.session?.catchUp() }
}

/// A query for the process of a window's client.
package struct ProcessQuery: DisplayQuery {
    package static let isCoalesced = true
    package let window: WindowID

    package func answer(by thread: DisplayThread) -> Int32? { thread.session?.display.process(of: window) }
}

/// A query whether a selection that is not watched has an owner.
package struct OwnedQuery: DisplayQuery {
    package let selection: String

    package init(selection: String) {
        self.selection = selection
    }

    package func answer(by thread: DisplayThread) -> Bool { thread.session?.display.isOwned(selection) ?? false }
}

/// A query whether the user may be selecting text, with the pointer or the keyboard.
package struct SelectingQuery: DisplayQuery {
    package init() {}

    package func answer(by thread: DisplayThread) -> Bool { thread.session?.display.isSelecting ?? false }
}

/// A query whether the compositor is reported as a separate kind of owner, because the display belongs to Xwayland.
package struct CompositorQuery: DisplayQuery {
    package init() {}

    package func answer(by thread: DisplayThread) -> Bool { thread.session?.recognizesCompositor ?? false }
}

/// A query whether a window of an X11 program has the keyboard focus.
package struct FocusQuery: DisplayQuery {
    package init() {}

    package func answer(by thread: DisplayThread) -> Bool { thread.session?.hasFocusedWindow ?? false }
}

/// A query for the transfers under way and the refusals.
package struct TrafficQuery: DisplayQuery {
    package static let isCoalesced = true

    package init() {}

    package func answer(by thread: DisplayThread) -> DisplayTraffic { thread.traffic }
}

/// A query to convert text to or from compound text with Xlib's converter.
package struct CompoundTextQuery: DisplayQuery {
    package enum Direction: Sendable {
        case toCompoundText, fromCompoundText
    }

    package enum Answer: Sendable {
        case text([UInt8])
        /// The text is damaged, or the other encoding cannot hold it.
        case impossible
        /// There is no display that could convert it, or the X server does not answer.
        case unavailable
    }

    package let direction: Direction
    package let text: [UInt8]

    package init(direction: Direction, text: [UInt8]) {
        self.direction = direction
        self.text = text
    }

    package func answer(by thread: DisplayThread) -> Answer {
        guard let display = thread.session?.display else { return .unavailable }
        let result =
            switch direction {
            case .toCompoundText: display.compoundText(fromUTF8: text)
            case .fromCompoundText: display.utf8(fromCompoundText: text)
            }
        return result.map { .text($0) } ?? (display.isBroken ? .unavailable : .impossible)
    }
}

/// The shared queries under way. Each query is sent to the X thread once, and its answer goes to all of its callers.
///
/// A client that floods the bridge with a query therefore does not fill the X thread's queue.
package struct RequestCoalescer {
    /// For each query, the ticket that was sent, and the tickets of all callers that share the answer.
    private var underWay: [AnyHashable: (sent: Ticket, all: [Ticket])] = [:]

    /// The number of additional callers after which callers that no longer wait are removed: a query stays under way as
    /// long as the server does not answer.
    private static let pruneInterval = 1_024

    package init() {}

    /// Adds a caller. Returns true if the query has to be sent, because it is not under way.
    package mutating func add(_ ticket: Ticket, for query: AnyHashable, isWaiting: (Ticket) -> Bool) -> Bool {
        guard var all = underWay[query]?.all else {
            underWay[query] = (ticket, [ticket])
            return true
        }
        all.append(ticket)
        if all.count.isMultiple(of: Self.pruneInterval) { all.removeAll { !isWaiting($0) } }
        underWay[query]?.all = all
        return false
    }

    /// Removes the query that was sent with this ticket, and returns all tickets that share its answer.
    package mutating func remove(sentWith ticket: Ticket) -> [Ticket] {
        guard let query = underWay.first(where: { $0.value.sent == ticket })?.key else { return [ticket] }
        return underWay.removeValue(forKey: query)?.all ?? []
    }
}
