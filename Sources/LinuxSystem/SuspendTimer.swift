import CLinux
import Glibc
package import SystemPackage

/// A timer that goes on while the machine is suspended: a timerfd(2) on CLOCK_BOOTTIME, which is the clock of
/// `ContinuousClock`. The time that poll(2) waits stands still then.
package final class SuspendTimer: Sendable {
    private let descriptor: Descriptor

    package init() throws(Errno) {
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { timerfd_create(CLOCK_BOOTTIME, flags) }))
    }

    /// Readable from the time set until ``drain()``.
    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// Sets the time, in place of the one before; nil for none.
    package func set(_ instant: ContinuousClock.Instant?) {
        var time = itimerspec()
        if let instant {
            // A time of nothing would stop the timer.
            let (seconds, attoseconds) = max(instant - .now, .nanoseconds(1)).components
            time.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            if seconds == 0, time.it_value.tv_nsec == 0 { time.it_value.tv_nsec = 1 }
        }
        // It fails for a descriptor that is none, and for times that are none.
        _ = unsafe timerfd_settime(fileDescriptor.rawValue, 0, &time, nil)
    }

    /// Makes it unreadable until it fires again.
    package func drain() {
        _ = try? fileDescriptor.readBytes(atMost: 8)
    }
}
