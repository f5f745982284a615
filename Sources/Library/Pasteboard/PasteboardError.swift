import BridgeClient

/// The failure of a call to a pasteboard.
///
/// Unless its code is ``Code/uncertain`` or ``Code/notStored``, the call changed nothing. A task that is cancelled
/// while it waits throws `CancellationError` instead, and its write may or may not have been made.
public struct PasteboardError: Error, Equatable, Sendable {
    /// The kinds of failure that a program can distinguish.
    public enum Code: Sendable, CaseIterable {
        /// The pasteboard has no owner, or its contents were cleared.
        case empty
        /// None of the requested types is on offer; ``Context/types`` lists the types that are.
        case noSuchType
        /// The requested item does not exist.
        case noSuchItem
        /// The history has no such entry.
        case noSuchEntry
        /// There is no pasteboard of that name.
        case noSuchPasteboard
        /// The program that promised the bytes cannot provide them, or has ended.
        case promiseBroken
        /// The name is not a valid name of a pasteboard.
        case invalidName
        /// The name is not a valid name of a type.
        case invalidType
        /// The value cannot be written, or the representation that was read is not a value of that kind.
        case invalidValue
        /// The options contradict each other, or the expiration date has passed.
        case invalidOptions
        /// The owner of the contents, or the bridge, did not answer in time.
        case silent
        /// There is no display, the X server or the bridge does not answer, or no bridge is running and none could be
        /// started.
        case unavailable
        /// The transfer broke off or is incomplete.
        case transferBroken
        /// The change count differs from the expected count; ``Context/count`` is the present count.
        case countMismatch
        /// The call was refused by policy, by a limit, or because another owner was faster. Nothing was changed.
        case refused
        /// A watcher read its changes too slowly, so later changes were dropped. ``Pasteboard/Changes`` recovers from
        /// this error.
        case tooSlow
        /// The change was made but could not be stored: it may be lost when the bridge ends.
        case notStored
        /// The bridge ended or fell silent during a change, which may or may not have been made. Compare the change
        /// count to find out.
        case uncertain
    }

    /// Facts that belong to some codes.
    public struct Context: Equatable, Sendable {
        /// The types on offer.
        public var types: [String]
        /// The change count.
        public var count: Int?

        /// Creates a context.
        public init(types: [String] = [], count: Int? = nil) {
            self.types = types
            self.count = count
        }
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence for the user, without a final period, with the next step if there is one.
    public var message: String
    /// Facts that belong to the code.
    public var context: Context

    /// Creates an error.
    public init(code: Code, message: String, context: Context = Context()) {
        self.code = code
        self.message = message
        self.context = context
    }
}

extension PasteboardError: CustomStringConvertible {
    /// The message.
    public var description: String { message }

    /// Converts any error that a call to the bridge can throw.
    package init(wire error: any Error) {
        if let error = error as? PasteboardError { self = error } else { self.init(BridgeClientError(wire: error)) }
    }

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
            case .refused, .superseded: .refused
            case .tooSlow: .tooSlow
            case .notStored: .notStored
            }
        self.init(
            code: code, message: error.message,
            context: Context(types: error.context.types, count: error.context.count))
    }
}
