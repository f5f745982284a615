import EventLoop
import LinuxSystem
import PasteboardWire

/// One connection of the loop's pool, and the calls that are under way on it.
final class Link {
    /// A call, what has come of its replies, and how often it was begun.
    struct Job {
        let exchange: Exchange
        var replies: [EncodedReply] = []
        var attempts = 1
        /// It makes an app's pasteboard again; what comes behind it need not wait for the answer.
        var isRestoring = false
    }

    let id: Int
    let connection: Connection
    let channel: ClientChannel
    var registration: Registration?
    /// In the order of the answers. One at a time, but for what makes an app's pasteboards again.
    private(set) var jobs = Backlog<Job>()
    /// When the bridge will have been silent for too long; nil while it is asked whether it is alive.
    private(set) var deadline: ContinuousClock.Instant?

    init(_ connection: Connection, id: Int) {
        self.id = id
        self.connection = connection
        channel = ClientChannel(socket: connection.socket)
    }

    var isIdle: Bool { jobs.isEmpty }

    /// Whether a call can begin.
    var isAvailable: Bool { jobs.allSatisfy(\.isRestoring) }

    func begin(_ job: Job) {
        if jobs.isEmpty { deadline = .now + job.exchange.silence }
        channel.append(job.exchange.call)
        jobs.append(job)
    }

    /// The bridge sent something, took something or answered that it is alive.
    func noteProgress() {
        deadline = jobs.first.map { .now + $0.exchange.silence }
    }

    /// It is being asked whether it is alive.
    func holdDeadline() {
        deadline = nil
    }

    /// Reads what is there, and tells each call that was answered by it: also those before what is no answer.
    func receive(_ answered: (Job) -> Void) throws(ClientFault) {
        guard try channel.receive() else { return }
        while let reply = try channel.nextReply() {
            guard !jobs.isEmpty else { throw .malformed("a reply that belongs to no call") }
            let oldest = jobs.startIndex
            jobs[oldest].replies.append(reply)
            if reply.isLast(of: jobs[oldest].exchange), let job = jobs.next() { answered(job) }
        }
        noteProgress()
    }

    /// The calls that were under way, when the connection is given up.
    func takeJobs() -> [Job] {
        defer { jobs = Backlog() }
        return Array(jobs)
    }
}

extension EncodedReply {
    fileprivate func isLast(of exchange: Exchange) -> Bool {
        !exchange.manner.takesSeveral || !continues
    }
}
