import LinuxSystem

enum CallTimeout {
    /// The timeout of a call that names none.
    static let `default` = Duration.seconds(5)
    /// The maximum that a call may ask for.
    static let max = Duration.seconds(24 * 60 * 60)

    static func of(_ milliseconds: Int?) -> Duration {
        guard let milliseconds else { return `default` }
        return min(Swift.max(.milliseconds(Swift.max(milliseconds, 0)), .milliseconds(1)), max)
    }
}

/// A reply to a call, with the descriptors that go with it.
struct Answer<Reply> {
    var reply: Reply
    var descriptors: [Descriptor] = []
}
