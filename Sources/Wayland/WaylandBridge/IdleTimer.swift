package import EventLoop

/// A timer that fires after some time without progress.
package final class IdleTimer {
    private let timers: TimerQueue
    private let timeout: Duration
    private let onTimeout: () -> Void
    private var deadline: ContinuousClock.Instant
    private var timer: TimerQueue.Identifier?
    private var isStopped = false

    package init(_ timeout: Duration, on timers: TimerQueue, onTimeout: @escaping () -> Void) {
        self.timers = timers
        self.timeout = timeout
        self.onTimeout = onTimeout
        deadline = .now + timeout
        arm()
    }

    deinit { stop() }

    /// Postpones the deadline. Progress costs nothing else, since the timer is set again only when it fires.
    package func noteProgress() { deadline = .now + timeout }

    /// Makes the timer fire after this time, if the deadline is not earlier.
    func shorten(to time: Duration) {
        deadline = min(deadline, .now + time)
        cancel()
        arm()
    }

    package func stop() {
        isStopped = true
        cancel()
    }

    private func cancel() {
        if let timer { timers.cancel(timer) }
        timer = nil
    }

    private func arm() {
        timer = timers.set(deadline) { [weak self] in self?.fire() }
    }

    private func fire() {
        timer = nil
        if deadline <= .now { onTimeout() }
        // Progress was recorded before the timer fired, or by `onTimeout`.
        if !isStopped { arm() }
    }
}
