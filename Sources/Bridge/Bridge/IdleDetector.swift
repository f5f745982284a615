/// A detector that reports once when there has been no work for a while. The detector then has no deadline until there
/// is work again, so that an idle bridge does not wake up.
package struct IdleDetector {
    /// The time without work after which the bridge is idle.
    static let threshold = Duration.seconds(5)

    /// The time of the next check; nil while idle.
    package private(set) var deadline: ContinuousClock.Instant?
    private var lastWork = ContinuousClock.now
    /// True during a round of the loop that only checks, which is not work.
    private var isChecking = false

    package init() {}

    /// Records a round of the loop.
    package mutating func noteWork(at now: ContinuousClock.Instant) {
        if isChecking { return isChecking = false }
        lastWork = now
        if deadline == nil { deadline = now + Self.threshold }
    }

    package mutating func becomesIdle(at now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        isChecking = true
        let isIdle = lastWork + Self.threshold <= now
        self.deadline = isIdle ? nil : lastWork + Self.threshold
        return isIdle
    }
}
