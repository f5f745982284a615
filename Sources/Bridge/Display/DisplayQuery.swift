import SelectionProtocol
import X11Display

/// A question that only the X thread can answer.
///
/// A new question is a value with its answer: the thread calls ``answer(by:)``, and ``DisplayProxy/ask(_:within:)``
/// returns the answer to the service.
protocol DisplayQuery: Sendable, Hashable {
    associatedtype Answer: Sendable

    /// True if callers may share an answer that is on its way: it need not be of this very moment.
    static var isShared: Bool { get }

    /// Answers on the X thread.
    func answer(by thread: DisplayThread) -> Answer
}

extension DisplayQuery {
    static var isShared: Bool { false }
    var isShared: Bool { Self.isShared }

    func report(by thread: DisplayThread, to ticket: Ticket) -> DisplayReport { .answered(ticket, answer(by: thread)) }
}

/// Reads what the server has sent. After the answer everything is reported that happened before the question.
struct CatchUpQuery: DisplayQuery {
    func answer(by thread: DisplayThread) { thread.session?.catchUp() }
}

/// Finds the process of a window's client.
struct ProcessQuery: DisplayQuery {
    static let isShared = true
    let window: WindowID

    func answer(by thread: DisplayThread) -> Int32? { thread.session?.display.process(of: window) }
}

/// Finds out whether anybody owns a selection that is not watched.
struct OwnedQuery: DisplayQuery {
    let selection: String

    func answer(by thread: DisplayThread) -> Bool { thread.session?.display.isOwned(selection) ?? false }
}

/// Finds out whether the user may be selecting text, by the pointer or by keys.
struct SelectingQuery: DisplayQuery {
    func answer(by thread: DisplayThread) -> Bool { thread.session?.display.isSelecting ?? false }
}

/// Asks for the transfers under way and the refusals.
struct TrafficQuery: DisplayQuery {
    static let isShared = true
    func answer(by thread: DisplayThread) -> DisplayTraffic { thread.traffic }
}

/// Converts a text to or from compound text, by Xlib's converter.
struct CompoundTextQuery: DisplayQuery {
    enum Direction: Sendable {
        case toCompoundText, fromCompoundText
    }

    enum Answer: Sendable {
        case text([UInt8])
        /// The other encoding cannot hold the text, or the text is damaged.
        case impossible
        /// There is no display that could convert it, or the X server does not answer.
        case unavailable
    }

    let direction: Direction
    let text: [UInt8]

    func answer(by thread: DisplayThread) -> Answer {
        guard let display = thread.session?.display else { return .unavailable }
        let result =
            switch direction {
            case .toCompoundText: display.compoundText(fromUTF8: text)
            case .fromCompoundText: display.utf8(fromCompoundText: text)
            }
        return result.map { .text($0) } ?? (display.isBroken ? .unavailable : .impossible)
    }
}
