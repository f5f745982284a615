/// A lock for sections that may suspend: one task at a time runs its section, in the order of the requests.
package final class AsyncMutex {
    private var waiting = Backlog<PendingValue<Bool>>()
    /// True while a section runs.
    package private(set) var isLocked = false

    package init() {}

    /// Runs `body` after the bodies of all earlier callers have ended.
    package func withLock<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async throws(Failure)
        -> Value
    {
        _ = await lock()
        defer { unlock() }
        return try await body()
    }

    /// Runs `body` after the bodies of all earlier callers have ended.
    ///
    /// - Throws: `failure` if an earlier caller's body has not ended by the deadline; `body` is then not run.
    package func withLock<Value, Failure: Error>(
        until deadline: ContinuousClock.Instant, _ timers: TimerQueue, orThrow failure: Failure,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard await lock(until: deadline, timers) else { throw failure }
        defer { unlock() }
        return try await body()
    }

    /// Returns false if the deadline has passed first.
    private func lock(until deadline: ContinuousClock.Instant? = nil, _ timers: TimerQueue? = nil) async -> Bool {
        guard isLocked else {
            isLocked = true
            return true
        }
        let turn = PendingValue<Bool>()
        waiting.append(turn)
        let timer = deadline.flatMap { timers?.set($0) { turn.deliver(false) } }
        defer { if let timer { timers?.cancel(timer) } }
        return await turn.get()
    }

    /// Hands the lock to the next task that still waits, so that no newcomer gets it first.
    private func unlock() {
        while let next = waiting.next() {
            if next.isDelivered { continue }
            return next.deliver(true)
        }
        isLocked = false
    }
}
