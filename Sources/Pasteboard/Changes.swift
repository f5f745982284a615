import BridgeClient
import PasteboardWire

extension Pasteboard {
    /// The steps of a pasteboard from now on.
    ///
    /// Each iteration begins with the first step after it was begun, that is after its iterator asked the bridge for
    /// the first time. To miss nothing since an earlier look, tell the count that was seen: ``changes(since:)``.
    public var changes: Changes { Changes(pasteboard: self, since: nil) }

    /// The steps of a pasteboard since it had a change count: first, if the count has passed it, the latest of them at
    /// once, then each step.
    public func changes(since count: Int) -> Changes { Changes(pasteboard: self, since: count) }

    /// The steps of a pasteboard, in their order, none left out and none invented.
    ///
    /// ```swift
    /// for try await change in Pasteboard.general.changes {
    ///     print(change.count, change.types)
    /// }
    /// ```
    ///
    /// When the bridge ends the iteration waits for the next one, without starting it, and goes on with its state,
    /// marked ``Change/afterRestart``. Where a program is slower than the changes the bridge keeps what was not read, up
    /// to its setting `limit-watch-queue`, 1 MiB (some thousand steps); behind those comes the present state, marked
    /// likewise. The iteration ends when its task is cancelled, by `CancellationError`.
    ///
    /// Source: `UIPasteboard.changedNotification`, `UIPasteboard.removedNotification`.
    public struct Changes: AsyncSequence, Sendable {
        let pasteboard: Pasteboard
        let since: Int?

        /// Begins an iteration. The bridge is asked by the first call of ``Iterator/next()``.
        public func makeAsyncIterator() -> Iterator {
            Iterator(pasteboard: pasteboard, since: since, client: Client.inUse)
        }

        /// One iteration, on a connection of its own.
        public struct Iterator: AsyncIteratorProtocol {
            private let pasteboard: Pasteboard
            private let client: Client
            private let since: Int?
            private var stream: ReplyStream?
            /// The first reply of a stream is the present state.
            private var isFirst = true
            private var isRestart = false

            init(pasteboard: Pasteboard, since: Int?, client: Client) {
                self.pasteboard = pasteboard
                self.since = since
                self.client = client
            }

            /// The next step.
            ///
            /// - Throws: ``PasteboardError`` where no bridge can be reached at the beginning, or the pasteboard cannot
            ///   be observed; `CancellationError`.
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
                    let reply = try await present().next().decode(Methods.Monitor.self)
                    let wasFirst = isFirst
                    isFirst = false
                    if wasFirst, !isRestart, since.map({ reply.count <= $0 }) ?? true { return nil }
                    return Change(reply, of: pasteboard, afterRestart: wasFirst && isRestart)
                } catch is StreamEnd {
                    try await restart()
                } catch let error as BridgeError where error.code == .tooSlow {
                    begin()
                } catch let error as PasteboardError where isRestart && isFirst && error.code == .unavailable {
                    // It was there for a moment only.
                    try await restart()
                }
                return nil
            }

            private mutating func restart() async throws {
                begin()
                try await client.bridge()
            }

            /// Another stream is to begin, with the state that is there by then.
            private mutating func begin() {
                stream = nil
                isFirst = true
                isRestart = true
            }

            private mutating func present() throws -> ReplyStream {
                if let stream { return stream }
                let parameters = Methods.Monitor.Parameters(
                    pasteboards: [pasteboard.name], initial: true, types: true)
                let call = try EncodedCall(Methods.Monitor.self, parameters, more: true)
                let new = try client.open(call, isRead: true, start: isRestart ? .never : .forDisplay)
                stream = new
                return new
            }
        }
    }
}
