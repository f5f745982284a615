import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardWire

/// The pool: connections that serve one call at a time, and the calls that wait for one.
extension ClientLoop {
    /// Gives waiting calls to idle connections, and makes another connection where none is left.
    func distribute() {
        waiting.removeAll { $0.exchange.replies.isDone }
        guard !waiting.isEmpty else { return }
        let generation = connector.generation()
        for link in links where link.isIdle && link.connection.generation != generation { drop(link) }
        waiting = waiting.filter { job in
            guard mayBegin(job.exchange), let link = availableLink(for: job.exchange) else { return true }
            link.begin(job)
            return false
        }
        let isAnotherWanted = waiting.contains { job in
            mayBegin(job.exchange) && (primary == nil || !job.exchange.manner.lifetime.isOfPrimary)
        }
        if isAnotherWanted, !isConnecting, !isFull {
            isConnecting = true
            connect(for: .pool, start: .forDisplay)
        }
    }

    private func mayBegin(_ exchange: Exchange) -> Bool {
        let most = exchange.manner.isUrgent ? Self.mostLinks + Self.moreForUrgent : Self.mostLinks
        return links.count { !$0.isAvailable } < most
    }

    /// The oldest, so that calls one after the other stay on one. What has to be called on the primary is answered at
    /// once, and does not wait there for what others call: they have it only where there is no other, and while what
    /// they may rely on is made again on it.
    private func availableLink(for exchange: Exchange) -> Link? {
        guard exchange.manner.lifetime.isOfPrimary else {
            return links.first { $0.isAvailable && ($0 !== primary || !$0.isIdle || isFull) }
        }
        if let primary { return primary.isAvailable ? primary : nil }
        primary = links.first(where: \.isAvailable)
        return primary
    }

    func connected(_ result: Result<Connection, PasteboardError>) {
        isConnecting = false
        switch result {
        case .success(let connection):
            let link = add(connection)
            if primary == nil, !own.isEmpty || !declarations.isEmpty { makePrimary(link) }
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

    /// Has the bridge know this program's types and pasteboards again, before any other call.
    private func makePrimary(_ link: Link) {
        primary = link
        var calls = own.compactMap { try? EncodedCall(Methods.Create.self, .init(pasteboard: $0)) }
        if !declarations.isEmpty,
            let call = try? EncodedCall(Methods.Declare.self, .init(types: Array(declarations.values)))
        {
            calls.append(call)
        }
        for call in calls {
            link.begin(Link.Job(exchange: Exchange(call, .read, silence: .seconds(5)), isRestoring: true))
        }
    }

    private func ready(_ link: Link) {
        do throws(ClientFault) {
            let wasIdle = link.isIdle
            try link.receive(finish)
            isFull = false
            if wasIdle { return }
            if link.isIdle, waiting.isEmpty, link !== primary, links.count(where: \.isIdle) > Self.mostIdle {
                drop(link)
            }
        } catch {
            broke(link, error)
        }
    }

    func flush() {
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
        case .declares(let types):
            // Those that were refused will be again: that harms nobody.
            for type in types { declarations[type.identifier] = type }
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

    func fail(_ jobs: [Link.Job], _ error: PasteboardError) {
        for job in jobs { job.exchange.replies.complete(.failure(error)) }
    }

    // MARK: Deadlines

    func deadlinePassed(_ link: Link) {
        guard link.jobs.first?.exchange.manner.isLong == true else { return broke(link, .timedOut) }
        link.holdDeadline()
        let id = link.id
        let work = { @Sendable [commands, isAlive = link.connection.isAlive] in
            commands.send(.alive(link: id, isAlive()))
        }
        if (try? WorkerThread.start(name: "xpb alive", work)) == nil { broke(link, .timedOut) }
    }

    func alive(_ id: Int, _ isAlive: Bool) {
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
