/// A lock under which one task at a time runs a section that may suspend, in the order of their requests.
package final class AsyncMutex {
    private var waiting = Backlog<PendingValue<Void>>()
    private var isLocked = false

    package init() {}

    /// Runs `body` after every earlier caller's has ended.
    package func withLock<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async throws(Failure)
        -> Value
    {
        await lock()
        defer { unlock() }
        return try await body()
    }

    private func lock() async {
        guard isLocked else {
            isLocked = true
            return
        }
        let turn = PendingValue<Void>()
        waiting.append(turn)
        await turn.get()
    }

    /// Hands the lock to the next in line, so that no newcomer gets it first.
    private func unlock() {
        guard let next = waiting.next() else {
            isLocked = false
            return
        }
        next.deliver(())
    }
}
