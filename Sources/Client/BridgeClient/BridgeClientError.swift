package import PasteboardModel
package import PasteboardWire

/// The failure of a call to the bridge, or of the search for one.
package struct BridgeClientError: Error, Equatable, Sendable {
    /// The kinds of failure that a program can tell apart.
    package enum Code: Sendable, CaseIterable {
        /// The pasteboard has no owner, or its contents were cleared.
        case empty
        /// None of the requested types is on offer; ``Context/types`` lists the types on offer.
        case noSuchType
        case noSuchItem
        case noSuchEntry
        case noSuchPasteboard
        /// The program that promised the bytes cannot provide them, or has ended.
        case promiseBroken
        case invalidName
        case invalidType
        /// The owner of the contents did not answer in time.
        case silent
        /// There is no display, the X server or the bridge does not answer, or no bridge is running and none could be
        /// started.
        case unavailable
        /// The transfer broke off or is incomplete.
        case transferBroken
        /// The change count differs from the expected one; ``Context/count`` is the current one.
        case countMismatch
        /// The pasteboard has a later change than the requested one, which came from another machine.
        case superseded
        /// Refused by policy, by a limit, or because another owner was faster. Nothing was changed.
        case refused
        /// A watcher read its changes too slowly, and later changes were dropped.
        case tooSlow
        /// The change was made but could not be stored: it may be lost when the bridge ends.
        case notStored
    }

    /// Details that accompany some codes.
    package struct Context: Equatable, Sendable {
        /// The types on offer.
        package var types: [String]
        /// The change count.
        package var count: Int?
        /// The reason for a refusal: ``BridgeError/storeReason``, or the name of the setting that limits transfers.
        package var reason: String?
        /// The cause of ``Code/unavailable``, if ``Cause`` lists it.
        package var cause: Cause?
        /// True if the call may be repeated: its bridge ended before carrying it out, or the call changes nothing.
        package var mayRepeat = false

        package enum Cause: Sendable {
            /// No bridge is running for the display.
            case noBridge
            /// There is no display, no bridge and no link.
            case noDisplay
            /// Several bridges are running, and no display selects one.
            case severalBridges
            /// The bridge that was started did not become ready in time.
            case notReady
            /// The bridge's program was not found.
            case noProgram
        }

        package init(types: [String] = [], count: Int? = nil, reason: String? = nil, cause: Cause? = nil) {
            self.types = types
            self.count = count
            self.reason = reason
            self.cause = cause
        }
    }

    package var code: Code
    /// The cause, for users of any program: a sentence without a period.
    package var message: String
    package var context: Context

    package init(code: Code, message: String, context: Context = Context()) {
        self.code = code
        self.message = message
        self.context = context
    }

    /// Returns the error of a call that changes something and that the bridge may have read but did not answer.
    package static func uncertain(after fault: ClientFault) -> BridgeClientError {
        let cause = fault == .closed ? "the bridge ended before it answered" : fault.description
        return BridgeClientError(
            code: .unavailable,
            message: "\(cause), and the change may have been made; check the contents before you try again")
    }

    /// Converts any error that a call to the bridge can throw.
    package init(wire error: any Error) {
        switch error {
        case let error as BridgeClientError: self = error
        case let error as BridgeError: self.init(error)
        case ClientFault.timedOut:
            self.init(code: .unavailable, message: "the bridge does not answer")
        case ClientFault.closed:
            self.init(code: .unavailable, message: "the bridge ended before it had answered; try again")
        default:
            self.init(
                code: .unavailable,
                message: "the bridge sent an answer that cannot be understood (\(error)); check that xpb and xpbd "
                    + "have the same version")
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
            case .superseded: .superseded
            case .refused: .refused
            case .invalidType: .invalidType
            case .tooSlow: .tooSlow
            case .notStored: .notStored
            }
        self.init(
            code: code, message: error.message,
            context: Context(types: error.types ?? [], count: error.count, reason: error.reason))
    }

    /// Converts the rejection of a name: a name that other programs depend on is refused, any other is invalid.
    package init(_ error: InvalidPasteboardName) {
        self.init(code: error.kind == .refused ? .refused : .invalidName, message: error.message)
    }
}
