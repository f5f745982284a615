import BridgeClient
import PasteboardWire

extension Pasteboard {
    /// A change of a pasteboard's contents or of its owner.
    public struct Change: Hashable, Sendable {
        /// The pasteboard.
        public let pasteboard: Pasteboard
        /// The change count after the change.
        public let count: Int
        /// The owner after the change.
        public let owner: PasteboardOwner
        /// The identifiers of the types on offer after the change, in the order of preference.
        ///
        /// Empty if the pasteboard is empty, if its owner did not list its types in time, or if the next change came
        /// first.
        public let types: [String]
        /// The types that were not on offer before. Empty if only the contents changed.
        public let typesAdded: [String]
        /// The types that are no longer on offer.
        public let typesRemoved: [String]
        /// True if the pasteboard was removed with its contents.
        public let isRemoval: Bool
        /// True if ``Pasteboard/undo(_:ifChangeCount:)`` made the change, here or in another program.
        public let isUndo: Bool
        /// True if ``Pasteboard/redo(_:ifChangeCount:)`` made the change, here or in another program.
        public let isRedo: Bool
        /// The state of undo after the change.
        public let undoState: UndoState
        /// True if changes before this change were missed, so that this change reports the present state.
        ///
        /// Either the bridge was restarted, or the program read so slowly that the bridge dropped the later changes.
        public let afterRestart: Bool

        init(_ reply: Methods.Monitor.Reply, of pasteboard: Pasteboard, afterRestart: Bool) {
            self.pasteboard = pasteboard
            count = reply.count
            owner = PasteboardOwner(reply.owner)
            types = reply.types
            typesAdded = reply.added ?? []
            typesRemoved = reply.removed ?? []
            isRemoval = reply.gone ?? false
            isUndo = reply.cause == .undo
            isRedo = reply.cause == .redo
            undoState = reply.undo.map(UndoState.init) ?? .none
            self.afterRestart = afterRestart
        }
    }

    /// The changes of the pasteboard from now on.
    ///
    /// An iteration starts with the first change after its iterator first reaches the bridge. To miss no change since
    /// you read the pasteboard, pass the change count of that time to ``changes(since:)``.
    public var changes: Changes { Changes(pasteboard: self, since: nil) }

    /// Returns the changes of the pasteboard after a given change count.
    ///
    /// If the change count is already higher, the latest change comes at once, followed by each later change.
    ///
    /// - Parameter count: An earlier change count.
    public func changes(since count: Int) -> Changes { Changes(pasteboard: self, since: count) }

    /// The changes of a pasteboard, in order and without gaps.
    ///
    /// There is one exception: if programs change an X11 selection so fast that the bridge has 4,096 changes still to
    /// report, one element stands for several changes, and ``Change/count`` increases by the number of these changes.
    ///
    /// ```swift
    /// for try await change in Pasteboard.general.changes {
    ///     print(change.count, change.types)
    /// }
    /// ```
    ///
    /// When the bridge exits, the iteration waits for the next bridge, without starting one, and continues with the
    /// state of that bridge, marked ``Change/afterRestart``. If changes come faster than a program reads them, the
    /// bridge queues up to 1 MiB of changes (a few thousand; see the setting `limit-watch-queue`) and drops the rest.
    /// The present state follows, with the same mark. When the task is cancelled, the iteration ends with
    /// `CancellationError`.
    ///
    /// Source: `UIPasteboard.changedNotification`, `UIPasteboard.removedNotification`.
    public struct Changes: AsyncSequence, Sendable {
        let pasteboard: Pasteboard
        let since: Int?
        /// Called once with the change count at the start of an iteration.
        var started: @Sendable (Int) -> Void = { _ in }

        /// Returns an iterator, whose first call of ``Iterator/next()`` connects to the bridge.
        public func makeAsyncIterator() -> Iterator {
            Iterator(pasteboard: pasteboard, since: since, started: started, client: Client.inUse)
        }

        /// An iteration over the changes, on a connection of its own.
        public struct Iterator: AsyncIteratorProtocol {
            private let pasteboard: Pasteboard
            private let client: Client
            private let since: Int?
            private let started: @Sendable (Int) -> Void
            private var stream: ReplyStream?
            /// True until the first reply of a stream, which reports the present state.
            private var isFirst = true
            private var isRestart = false

            init(
                pasteboard: Pasteboard, since: Int?, started: @escaping @Sendable (Int) -> Void, client: Client
            ) {
                self.pasteboard = pasteboard
                self.since = since
                self.started = started
                self.client = client
            }

            /// Waits for the next change.
            ///
            /// - Returns: The change; never nil.
            /// - Throws: ``PasteboardError`` if no bridge can be reached at the start, or the pasteboard cannot be
            ///   observed; `CancellationError`.
            public mutating func next() async throws -> Change? {
                do {
                    while true {
                        if let change = try await step() { return change }
                    }
                } catch {
                    stream = nil
                    throw PasteboardError.public(error)
                }
            }

            private mutating func step() async throws -> Change? {
                try Task.checkCancellation()
                do {
                    let reply = try await openStream().next().decode(Methods.Monitor.self)
                    let wasFirst = isFirst
                    isFirst = false
                    if wasFirst, !isRestart { started(reply.count) }
                    if wasFirst, !isRestart, since.map({ reply.count <= $0 }) ?? true { return nil }
                    return Change(reply, of: pasteboard, afterRestart: wasFirst && isRestart)
                } catch is StreamEnd {
                    try await restart()
                } catch let error as BridgeError where error.code == .tooSlow {
                    startAgain()
                } catch let error as PasteboardError where isRestart && isFirst && error.code == .unavailable {
                    // The bridge was running only for a moment.
                    try await restart()
                }
                return nil
            }

            private mutating func restart() async throws {
                startAgain()
                try await client.awaitBridge()
            }

            /// Prepares the next step to open a new stream, which begins with the state at that time.
            private mutating func startAgain() {
                stream = nil
                isFirst = true
                isRestart = true
            }

            private mutating func openStream() throws -> ReplyStream {
                if let stream { return stream }
                let parameters = Methods.Monitor.Parameters(
                    pasteboards: [pasteboard.name], initial: true, types: true)
                let call = try EncodedCall(Methods.Monitor.self, parameters, more: true)
                let new = try client.open(call, isReadOnly: true, start: isRestart ? .never : .forDisplay)
                stream = new
                return new
            }
        }
    }
}
