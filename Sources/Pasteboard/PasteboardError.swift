/// Why a pasteboard did not do what it was asked.
///
/// Unless its code is ``Code/uncertain`` or ``Code/notStored``, nothing was changed. A task that is cancelled while it waits gets
/// `CancellationError` instead; what it wanted to be written may then have been.
public struct PasteboardError: Error, Equatable, Sendable {
    /// What a program can tell apart.
    public enum Code: Sendable, CaseIterable {
        /// There is nothing: nobody owns the pasteboard, or it was emptied.
        case empty
        /// None of the types asked for is on offer; ``Context/types`` are those that are.
        case noSuchType
        /// The item asked for is not there.
        case noSuchItem
        /// There is no such entry in the history.
        case noSuchEntry
        /// There is no pasteboard of that name.
        case noSuchPasteboard
        /// The program that promised the bytes cannot give them, or has ended.
        case promiseBroken
        /// No pasteboard can have that name.
        case invalidName
        /// No type can have that name.
        case invalidType
        /// The value cannot be written, or what is there is no such value.
        case invalidValue
        /// The options contradict themselves: the contents would be gone before they are there.
        case invalidOptions
        /// The owner, or the bridge itself, did not answer in time.
        case silent
        /// There is no display, it does not answer, or no bridge runs and none could be started.
        case unavailable
        /// The transfer broke off or is incomplete.
        case transferBroken
        /// The change count is not the one expected; ``Context/count`` is the present one.
        case countMismatch
        /// Refused by policy, by a limit, or because another owner was faster. Nothing was changed.
        case refused
        /// More changes waited for a watcher than may, and later ones were missed. ``Pasteboard/Changes`` goes on by itself.
        case tooSlow
        /// It was done, and could not be stored: it may come undone when the bridge ends.
        case notStored
        /// The bridge ended while it was changing something, and nobody knows whether it did. The change count tells.
        case uncertain
    }

    /// What more there is to know.
    public struct Context: Equatable, Sendable {
        /// The types on offer.
        public var types: [String]
        /// The change count.
        public var count: Int?

        /// Makes a context.
        public init(types: [String] = [], count: Int? = nil) {
            self.types = types
            self.count = count
        }
    }

    /// What went wrong.
    public var code: Code
    /// A sentence for the user, without a full stop, with the next step where there is one.
    public var message: String
    /// What more there is to know.
    public var context: Context

    /// Makes an error.
    public init(code: Code, message: String, context: Context = Context()) {
        self.code = code
        self.message = message
        self.context = context
    }
}

extension PasteboardError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
