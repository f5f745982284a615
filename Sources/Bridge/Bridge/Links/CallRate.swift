/// A limit on calls per second, with room for a burst: a token bucket.
package struct CallRate {
    /// The number of calls that are allowed per second.
    package static let callsPerSecond = 1_000
    /// The number of calls that are allowed at once after a pause.
    package static let burst = 2_000

    private var tokens = Double(Self.burst)
    private var updated: ContinuousClock.Instant?

    package init() {}

    /// Counts a call.
    ///
    /// - Returns: false if there are too many calls.
    package mutating func take(at now: ContinuousClock.Instant) -> Bool {
        if let updated {
            let passed = max(now - updated, .zero) / .seconds(1)
            tokens = min(tokens + passed * Double(Self.callsPerSecond), Double(Self.burst))
        }
        updated = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
