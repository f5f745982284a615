import BridgeClient

extension PasteboardError {
    /// Converts any error that a call to the bridge can throw.
    init(wire error: any Error) {
        if let error = error as? PasteboardError { self = error } else { self.init(BridgeClientError(wire: error)) }
    }

    /// Converts an error of the connection to the bridge.
    init(_ error: BridgeClientError) {
        let code: Code =
            switch error.code {
            case .empty: .empty
            case .noSuchType: .noSuchType
            case .noSuchItem: .noSuchItem
            case .noSuchEntry: .noSuchEntry
            case .noSuchPasteboard: .noSuchPasteboard
            case .promiseBroken: .promiseBroken
            case .invalidName: .invalidName
            case .invalidType: .invalidType
            case .silent: .silent
            case .unavailable: .unavailable
            case .transferBroken: .transferBroken
            case .countMismatch: .countMismatch
            case .refused: .refused
            case .tooSlow: .tooSlow
            case .notStored: .notStored
            }
        self.init(
            code: code, message: error.message,
            context: Context(types: error.context.types, count: error.context.count))
    }
}
