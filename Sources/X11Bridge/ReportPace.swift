/// How often the service thread is woken up for changes that nobody waits for.
///
/// A hand that drags over a text changes the owner of PRIMARY hundreds of times in a second, and each change by itself
/// costs two threads' turns. Those that come close behind one another are told together, and read together.
package struct ReportPace {
    /// How far apart two turns are, at the least: a frame of a screen.
    package static let interval = Duration.milliseconds(16)
    /// How much later the last of a burst may be told: no change follows to be told with.
    package static let slack = Duration.milliseconds(5)

    /// From when on a change is told at once.
    package private(set) var next: ContinuousClock.Instant?
    /// When those that wait are told.
    package private(set) var deadline: ContinuousClock.Instant?

    package init(next: ContinuousClock.Instant? = nil, deadline: ContinuousClock.Instant? = nil) {
        self.next = next
        self.deadline = deadline
    }

    /// A change comes.
    ///
    /// - Returns: Whether it waits for others.
    package mutating func waits(at now: ContinuousClock.Instant) -> Bool {
        if let next, now < next {
            deadline = next + Self.slack
            return true
        }
        tell(at: now)
        return false
    }

    /// What waits is told.
    package mutating func tell(at now: ContinuousClock.Instant) {
        next = now + Self.interval
        deadline = nil
    }
}
