extension ContinuousClock.Instant? {
    /// Returns the earlier of two times, of which nil is none. It makes no array: loops call this before each sleep.
    package func orEarlier(_ other: Self) -> Self {
        guard let self else { return other }
        guard let other else { return self }
        return Swift.min(self, other)
    }
}
