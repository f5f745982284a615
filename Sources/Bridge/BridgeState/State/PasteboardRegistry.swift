package import PasteboardModel
package import PasteboardWire

/// All pasteboards as the service works on them: the model's value, and a state for each.
package final class PasteboardRegistry {
    package typealias Value = Pasteboards<PasteboardState.Version, ObjectIdentifier>

    /// The model. Changes are made here, and the states follow.
    package var value: Value
    private var states: [PasteboardName: PasteboardState] = [:]
    private let newUndoStack: () -> UndoStack<RestorableContents>

    /// - Parameters:
    ///   - time: The present time, in milliseconds since the Unix epoch.
    ///   - undo: Makes the undo stack of a new pasteboard.
    package init(at time: Int, undo: @escaping () -> UndoStack<RestorableContents>) {
        value = Value(at: time)
        newUndoStack = undo
        for entry in value.unordered { states[entry.name] = newState(entry) }
    }

    private func newState(_ entry: Value.Entry) -> PasteboardState {
        PasteboardState(entry, in: self, undo: newUndoStack())
    }

    package subscript(name: PasteboardName) -> PasteboardState? {
        if let state = states[name] { return state }
        guard let entry = value[name] else { return nil }
        let state = newState(entry)
        states[name] = state
        return state
    }

    /// All pasteboards: the system's first, each group by name.
    package var all: [PasteboardState] { value.entries.compactMap { self[$0.name] } }

    /// Removes the state of a pasteboard that the model has removed. Returns the state, which is marked as removed.
    package func remove(_ removal: Value.Removal) -> PasteboardState? {
        let state = states.removeValue(forKey: removal.former.name)
        state?.didRemove(removal)
        return state
    }

    /// Returns the pasteboard with that name, or throws an error to send over the wire.
    package func existing(_ string: String) throws(BridgeError) -> PasteboardState {
        let name = try PasteboardName(ofCall: string)
        guard let pasteboard = self[name] else { throw BridgeError(.noSuchPasteboard(name)) }
        return pasteboard
    }
}

extension PasteboardName {
    /// The maximum number of names in one call.
    private static let maxInCall = 2_048

    package init(ofCall string: String) throws(BridgeError) {
        do {
            self = try PasteboardName(validating: string)
        } catch {
            throw BridgeError(error.kind == .refused ? .refused : .invalidName, error.message)
        }
    }

    /// Creates the name that a call gives; nil if the call gives no name.
    package init?(ofCall string: String?) throws(BridgeError) {
        guard let string else { return nil }
        try self.init(ofCall: string)
    }

    /// Returns the names of a call. Throws if there are no names.
    package static func list(ofCall strings: [String]) throws(BridgeError) -> [PasteboardName] {
        guard !strings.isEmpty else { throw BridgeError(.invalidName, "no pasteboard was named") }
        try checkNumber(of: strings)
        var names: [PasteboardName] = []
        for string in strings { names.append(try PasteboardName(ofCall: string)) }
        return names
    }

    /// Throws if a call names more pasteboards than there can be.
    package static func checkNumber(of strings: [String]) throws(BridgeError) {
        guard strings.count <= maxInCall else {
            throw BridgeError(.refused, "a call names at most \(maxInCall) pasteboards, not \(strings.count)")
        }
    }
}

extension BridgeError {
    package init(_ error: PasteboardsError) {
        switch error {
        case .noSuchPasteboard: self.init(.noSuchPasteboard, error.message)
        case .belongsToSystem, .tooMany, .visible, .hidden: self.init(.refused, error.message)
        case .countMismatch(_, let count): self.init(.countMismatch, error.message, count: count)
        }
    }

    /// Returns the result of `body`; turns an error of the model into an error to send over the wire.
    package static func wrapping<Result>(_ body: () throws(PasteboardsError) -> Result) throws(BridgeError) -> Result {
        do {
            return try body()
        } catch {
            throw BridgeError(error)
        }
    }

    package static let leaving = BridgeError(
        .refused, "the bridge is ending; try again", reason: BridgeError.endReason)

    package static func nothing(on pasteboard: PasteboardState) -> BridgeError {
        BridgeError(.empty, "nothing is on the pasteboard \(pasteboard.name.quoted)")
    }
}
