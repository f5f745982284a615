/// The limit on repeating a call whose bridge ended before it answered.
///
/// A call is repeated if it cannot take effect twice:
///
/// * The call only reads (``readMethods``).
/// * The kernel reports that the bridge closed the connection without having read the whole call
///   (`ClientConnection.isUndelivered`). A bridge acts on a call once it has read all of it.
/// * The bridge has refused the call because it is about to end (`BridgeError.endReason`).
///
/// Any other call may have been carried out although its answer is lost. It is not repeated: contents that another
/// program has copied since would be replaced.
package struct RepeatBudget: Sendable {
    /// The maximum number of attempts that end with the death of a bridge: the call itself may be the cause, and would
    /// otherwise start bridges until the deadline. A refusal does not count.
    package static let maxAttempts = 8
    /// The minimum time allowed for the start of a bridge, even if the caller's timeout is shorter.
    package static let minTimeout = Duration.seconds(5)

    package let deadline: ContinuousClock.Instant
    private var attempts = 1

    /// - Parameter timeout: The timeout of the call.
    package init(timeout: Duration) {
        deadline = .now + max(timeout, Self.minTimeout)
    }

    /// Returns true if the call may be made once more, and counts the attempt.
    ///
    /// - Parameter isRefused: True if the bridge refused the call because it is about to end.
    package mutating func take(isRefused: Bool = false) -> Bool {
        guard .now < deadline, isRefused || attempts < Self.maxAttempts else { return false }
        if !isRefused { attempts += 1 }
        return true
    }
}
