extension ContinuousClock.Instant? {
    /// The earlier of two times, where nil is none. Without an array to be made: loops ask for it before each sleep.
    package func orEarlier(_ other: Self) -> Self {
        guard let self else { return other }
        guard let other else { return self }
        return Swift.min(self, other)
    }
}
