import DataControlProtocol
import EventLoop

/// The tasks that wait until the compositor has handled all earlier requests.
///
/// One question is on its way at a time, and all tasks added after it share the next one, so a compositor that does not
/// answer costs one object.
struct SyncQueue {
    private var current: (id: SyncID, waiting: [PendingValue<Bool>])?
    private var next: [PendingValue<Bool>] = []

    /// Adds a task.
    mutating func add(_ value: PendingValue<Bool>) {
        // These tasks have reached their timeout.
        next.removeAll(where: \.isDelivered)
        next.append(value)
    }

    /// True if a question is due.
    var isDue: Bool { current == nil && next.contains { !$0.isDelivered } }

    /// Records that the question was sent.
    mutating func sent(_ id: SyncID) {
        current = (id, next)
        next = []
    }

    /// Removes and returns the tasks whose question is answered.
    mutating func answered(_ id: SyncID) -> [PendingValue<Bool>] {
        guard let current, current.id == id else { return [] }
        self.current = nil
        return current.waiting
    }

    /// Removes and returns all tasks.
    mutating func removeAll() -> [PendingValue<Bool>] {
        defer { self = SyncQueue() }
        return (current?.waiting ?? []) + next
    }
}

extension PendingValue<Bool> {
    /// Returns the answer; false after the timeout, or if the task is cancelled.
    func answer(within timeout: Duration, on timers: TimerQueue) async -> Bool {
        let timer = timers.set(.now + timeout) { self.deliver(false) }
        defer { timers.cancel(timer) }
        return await get { self.deliver(false) }
    }
}
