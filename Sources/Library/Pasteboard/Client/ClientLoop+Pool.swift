import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardWire

/// The pool: connections that serve one call at a time, and the calls that wait for a connection.
extension ClientLoop {
    /// Starts waiting calls on idle connections, and makes another connection if calls are still waiting.
    func distribute() {
        waiting.removeAll { $0.pending.replies.isDone }
        guard !waiting.isEmpty else { return }
        let generation = connector.generation()
        for pooled in pool where pooled.isIdle && pooled.connection.generation != generation { drop(pooled) }
        waiting = waiting.filter { job in
            guard mayStart(job.pending), let pooled = availableConnection(for: job.pending) else { return true }
            pooled.start(job)
            return false
        }
        let needsAnother = waiting.contains { job in
            mayStart(job.pending) && (primary == nil || !job.pending.options.lifetime.belongsOnPrimary)
        }
        if needsAnother, !isConnecting, !isFull {
            isConnecting = true
            connect(for: .pool, start: .forDisplay)
        }
    }

    private func mayStart(_ pending: PendingCall) -> Bool {
        let limit = pending.options.isUrgent ? Client.maxConnections + Self.extraForUrgent : Client.maxConnections
        return pool.count { !$0.isAvailable } < limit
    }

    /// Returns the oldest available connection, so that successive calls use the same connection.
    ///
    /// Calls that belong on the primary connection are answered at once and should not wait for other calls. So other
    /// calls use the primary connection only if there is no other connection, or while it restores state that they may
    /// rely on.
    private func availableConnection(for pending: PendingCall) -> PooledConnection? {
        guard pending.options.lifetime.belongsOnPrimary else {
            return pool.first { $0.isAvailable && ($0 !== primary || !$0.isIdle || isFull) }
        }
        if let primary { return primary.isAvailable ? primary : nil }
        primary = pool.first(where: \.isAvailable)
        return primary
    }

    func connected(_ result: Result<Connection, PasteboardError>) {
        isConnecting = false
        switch result {
        case .success(let connection):
            let pooled = add(connection)
            if primary == nil, !ownPasteboards.isEmpty || !declarations.isEmpty { makePrimary(pooled) }
            lookForBridge()
        case .failure where !pool.isEmpty: isFull = true
        case .failure(let error):
            fail(waiting, error)
            waiting = []
        }
    }

    private func add(_ connection: Connection) -> PooledConnection {
        lastID += 1
        let pooled = PooledConnection(connection, id: lastID)
        pooled.registration = loop.add(pooled.channel.fileDescriptor, interest: .readable) {
            [unowned self, weak pooled] _ in
            if let pooled { ready(pooled) }
        }
        pool.append(pooled)
        isFull = false
        return pooled
    }

    /// Makes this program's types and pasteboards known to the bridge again, before any other call.
    private func makePrimary(_ pooled: PooledConnection) {
        primary = pooled
        var calls = ownPasteboards.compactMap { try? EncodedCall(Methods.Create.self, $0) }
        if !declarations.isEmpty,
            let call = try? EncodedCall(Methods.Declare.self, .init(types: Array(declarations.values)))
        {
            calls.append(call)
        }
        for call in calls {
            let pending = PendingCall(call, .read, idleTimeout: .seconds(5))
            pooled.start(PooledConnection.Job(pending, isRestoring: true))
        }
    }

    private func ready(_ pooled: PooledConnection) {
        do throws(ClientFault) {
            let wasIdle = pooled.isIdle
            try pooled.receive { job in finish(job, on: pooled) }
            isFull = false
            if wasIdle { return }
            if pooled.isIdle, waiting.isEmpty, pooled !== primary, pool.count(where: \.isIdle) > Self.maxIdle {
                drop(pooled)
            }
        } catch {
            connectionBroke(pooled, error)
        }
    }

