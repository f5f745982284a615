package import PasteboardModel
import PasteboardWire

extension PasteboardError {
    /// What a call to the bridge threw.
    package init(wire error: any Error) {
        switch error {
        case let error as PasteboardError: self = error
        case let error as BridgeError: self.init(error)
        case ClientFault.timedOut:
            self.init(
                code: .unavailable,
                message: "the bridge does not answer; xpb doctor tells why")
        case ClientFault.closed:
            self.init(code: .unavailable, message: "the bridge ended before it had answered; try again")
        default:
            self.init(
                code: .unavailable,
                message:
                    "the bridge gave an answer that makes no sense (\(error)); see that xpb and xpbd are of one version"
            )
        }
    }

    private init(_ error: BridgeError) {
        let code: Code =
            switch error.code {
            case .empty: .empty
            case .noSuchType: .noSuchType
            case .noSuchItem: .noSuchItem
            case .noSuchEntry: .noSuchEntry
            case .noSuchPasteboard: .noSuchPasteboard
            case .promiseBroken: .promiseBroken
            case .ownerSilent: .silent
            case .transferBroken, .invalidBytes: .transferBroken
            case .displayUnavailable: .unavailable
            case .invalidName: .invalidName
            case .countMismatch: .countMismatch
            case .refused: .refused
            case .invalidType: .invalidType
            case .tooSlow: .tooSlow
            case .notStored: .notStored
            }
        self.init(code: code, message: error.message, context: Context(types: error.types ?? [], count: error.count))
    }

    /// A name that somebody depends on is refused; any other that cannot be is a slip.
    package init(_ error: InvalidPasteboardName) {
        self.init(code: error.kind == .refused ? .refused : .invalidName, message: error.message)
    }
}
