/// The limit on the repetition of a call whose bridge ended before it had answered.
///
/// A call is repeated if that cannot do anything twice:
///
/// * It only reads (``readMethods``).
/// * The kernel reports that the bridge closed the connection without having read the whole call
///   (`ClientConnection.isUndelivered`). A bridge acts on a call once it has read all of it.
/// * The bridge has refused it because it is about to end (`BridgeError.endReason`).
///
/// Any other call may have been carried out although its answer is lost. It is not repeated: contents that another
/// program has copied since would be replaced.
package struct RepeatBudget: Sendable {
    /// The maximum number of attempts whose bridge died: it may have died of the call itself, and would otherwise be
    /// started until the deadline. A refusal is no such attempt.
    package static let maxAttempts = 8
    /// The time that the start of a bridge may take, however short the caller's timeout is.
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
