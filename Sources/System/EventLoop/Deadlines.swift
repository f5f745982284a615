extension ContinuousClock.Instant? {
    /// Returns the earlier of two times, where nil stands for no time. Loops call this before each sleep, so it
    /// allocates nothing.
    package func orEarlier(_ other: Self) -> Self {
        guard let self else { return other }
        guard let other else { return self }
        return Swift.min(self, other)
    }
}
