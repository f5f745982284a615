import Synchronization

/// A result that is set once, and that threads and tasks can wait for.
package final class Completion<Value: Sendable>: Sendable {
    private enum Waiter {
        case thread(BlockedThread)
        case task(CheckedContinuation<Void, Never>)

        func wake() {
            switch self {
            case .thread(let thread): thread.wake()
            case .task(let continuation): continuation.resume()
            }
        }
    }

    private struct State {
        var result: Result<Value, any Error>?
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
        /// The waiters that were cancelled before they started to wait.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// True once there is a result, so that no more work is needed.
    package var isDone: Bool { state.withLock { $0.result != nil } }

    /// Sets the result, unless it is already set.
    package func complete(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.wake() }
    }

    /// Blocks the thread until there is a result. The thread's services run meanwhile: see ``ThreadService``.
    package func wait() throws -> Value {
        let thread = BlockedThread()
        let result = state.withLock { state in
            if state.result == nil {
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = .thread(thread)
            }
            return state.result
        }
        if let result { return try result.get() }
        thread.wait { isDone }
        return try present().get()
    }

    /// Waits for the result.
    ///
    /// - Parameter isAbandoned: True if there is no other waiter; cancelling the task then completes the result.
    /// - Throws: `CancellationError` if the task is cancelled before there is a result.
    package func value(isAbandoned: Bool = true) async throws -> Value {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.result != nil || state.cancelled.remove(waiter) != nil { return true }
                    state.waiters[waiter] = .task(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            if isAbandoned { complete(.failure(CancellationError())) }
            let waiting = state.withLock { state -> Waiter? in
                if let waiting = state.waiters.removeValue(forKey: waiter) { return waiting }
                if state.result == nil { state.cancelled.insert(waiter) }
                return nil
            }
            waiting?.wake()
        }
        let result = state.withLock { $0.result } ?? .failure(CancellationError())
        return try result.get()
    }

    private func present() -> Result<Value, any Error> {
        state.withLock { $0.result } ?? .failure(CancellationError())
    }
}
