import DataControlProtocol
import EventLoop

/// The waits for the compositor to handle all earlier requests.
///
/// One sync request is on its way at a time, and all waits added after it share the next request, so a compositor that
/// does not answer costs one `wl_callback`, or one call to mutter.
struct SyncQueue {
    private var current: (id: SyncID, waiting: [PendingValue<Bool>])?
    private var next: [PendingValue<Bool>] = []

    /// Adds a wait.
    mutating func add(_ value: PendingValue<Bool>) {
        // These waits have reached their timeout.
        next.removeAll(where: \.isDelivered)
        next.append(value)
    }

    /// True if a sync request is due.
    var isDue: Bool { current == nil && next.contains { !$0.isDelivered } }

    /// Records that the sync request was sent.
    mutating func sent(_ id: SyncID) {
        current = (id, next)
        next = []
    }

    /// Removes and returns the waits whose sync request has been answered.
    mutating func answered(_ id: SyncID) -> [PendingValue<Bool>] {
        guard let current, current.id == id else { return [] }
        self.current = nil
        return current.waiting
    }

    /// Removes and returns all waits.
    mutating func removeAll() -> [PendingValue<Bool>] {
        defer { self = SyncQueue() }
        return (current?.waiting ?? []) + next
    }
}
