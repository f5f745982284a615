import X11Bridge

/// How many lines a log takes: whoever can have the bridge write one can have it write millions, and the log of a
/// bridge that was started on demand is in memory.
package struct LogBudget: Sendable {
    /// So many lines at once.
    private let burst: Int
    /// And so many in a second from then on.
    private let rate: Int
    private var left: Int
    private var counted: ContinuousClock.Instant?
    /// How many lines were left out since the last one that was written.
    private var leftOut = 0

    package init(burst: Int = 200, rate: Int = 10) {
        self.burst = burst
        self.rate = rate
        left = burst
    }

    /// Whether a line is to be written; nil if not. Else how many were left out before it.
    package mutating func admit(now: ContinuousClock.Instant) -> Int? {
        let since = counted ?? now
        let earned = Int((now - since) / .seconds(1) * Double(rate))
        if counted == nil || earned > 0 {
            counted = now
            left = min(burst, left + earned)
        }
        guard left > 0 else {
            leftOut += 1
            return nil
        }
        left -= 1
        defer { leftOut = 0 }
        return leftOut
    }
}
