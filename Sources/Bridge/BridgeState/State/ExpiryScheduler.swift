package import EventLoop
package import LinuxSystem
package import SelectionProtocol

/// The timers of contents with an expiry, which also run while the machine is suspended.
package final class ExpiryScheduler {
    package typealias Expiry = (time: ContinuousClock.Instant, timer: TimerQueue.Identifier)

    private let timers: TimerQueue
    /// The expiries of contents, by their pasteboards.
    package private(set) var expiries: [ObjectIdentifier: Expiry] = [:]
    /// The timer that wakes the loop after a suspend: poll(2) does not count the time of a suspend.
    package var suspendTimer: SuspendTimer?
    /// Called when the contents of a pasteboard expire.
    package var onExpiry: (OfferID, PasteboardState) -> Void = { _, _ in }

    package init(timers: TimerQueue) {
        self.timers = timers
    }

    /// Schedules the expiry of the present contents, and cancels that of the previous contents.
    package func versionChanged(on pasteboard: PasteboardState) {
        let key = ObjectIdentifier(pasteboard)
        let former = expiries.removeValue(forKey: key)
        if let former { timers.cancel(former.timer) }
        if let version = pasteboard.version, let expiry = version.expiry {
            let timer = timers.set(expiry) { [unowned self] in
                expiries[key] = nil
                updateSuspendTimer()
                onExpiry(version.id, pasteboard)
            }
            expiries[key] = (expiry, timer)
        }
        if former != nil || expiries[key] != nil { updateSuspendTimer() }
    }

    private func updateSuspendTimer() {
        suspendTimer?.set(expiries.values.lazy.map(\.time).min())
    }
}
