package import SelectionProtocol
import X11Display

/// A question that only the X thread can answer.
///
/// A new question is a value with its answer: the thread calls ``answer(by:)``, and ``DisplayProxy/ask(_:within:)``
/// returns the answer to the service.
package protocol DisplayQuery: Sendable, Hashable {
    associatedtype Answer: Sendable

    /// True if callers may share an answer that is on its way: it need not be of this very moment.
    static var isShared: Bool { get }

    /// Answers on the X thread.
    func answer(by thread: DisplayThread) -> Answer
}

extension DisplayQuery {
    package static var isShared: Bool { false }
    var isShared: Bool { Self.isShared }

    package func report(by thread: DisplayThread, to ticket: Ticket) -> DisplayReport {
        .answered(ticket, answer(by: thread))
    }
}

/// Reads what the server has sent. After the answer everything is reported that happened before the question.
package struct CatchUpQuery: DisplayQuery {

    package init() {}
    package func answer(by thread: DisplayThread) { thread.session?.catchUp() }
}

/// Finds the process of a window's client.
package struct ProcessQuery: DisplayQuery {
    package static let isShared = true
    package let window: WindowID

    package init(window: WindowID) {
        self.window = window
    }

    package func answer(by thread: DisplayThread) -> Int32? { thread.session?.display.process(of: window) }
}

/// Finds out whether anybody owns a selection that is not watched.
package struct OwnedQuery: DisplayQuery {
    package let selection: String

    package init(selection: String) {
        self.selection = selection
    }

    package func answer(by thread: DisplayThread) -> Bool { thread.session?.display.isOwned(selection) ?? false }
}

/// Finds out whether the user may be selecting text, by the pointer or by keys.
package struct SelectingQuery: DisplayQuery {

    package init() {}
    package func answer(by thread: DisplayThread) -> Bool { thread.session?.display.isSelecting ?? false }
}

/// Asks for the transfers under way and the refusals.
package struct TrafficQuery: DisplayQuery {

    package init() {}
    package static let isShared = true
    package func answer(by thread: DisplayThread) -> DisplayTraffic { thread.traffic }
}

/// Converts a text to or from compound text, by Xlib's converter.
package struct CompoundTextQuery: DisplayQuery {
    package enum Direction: Sendable {
        case toCompoundText, fromCompoundText
    }

    package enum Answer: Sendable {
        case text([UInt8])
        /// The other encoding cannot hold the text, or the text is damaged.
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
