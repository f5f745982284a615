import BridgeClient
import EventLoop
import PasteboardWire

struct CallOptions: Sendable {
    /// State that a call creates for as long as its connection or the bridge lives. The state is restored on the next
    /// connection.
    enum Lifetime: Sendable {
        case none
        /// Creates a pasteboard, which may be hidden from X11 programs.
        case creates(hidden: Bool?)
        case removes(String)
        /// Declares types, which are valid as long as the bridge is running.
        case declares([WireTypeDeclaration])

        /// True if the call belongs on the connection that keeps this program's pasteboards alive.
        var belongsOnPrimary: Bool {
            switch self {
            case .creates, .declares: true
            case .removes, .none: false
            }
        }
    }

    /// True if the call changes nothing, so that it may be repeated if its answer was lost.
    var isReadOnly = true
    /// True if the connection may be idle beyond the timeout while the bridge is alive: the bridge may be receiving
    /// bytes, which is not visible here.
    var isLong = false
    var hasSeveralReplies = false
    /// True if calls in progress may depend on this call, so that it does not wait for their connections.
    var isUrgent = false
    var lifetime = Lifetime.none

    static let read = CallOptions()
    static let longRead = CallOptions(isLong: true)
    static let write = CallOptions(isReadOnly: false)
    static let longWrite = CallOptions(isReadOnly: false, isLong: true)
    static let urgentWrite = CallOptions(isReadOnly: false, isUrgent: true)
}

/// A call on its way between the thread that makes it and the loop that carries it out.
final class PendingCall: Sendable {
    let call: EncodedCall
    let options: CallOptions
    /// The time that the bridge may be idle.
    let idleTimeout: Duration
    /// One reply, or several if the call has several replies.
    let replies = Completion<[EncodedReply]>()

    init(_ call: EncodedCall, _ options: CallOptions, idleTimeout: Duration) {
        self.call = call
        self.options = options
        self.idleTimeout = idleTimeout
    }
}

/// One connection of the loop's pool, and the calls in progress on this connection.
final class PooledConnection {
    /// A call, the replies received so far, and the limit on its repetition.
    struct Job {
        let pending: PendingCall
        var replies: [EncodedReply] = []
        var budget: RepeatBudget
        /// True if the call repeats a creation or declaration of this program. Later calls need not wait for its
        /// answer.
        let isRestoring: Bool

        init(_ pending: PendingCall, isRestoring: Bool = false) {
            self.pending = pending
            self.isRestoring = isRestoring
            budget = RepeatBudget(timeout: pending.idleTimeout)
        }

        /// The call for its next attempt.
        var repeated: Job {
            var job = self
            job.replies = []
            return job
        }
    }

    let id: Int
    let connection: Connection
    let channel: ClientChannel
    var registration: Registration?
    /// The calls in the order of their answers. There is at most one call, not counting those that restore state.
    private(set) var jobs = Backlog<Job>()
    /// The calls that the bridge refused because it is about to exit. Once it has exited, these calls go to the next
    /// bridge.
    private(set) var refused: [Job] = []
    /// The time at which the bridge has been idle for too long; nil while the bridge is being asked whether it is
    /// alive.
    private(set) var deadline: ContinuousClock.Instant?

    init(_ connection: Connection, id: Int) {
        self.id = id
        self.connection = connection
        channel = ClientChannel(socket: connection.socket)
    }

    var isIdle: Bool { jobs.isEmpty && refused.isEmpty }

    /// True if a call can start.
    var isAvailable: Bool { refused.isEmpty && jobs.allSatisfy(\.isRestoring) }

    func start(_ job: Job) {
        if jobs.isEmpty { deadline = .now + job.pending.idleTimeout }
        channel.append(job.pending.call)
        jobs.append(job)
    }

    /// Extends the deadline, because the bridge sent or took bytes, or answered that it is alive.
    func noteProgress() {
        deadline = jobs.first.map { .now + $0.pending.idleTimeout } ?? refused.first?.budget.deadline
    }

    /// Keeps a call until the bridge has exited.
    func keep(refused job: Job) {
        refused.append(job)
    }

    /// Suspends the deadline while the bridge is being asked whether it is alive.
    func suspendDeadline() {
        deadline = nil
    }

    /// Reads the bytes that have arrived, and passes each answered call to `answered`, including those before a
    /// malformed reply.
    func receive(_ answered: (Job) -> Void) throws(ClientFault) {
        guard try channel.receive() else { return }
        while let reply = try channel.nextReply() {
            guard !jobs.isEmpty else { throw .malformed("a reply that belongs to no call") }
            let oldest = jobs.startIndex
            jobs[oldest].replies.append(reply)
            if reply.isLast(of: jobs[oldest].pending), let job = jobs.next() { answered(job) }
        }
        noteProgress()
    }

    /// Removes and returns the calls in progress and the refused calls, when the connection is given up.
    func takeJobs() -> (underway: [Job], refused: [Job]) {
        defer {
            jobs = Backlog()
            refused = []
        }
        return (Array(jobs), refused)
    }
}

extension EncodedReply {
    fileprivate func isLast(of pending: PendingCall) -> Bool {
        !pending.options.hasSeveralReplies || !continues
    }
}
