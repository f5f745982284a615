/// What is to be done at a time of its own.
struct TimerQueue {
    struct Number: Hashable {
        fileprivate let value: Int
    }

    private var entries: [Number: (deadline: ContinuousClock.Instant, body: () -> Void)] = [:]
    private var count = 0

    /// Has `body` called once the time has come, unless it is cancelled before.
    mutating func set(_ deadline: ContinuousClock.Instant, _ body: @escaping () -> Void) -> Number {
        count += 1
        let number = Number(value: count)
        entries[number] = (deadline, body)
        return number
    }

    /// - Returns: Whether it was still to come.
    @discardableResult mutating func cancel(_ number: Number) -> Bool {
        entries.removeValue(forKey: number) != nil
    }

    /// When ``take(now:)`` has something to give.
    var earliest: ContinuousClock.Instant? { entries.values.lazy.map(\.deadline).min() }

    /// What is due, the earliest first; it is cancelled thereby.
    mutating func take(now: ContinuousClock.Instant) -> [() -> Void] {
        let due = entries.filter { $0.value.deadline <= now }.sorted { $0.value.deadline < $1.value.deadline }
        for entry in due { entries[entry.key] = nil }
        return due.map(\.value.body)
    }
}
