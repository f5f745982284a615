import EventLoop
import LinuxSystem
import PasteboardWire

/// What goes on on a client's thread: its connections and their deadlines. Nothing here waits but the loop.
final class ClientLoop {
    enum Command: Sendable {
        case start(Exchange)
        case open(StreamBuffer)
        /// The reader has room again.
        case resume(StreamBuffer)
        case close(StreamBuffer)
        /// To be completed when a bridge can be reached; none is started.
        case awaitBridge(Completion<Void>)
        /// Another bridge may be meant from now on.
        case lookAgain
        case connected(Result<Connection, PasteboardError>, Purpose)
        /// Whether the bridge of the link of that number answers.
        case alive(link: Int, Bool)
        case stop
    }

    /// Whom a connection is made for.
    enum Purpose: Sendable {
        case pool
        case stream(StreamBuffer)
        case lookout
    }

    /// The most calls that may be under way at once, and so connections of the pool; the next wait.
    static let mostLinks = 16
    /// More of them for what those under way may be waiting for.
    private static let moreForUrgent = 4
    /// The most that are kept without a call.
    private static let mostIdle = 4

    let loop = EventLoop()
    let commands: MessageQueue<Command>
    let connector: Connector
    var streams: [ObjectIdentifier: StreamLink] = [:]
    var lookout: Lookout?
    private var links: [Link] = []
    /// Keeps the app's pasteboards that this program made alive.
    private weak var primary: Link?
    /// Those, to be made again with the next bridge.
    private var own: [String] = []
    private var waiting: [Link.Job] = []
    private var isConnecting = false
    /// No more connections can be made: it is waited for one that is there.
    private var isFull = false
    private var lastLink = 0

    init(commands: MessageQueue<Command>, connector: Connector) {
        self.commands = commands
        self.connector = connector
    }