    func flush() {
        for pooled in pool where pooled.channel.hasUnsent {
            do throws(ClientFault) {
                try pooled.channel.flush()
                pooled.registration?.interest = pooled.channel.hasUnsent ? [.readable, .writable] : .readable
            } catch {
                connectionBroke(pooled, error)
            }
        }
        flushStreams()
        // Calls whose connection has just broken are tried on another connection before the loop sleeps.
        if !waiting.isEmpty, !isConnecting { distribute() }
    }

    private func finish(_ job: PooledConnection.Job, on pooled: PooledConnection) {
        if !job.pending.options.isReadOnly, job.replies.count == 1, job.replies[0].isRefusedForEnd {
            return pooled.keep(refused: job)
        }
        switch job.pending.options.lifetime {
        case .creates(let hidden):
            let name = try? job.replies.first?.decode(Methods.Create.self).pasteboard
            if let name, !ownPasteboards.contains(where: { $0.pasteboard == name }) {
                ownPasteboards.append(.init(pasteboard: name, hidden: hidden))
            }
        case .removes(let name): ownPasteboards.removeAll { $0.pasteboard == name }
        case .declares(let types):
            // Declarations that were refused are refused again by the next bridge, which does no harm.
            for type in types { declarations[type.identifier] = type }
        case .none: break
        }
        job.pending.replies.complete(.success(job.replies))
    }

    /// Gives up a broken connection.
    ///
    /// A call that the bridge cannot have acted on, or that only reads, is repeated at the next bridge; see
    /// ``RepeatBudget``. The outcome of any other call is unknown.
    private func connectionBroke(_ pooled: PooledConnection, _ fault: ClientFault) {
        let isUndelivered = pooled.channel.isUndelivered
        let (jobs, refused) = pooled.takeJobs()
        drop(pooled)
        // A bridge that exited has closed the idle connections, too. But the bridge may have closed this connection
        // alone, and closing the primary connection would remove the program's own pasteboards.
        if fault == .closed { for other in pool where other.isIdle && other !== primary { drop(other) } }
        for var job in jobs.reversed() {
            let isRead = job.pending.options.isReadOnly
            let mayRepeat = fault == .closed && (isRead || isUndelivered)
            if mayRepeat, job.budget.take() {
                waiting.insert(job.repeated, at: 0)
            } else if isRead || mayRepeat {
                job.pending.replies.complete(.failure(PasteboardError(wire: fault)))
            } else {
                job.pending.replies.complete(.failure(PasteboardError.uncertain(after: fault)))
            }
        }
        for var job in refused.reversed() {
            if fault == .closed, job.budget.take(isRefused: true) {
                waiting.insert(job.repeated, at: 0)
            } else {
                job.pending.replies.complete(.success(job.replies))
            }
        }
    }

    private func drop(_ pooled: PooledConnection) {
        pooled.registration?.cancel()
        pool.removeAll { $0 === pooled }
        isFull = false
        if primary === pooled { primary = nil }
    }

    func fail(_ jobs: [PooledConnection.Job], _ error: PasteboardError) {
        for job in jobs { job.pending.replies.complete(.failure(error)) }
    }

    // MARK: Deadlines

    func deadlinePassed(_ pooled: PooledConnection) {
        guard pooled.jobs.first?.pending.options.isLong == true else { return connectionBroke(pooled, .timedOut) }
        pooled.suspendDeadline()
        let id = pooled.id
        let work = { @Sendable [commands, isAlive = pooled.connection.isAlive] in
            commands.send(.alive(connection: id, isAlive()))
        }
        if (try? WorkerThread.start(name: "xpb alive", work)) == nil { connectionBroke(pooled, .timedOut) }
    }

    func alive(_ id: Int, _ isAlive: Bool) {
        guard let pooled = pool.first(where: { $0.id == id }), pooled.deadline == nil, !pooled.isIdle else { return }
        if isAlive { pooled.noteProgress() } else { connectionBroke(pooled, .timedOut) }
    }
}

extension PasteboardError {
    /// Returns the error for a change that the bridge may have made but did not answer.
    static func uncertain(after fault: ClientFault) -> PasteboardError {
        PasteboardError(code: .uncertain, message: BridgeClientError.uncertain(after: fault).message)
    }
}
