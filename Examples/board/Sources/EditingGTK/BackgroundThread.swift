import CGtk

/// A thread for work that takes longer than a frame and uses nothing of the display, such as decoding pictures. It does
/// one task at a time, so that only one task needs memory.
@safe
public final class BackgroundThread {
    private let pool: UnsafeMutablePointer<GThreadPool>

    typealias Work = @Sendable () -> Void

    /// Starts the thread; nil if the system cannot start another thread.
    public init?() {
        let call: GFunc = { work, _ in
            unsafe ClosureBox<Work>.body(work)?()
            unsafe ClosureBox<Work>.release(work)
        }
        guard let pool = unsafe g_thread_pool_new(call, nil, 1, 1, nil) else { return nil }
        unsafe self.pool = pool
    }

    deinit { unsafe g_thread_pool_free(pool, 0, 0) }

    /// Does work on the thread, and calls a closure with its result on the main loop.
    public func perform<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value) -> Void
    ) {
        // Only the main loop calls the completion.
        nonisolated(unsafe) let completion = completion
        let item: Work = {
            let value = work()
            MainLoop.whenIdle { unsafe completion(value) }
        }
        unsafe _ = g_thread_pool_push(pool, ClosureBox<Work>.retain(item), nil)
    }
}