    func run() {
        let registration = loop.add(commands.fileDescriptor, interest: .readable) { [unowned self] _ in
            for command in commands.drain() { perform(command) }
        }
        loop.beforeSleep = { [unowned self] in
            distribute()
            flush()
        }
        loop.earliestDeadline = { [unowned self] in
            (links.compactMap(\.deadline) + streams.values.compactMap(\.deadline)).min()
        }
        loop.deadlinesPassed = { [unowned self] now in
            for link in links where link.deadline.map({ $0 <= now }) ?? false { deadlinePassed(link) }
            for stream in streams.values where stream.deadline.map({ $0 <= now }) ?? false {
                end(stream, ClientFault.timedOut)
            }
        }
        try? loop.run()
        registration.cancel()
        fail(
            waiting + links.flatMap { $0.takeJobs() },
            PasteboardError(code: .unavailable, message: "the pasteboard's thread ended"))
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let exchange): waiting.append(Link.Job(exchange: exchange))
        case .open(let buffer): connect(for: .stream(buffer), start: buffer.start)
        case .resume(let buffer): resume(buffer)
        case .close(let buffer): close(buffer)
        case .awaitBridge(let completion): awaitBridge(completion)
        case .lookAgain: look()
        case .connected(let result, .pool): connected(result)
        case .connected(let result, .stream(let buffer)): connected(result, for: buffer)
        case .connected(let result, .lookout): looked(result)
        case .alive(let id, let isAlive): alive(id, isAlive)
        case .stop: loop.stop()
        }
    }

    /// Makes a connection on a thread apart, since it may take as long as it takes to start a bridge.
    func connect(for purpose: Purpose, start: BridgeFinder.Start) {
        let work = { @Sendable [commands, connector] in
            let result: Result<Connection, PasteboardError>
            do throws(PasteboardError) {
                result = .success(try connector.connect(start))
            } catch {
                result = .failure(error)
            }
            commands.send(.connected(result, purpose))
        }
        do {
            _ = try WorkerThread.start(name: "xpb connect", work)
        } catch {
            let error = PasteboardError(code: .unavailable, message: "no thread can be started: \(error)")
            commands.send(.connected(.failure(error), purpose))
        }
    }

    // MARK: The pool

    /// Gives waiting calls to idle connections, and makes another connection where none is left.
    private func distribute() {
        waiting.removeAll { $0.exchange.replies.isDone }
        guard !waiting.isEmpty else { return }
        let generation = connector.generation()
        for link in links where link.isIdle && link.connection.generation != generation { drop(link) }
        waiting = waiting.filter { job in
            guard mayBegin(job.exchange), let link = availableLink(for: job.exchange) else { return true }
            link.begin(job)
            return false
        }
        let isAnotherWanted = waiting.contains { mayBegin($0.exchange) }
        if isAnotherWanted, !isConnecting, !isFull, !links.contains(where: \.isAvailable) {
            isConnecting = true
            connect(for: .pool, start: .forDisplay)
        }
    }

    private func mayBegin(_ exchange: Exchange) -> Bool {
        let most = exchange.manner.isUrgent ? Self.mostLinks + Self.moreForUrgent : Self.mostLinks
        return links.count { !$0.isAvailable } < most
    }

    /// The oldest, so that calls one after the other stay on one.
    private func availableLink(for exchange: Exchange) -> Link? {
        guard case .begins = exchange.manner.lifetime else {
            return links.first(where: \.isAvailable)
        }
        if let primary { return primary.isAvailable ? primary : nil }
        primary = links.first(where: \.isAvailable)
        return primary
    }

    private func connected(_ result: Result<Connection, PasteboardError>) {
        isConnecting = false
        switch result {
        case .success(let connection):
            let link = add(connection)
            if primary == nil, !own.isEmpty { makePrimary(link) }
            look()
        case .failure where !links.isEmpty: isFull = true
        case .failure(let error):
            fail(waiting, error)
            waiting = []
        }
    }

    private func add(_ connection: Connection) -> Link {
        lastLink += 1
        let link = Link(connection, id: lastLink)
        link.registration = loop.add(link.channel.fileDescriptor, interest: .readable) { [unowned self, weak link] _ in
            if let link { ready(link) }
        }
        links.append(link)
        isFull = false
        return link
    }

    /// Has the bridge know this program's pasteboards as its own again, before any other call.
    private func makePrimary(_ link: Link) {
        primary = link
        for name in own {
            guard let call = try? EncodedCall(Methods.Create.self, .init(pasteboard: name)) else { continue }
            link.begin(Link.Job(exchange: Exchange(call, .read, silence: .seconds(5)), isRestoring: true))
        }
    }

    private func ready(_ link: Link) {
        do throws(ClientFault) {
            let wasIdle = link.isIdle
            for job in try link.receive() { finish(job) }
            isFull = false
            if wasIdle { return }
            if link.isIdle, waiting.isEmpty, link !== primary, links.count(where: \.isIdle) > Self.mostIdle {
                drop(link)
            }
        } catch {
            broke(link, error)
        }
    }

    private func flush() {
        for link in links where link.channel.hasUnsent {
            do throws(ClientFault) {
                try link.channel.flush()
                link.registration?.interest = link.channel.hasUnsent ? [.readable, .writable] : .readable
            } catch {
                broke(link, error)
            }
        }
        flushStreams()
        // What broke just now is tried on another connection before the loop sleeps.
        if !waiting.isEmpty, !isConnecting { distribute() }
    }

    private func finish(_ job: Link.Job) {
        switch job.exchange.manner.lifetime {
        case .begins:
            let name = try? job.replies.first?.decode(Methods.Create.self).pasteboard
            if let name, !own.contains(name) { own.append(name) }
        case .ends(let name): own.removeAll { $0 == name }
        case .none: break
        }
        job.exchange.replies.complete(.success(job.replies))
    }

    /// The connection is of no use any more. A call that the bridge cannot have acted on, or that only reads, is tried
    /// once more; of any other nobody knows.
    private func broke(_ link: Link, _ fault: ClientFault) {
        let isUndelivered = link.channel.isUndelivered
        let jobs = link.takeJobs()
        drop(link)
        // A bridge that ended left those behind, too.
        if fault == .closed { for other in links where other.isIdle { drop(other) } }
        for job in jobs.reversed() {
            let mayRepeat = job.exchange.manner.isRead || isUndelivered
            if fault == .closed, mayRepeat, job.attempts < 2 {
                waiting.insert(Link.Job(exchange: job.exchange, attempts: job.attempts + 1), at: 0)
            } else if fault == .closed, !mayRepeat {
                job.exchange.replies.complete(.failure(PasteboardError.uncertain))
            } else {
                job.exchange.replies.complete(.failure(PasteboardError(wire: fault)))
            }
        }
    }

    private func drop(_ link: Link) {
        link.registration?.cancel()
        links.removeAll { $0 === link }
        isFull = false
        if primary === link { primary = nil }
    }

    private func fail(_ jobs: [Link.Job], _ error: PasteboardError) {
        for job in jobs { job.exchange.replies.complete(.failure(error)) }
    }

    // MARK: Deadlines

    private func deadlinePassed(_ link: Link) {
        guard link.jobs.first?.exchange.manner.isLong == true else { return broke(link, .timedOut) }
        link.holdDeadline()
        let id = link.id
        let work = { @Sendable [commands, isAlive = link.connection.isAlive] in
            commands.send(.alive(link: id, isAlive()))
        }
        if (try? WorkerThread.start(name: "xpb alive", work)) == nil { broke(link, .timedOut) }
    }

    private func alive(_ id: Int, _ isAlive: Bool) {
        guard let link = links.first(where: { $0.id == id }), link.deadline == nil, !link.isIdle else { return }
        if isAlive { link.noteProgress() } else { broke(link, .timedOut) }
    }
}

extension PasteboardError {
    /// A call that changes something was sent, and its answer is lost.
    static let uncertain = PasteboardError(
        code: .uncertain,
        message:
            "the bridge ended before it had answered, so nobody knows whether it was done; look before trying again")
}
