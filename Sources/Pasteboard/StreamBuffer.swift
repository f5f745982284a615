import BridgeClient
import LinuxSystem
import PasteboardWire
import Synchronization

/// The replies of a call that takes them again and again, between the loop and their reader.
///
/// The loop holds it for as long as the connection is there.
final class StreamBuffer: Sendable {
    /// The loop reads no more of the socket while so many wait for the reader.
    static let limit = 64

    private struct State {
        var replies: [EncodedReply] = []
        /// Why there are no more.
        var end: (any Error)?
        var waiter: Completion<Void>?
        /// The loop reads nothing at present.
        var isPaused = false
        var isClosed = false
        var hasRetried = false
    }

    let call: EncodedCall
    /// How long the first reply may take.
    let silence: Duration
    /// Calling it anew does no harm before there was a reply.
    let isRead: Bool
    /// What to do where no bridge runs.
    let start: BridgeFinder.Start
    /// The first reply, where it is not one of those to be read: it answers the call.
    let answer: Completion<[EncodedReply]>?
    private let state = Mutex(State())

    init(
        _ call: EncodedCall, silence: Duration, isRead: Bool, start: BridgeFinder.Start = .forDisplay,
        hasAnswer: Bool = false
    ) {
        self.start = start
        answer = hasAnswer ? Completion() : nil
        self.call = call
        self.silence = silence
        self.isRead = isRead
    }

    // MARK: The loop's side

    /// - Returns: Whether there is room for more. If not, the reader says when there is.
    func push(_ reply: EncodedReply) -> Bool {
        if let answer, !answer.isDone {
            answer.complete(.success([reply]))
            return true
        }
        let (hasRoom, waiter) = state.withLock { state in
            state.replies.append(reply)
            state.isPaused = state.replies.count >= Self.limit
            return (!state.isPaused, state.waiter.take())
        }
        waiter?.complete(.success(()))
        return hasRoom
    }

    /// The replies pushed before are still read.
    func end(_ error: any Error) {
        answer?.complete(.failure(error))
        let waiter = state.withLock { state in
            if state.end == nil { state.end = error }
            return state.waiter.take()
        }
        waiter?.complete(.success(()))
    }

    /// Nobody reads it any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether the call may be made another time: once.
    func takeRetry() -> Bool {
        state.withLock { state in
            defer { state.hasRetried = true }
            return !state.hasRetried
        }
    }

    // MARK: The reader's side

    func close() {
        state.withLock { $0.isClosed = true }
    }

    enum Next {
        /// - Parameter resumes: The loop is to read on.
        case reply(EncodedReply, resumes: Bool)
        case wait(Completion<Void>)
    }

    /// The next reply, or what to wait for. There is one reader.
    ///
    /// - Throws: What the stream ended by.
    func next() throws -> Next {
        try state.withLock { state in
            if !state.replies.isEmpty {
                let reply = state.replies.removeFirst()
                let resumes = state.isPaused && state.replies.count <= Self.limit / 2
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
