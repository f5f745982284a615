public import Pasteboard

/// The answer to "may I paste?", kept up to date in memory for menus.
///
/// ```swift
/// let availability = PasteAvailability(events: events, types: [.text, .image])
/// availability.onChange = { center.setNeedsUpdate() }
/// ```
///
/// After each change of the pasteboard, the bridge is asked in the background, under the rules of
/// `Pasteboard.contains(types:)`. No bytes are read. An owner that does not answer blocks nothing: ``isAvailable`` is
/// false until the owner's types are known. After a failure, the bridge is asked again after pauses of 1 to 64 seconds,
/// for about two minutes, and by ``refresh()``.
///
/// An object must be used on the thread of its `PasteboardEvents`. After a bridge exits, its last state remains until
/// another bridge is running.
///
/// Source: `UIPasteboard.hasStrings` and `contains(pasteboardTypes:)`, as `canPerformAction(_:withSender:)` uses them.
public final class PasteAvailability {
    /// True if the first item of the pasteboard has one of the types; initially false, and false until the owner has
    /// listed its types. Between a change and the bridge's answer, the value for the previous contents remains, so that
    /// a paste right after a copy is not refused.
    public private(set) var isAvailable = false
    /// The identifiers of all types on offer, in the order of preference; empty while they are unknown.
    public private(set) var availableTypes: [String] = []
    /// The change count of this state; nil while nothing is known.
    public private(set) var changeCount: Int?
    /// The state of the pasteboard's undo; nil while nothing is known.
    public private(set) var undoState: Pasteboard.UndoState?
    /// Called within `PasteboardEvents.dispatch()` after the pasteboard has changed, when ``isAvailable`` is known. If
    /// the owner does not list its types in time, the closure is called without them, and again when the owner answers.
    public var onChange: (() -> Void)?

    private let events: PasteboardEvents
    private let pasteboard: Pasteboard
    private let types: [String]
    private var observation: StateObservation?
    private var question: PasteboardEvents.Registration?
    private var failures = 0

    /// Begins to observe a pasteboard.
    ///
    /// - Parameters:
    ///   - events: The events of the window's loop.
    ///   - pasteboard: The pasteboard.
    ///   - types: The types that can be pasted.
    public init(
        events: PasteboardEvents, pasteboard: Pasteboard = .general, types: [some PasteboardTypeName]
    ) {
        self.events = events
        self.pasteboard = pasteboard
        self.types = types.map(\.typeName)
        observation = StateObservation(events, pasteboard) { [weak self] change in self?.changed(change) }
    }

    deinit { question?.cancel() }

    /// Asks the bridge again, for example when the window has become active. ``onChange`` is called with the answer.
    public func refresh() {
        failures = 0
        observation?.resume()
        if changeCount != nil { ask() }
    }

    private func changed(_ change: Pasteboard.Change) {
        changeCount = change.count
        availableTypes = change.types
        undoState = change.undoState
        failures = 0
        ask()
        if change.types.isEmpty {
            isAvailable = false
            onChange?()
        }
    }

    /// Asks the bridge about the present contents. The answer to an earlier query is ignored.
    private func ask() {
        question?.cancel()
        let (board, types, needsTypes) = (pasteboard.async, types, availableTypes.isEmpty)
        question = events.perform {
            let isAvailable = try await board.contains(types: types)
            return (isAvailable: isAvailable, types: needsTypes ? try await board.types : nil)
        } completion: { [weak self] result in
            self?.answered(result)
        }
    }

    private func answered(_ result: Result<(isAvailable: Bool, types: [String]?), any Error>) {
        switch result {
        case .success(let answer):
            isAvailable = answer.isAvailable
            if let types = answer.types { availableTypes = types }
        case .failure:
            isAvailable = false
            failures += 1
            if failures <= StateObservation.pauses.count {
                question = events.pause(StateObservation.pauses[failures - 1]) { [weak self] in self?.ask() }
            }
        }
        onChange?()
    }
}
