import X11Bridge

/// Tells once when there has been nothing to do for a while, and sleeps until there was something again: a bridge at
/// rest does not wake.
struct IdleDetector {
    /// So long nothing was done, at least.
    static let pause = Duration.seconds(5)

    /// When it is to be looked whether that was long enough; nil at rest.
    private(set) var deadline: ContinuousClock.Instant?
    private var lastWork = ContinuousClock.now
    /// The round that looks is no work.
    private var isLooking = false

    /// Something was done.
    mutating func worked(_ now: ContinuousClock.Instant) {
        if isLooking { return isLooking = false }
        lastWork = now
        if deadline == nil { deadline = now + Self.pause }
    }

    /// - Returns: Whether rest has begun.
    mutating func begins(_ now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        isLooking = true
        let isOver = lastWork + Self.pause <= now
        self.deadline = isOver ? nil : lastWork + Self.pause
        return isOver
    }
}
