/// A value that one task waits for and other code delivers, on the same thread.
package final class PendingValue<Value> {
    private var value: Value?
    private var waiting: CheckedContinuation<Void, Never>?

    package init() {}

    package var isDelivered: Bool { value != nil }

    /// Delivers the value. The first delivery counts; later deliveries have no effect.
    package func deliver(_ value: Value) {
        guard self.value == nil else { return }
        self.value = value
        waiting?.resume()
        waiting = nil
    }

    /// Returns the value, after it was delivered.
    ///
    /// - Parameter onCancel: Called if the waiting task is canceled first. It must cause the delivery of a value,
    ///   because the canceled task still waits for a value.
    package func get(onCancel: @escaping () -> Void = {}) async -> Value {
        if let value { return value }
        // A task of this thread is canceled on this thread, so the closure stays on the thread where it was made.
        nonisolated(unsafe) let onCancel = onCancel
        await withTaskCancellationHandler {
            if value == nil { await withCheckedContinuation { waiting = $0 } }
        } onCancel: {
            unsafe onCancel()
        }
        guard let value else { preconditionFailure("the task was resumed without a value") }
        return value
    }
}

extension PendingValue<Bool> {
    /// Returns the value; delivers false after the timeout, or if the task is canceled.
    package func get(within timeout: Duration, on timers: TimerQueue) async -> Bool {
        let timer = timers.set(.now + timeout) { self.deliver(false) }
        defer { timers.cancel(timer) }
        return await get { self.deliver(false) }
    }
}
