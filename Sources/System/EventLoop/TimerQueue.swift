/// A queue of closures, each to be called at its own time, on the thread of an event loop.
package final class TimerQueue {
    package struct Identifier: Hashable {
        fileprivate let number: Int
    }

    private var entries: [Identifier: (deadline: ContinuousClock.Instant, body: () -> Void)] = [:]
    private var count = 0

    package init() {}

    /// Sets a timer that calls `body` at `deadline`, unless it is canceled first.
    package func set(_ deadline: ContinuousClock.Instant, _ body: @escaping () -> Void) -> Identifier {
        count += 1
        let identifier = Identifier(number: count)
        entries[identifier] = (deadline, body)
        return identifier
    }

    /// Cancels a timer. Returns false if it was already due or canceled.
    @discardableResult
    package func cancel(_ identifier: Identifier) -> Bool {
        entries.removeValue(forKey: identifier) != nil
    }

    /// The deadline of the next timer; nil if none is set.
    package var earliest: ContinuousClock.Instant? { entries.values.lazy.map(\.deadline).min() }

    /// Removes the timers that are due at `now`, and returns their closures, earliest first.
    package func takeDue(at now: ContinuousClock.Instant) -> [() -> Void] {
        let due = entries.filter { $0.value.deadline <= now }.sorted { $0.value.deadline < $1.value.deadline }
        for entry in due { entries[entry.key] = nil }
        return due.map(\.value.body)
    }
}
