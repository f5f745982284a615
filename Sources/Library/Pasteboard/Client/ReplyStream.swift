import BridgeClient
import EventLoop
import PasteboardWire
import Synchronization

/// A reader's hold on a call with a stream of replies, on a connection of its own. Releasing this object closes the
/// connection, which ends the call.
final class ReplyStream: Sendable {
    private let buffer: StreamBuffer
    private let commands: MessageQueue<ClientLoop.Command>

    init(_ buffer: StreamBuffer, commands: MessageQueue<ClientLoop.Command>) {
        self.buffer = buffer
        self.commands = commands
    }

    deinit {
        buffer.close()
        commands.send(.close(buffer))
    }

    /// The answer of the call, if it has one.
    var answer: Completion<[EncodedReply]>? { buffer.answer }

    /// Waits for the next reply.
    ///
    /// - Throws: ``StreamEnd``; ``PasteboardError`` if the call could not be made; `CancellationError`.
    func next() async throws -> EncodedReply {
        while true {
            switch try buffer.next() {
            case .reply(let reply, let resumes):
                if resumes { commands.send(.resume(buffer)) }
                return reply
            case .wait(let waiter): try await waiter.value()
            }
        }
    }
}

/// The end of a stream whose connection broke after its first reply, because the bridge exited.
struct StreamEnd: Error {}

/// The replies of a stream, on their way from the loop to their reader.
///
/// The loop holds the buffer for as long as the connection exists.
final class StreamBuffer: Sendable {
    private struct State {
        var replies: [EncodedReply] = []
        /// The reason for the end of the replies.
        var end: (any Error)?
        var waiter: Completion<Void>?
        /// True while the loop does not read.
        var isPaused = false
        var isClosed = false
        /// The limit on repetitions; nil until the call is first repeated.
        var budget: RepeatBudget?
    }

    let call: EncodedCall
    /// The time that the first reply may take.
    let idleTimeout: Duration
    /// True if the call may be repeated until its first reply.
    let isReadOnly: Bool
    /// The action to take if no bridge is running.
    let start: BridgeFinder.Start
    /// The first reply, if it answers the call and is not part of the stream.
    let answer: Completion<[EncodedReply]>?
    private let state = Mutex(State())

    init(
        _ call: EncodedCall, idleTimeout: Duration, isReadOnly: Bool, start: BridgeFinder.Start = .forDisplay,
        hasAnswer: Bool = false
    ) {
        self.start = start
        answer = hasAnswer ? Completion() : nil
        self.call = call
        self.idleTimeout = idleTimeout
        self.isReadOnly = isReadOnly
    }

    // MARK: The loop's side

    /// Adds a reply. Returns true if there is room for more replies. If not, the reader resumes the stream after making
    /// room.
    func push(_ reply: EncodedReply) -> Bool {
        if let answer, !answer.isDone {
            answer.complete(.success([reply]))
            return true
        }
        let (hasRoom, waiter) = state.withLock { state in
            state.replies.append(reply)
            state.isPaused = state.replies.count >= Client.maxUnreadReplies
            return (!state.isPaused, state.waiter.take())
        }
        waiter?.complete(.success(()))
        return hasRoom
    }

    /// Ends the stream. Replies that were pushed before can still be read.
    func end(_ error: any Error) {
        answer?.complete(.failure(error))
        let waiter = state.withLock { state in
            if state.end == nil { state.end = error }
            return state.waiter.take()
        }
        waiter?.complete(.success(()))
    }

    /// True once the reader is gone.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Returns true if the call may be repeated, and counts the repetition; see ``RepeatBudget``.
    func takeRetry() -> Bool {
        state.withLock { state in
            var budget = state.budget ?? RepeatBudget(timeout: idleTimeout)
            defer { state.budget = budget }
            return budget.take()
        }
    }

    // MARK: The reader's side

    func close() {
        state.withLock { $0.isClosed = true }
    }

    enum Next {
        /// - Parameter resumes: True if the loop must resume reading.
        case reply(EncodedReply, resumes: Bool)
        case wait(Completion<Void>)
    }

    /// Returns the next reply, or the value to wait for. There is one reader. Throws the error that ended the stream.
    func next() throws -> Next {
        try state.withLock { state in
            if !state.replies.isEmpty {
                let reply = state.replies.removeFirst()
                let resumes = state.isPaused && state.replies.count <= Client.maxUnreadReplies / 2
                if resumes { state.isPaused = false }
                return .reply(reply, resumes: resumes)
            }
            if let end = state.end { throw end }
            let waiter = Completion<Void>()
            state.waiter = waiter
            return .wait(waiter)
        }
    }
}
