package enum CallTimeout {
    /// The timeout of a call that names no timeout.
    package static let `default` = Duration.seconds(5)
    /// The maximum timeout that a call may ask for.
    package static let max = Duration.seconds(24 * 60 * 60)

    package static func of(_ milliseconds: Int?) -> Duration {
        guard let milliseconds else { return `default` }
        return min(Swift.max(.milliseconds(Swift.max(milliseconds, 0)), .milliseconds(1)), max)
    }
}
