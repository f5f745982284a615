import CLinux
import Glibc
package import SystemPackage

/// The events requested from and reported by poll(2).
package struct PollEvents: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// The corresponding C constant is `POLLIN`.
    package static let input = PollEvents(rawValue: Int16(POLLIN))
    /// The corresponding C constant is `POLLOUT`.
    package static let output = PollEvents(rawValue: Int16(POLLOUT))
    /// Reported only. The corresponding C constant is `POLLERR`.
    package static let error = PollEvents(rawValue: Int16(POLLERR))
    /// Reported only. The corresponding C constant is `POLLHUP`.
    package static let hangup = PollEvents(rawValue: Int16(POLLHUP))
    /// Reported only: the descriptor is not open. The corresponding C constant is `POLLNVAL`.
    package static let invalid = PollEvents(rawValue: Int16(POLLNVAL))
}

/// The set of descriptors for a poll(2) call.
package struct PollSet {
    private var entries: [pollfd] = []

    package init() {}

    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    package mutating func append(_ fileDescriptor: FileDescriptor, _ events: PollEvents) {
        entries.append(pollfd(fd: fileDescriptor.rawValue, events: events.rawValue, revents: 0))
    }

    /// Returns the events that the last ``wait(until:)`` reported for the descriptor appended as the `index`th.
    package func result(at index: Int) -> PollEvents {
        PollEvents(rawValue: entries[index].revents)
    }

    /// Waits until a descriptor is ready or the deadline has passed; without a deadline it waits forever.
    ///
    /// - Returns: The number of ready descriptors; 0 if the deadline has passed.
    package mutating func wait(until deadline: ContinuousClock.Instant?) throws(Errno) -> Int {
        while true {
            let timeout = deadline.map { Self.milliseconds(from: .now, to: $0) } ?? -1
            let ready = unsafe poll(&entries, nfds_t(entries.count), timeout)
            if ready > 0 { return Int(ready) }
            if ready < 0, errno != EINTR { throw Errno(rawValue: errno) }
            // Either a signal interrupted the call, or the timeout was too long for one call and has not passed yet.
            if let deadline, deadline <= .now { return 0 }
        }
    }

    /// Returns the time left, rounded up. Rounded down, the last millisecond before a deadline would be a busy loop.
    package static func milliseconds(from now: ContinuousClock.Instant, to deadline: ContinuousClock.Instant) -> Int32 {
        let left = now.duration(to: deadline)
        if left <= .zero { return 0 }
        let (seconds, attoseconds) = left.components
        let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : Int32(clamping: whole + part)
    }
}

/// Waits until there is data to read, the end of the file, or an error.
///
/// - Returns: false if the deadline has passed; without a deadline it waits forever.
package func waitReadable(
    _ fileDescriptor: FileDescriptor, until deadline: ContinuousClock.Instant?
) throws(Errno) -> Bool {
    try wait(for: .input, on: fileDescriptor, until: deadline)
}

/// Waits until there is room to write, or an error.
///
/// - Returns: false if the deadline has passed; without a deadline it waits forever.
package func waitWritable(
    _ fileDescriptor: FileDescriptor, until deadline: ContinuousClock.Instant?
) throws(Errno) -> Bool {
    try wait(for: .output, on: fileDescriptor, until: deadline)
}

private func wait(
    for events: PollEvents, on fileDescriptor: FileDescriptor, until deadline: ContinuousClock.Instant?
) throws(Errno) -> Bool {
    var set = PollSet()
    set.append(fileDescriptor, events)
    let isReady = try set.wait(until: deadline) > 0
    if set.result(at: 0).contains(.invalid) { throw .badFileDescriptor }
    return isReady
}

/// An eventfd(2) that wakes a loop from another thread: readable from ``signal()`` until ``drain()``.
package final class EventDescriptor: Sendable {
    private let descriptor: Descriptor

    package init() throws(Errno) {
        let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try systemCall { eventfd(0, flags) }))
    }

    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    package func signal() {
        // This fails only if 2^64 - 2 signals are pending, and then the descriptor is readable anyway.
        _ = eventfd_write(fileDescriptor.rawValue, 1)
    }

    /// Discards all signals sent so far. Does not block.
    package func drain() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(fileDescriptor.rawValue, &count)
    }
}

/// A timer that keeps running while the machine is suspended: a timerfd(2) on CLOCK_BOOTTIME, the clock of
/// `ContinuousClock`. The timeout of poll(2), in contrast, stands still during a suspend.
package final class SuspendTimer: Sendable {
    private let descriptor: Descriptor

    package init() throws(Errno) {
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { timerfd_create(CLOCK_BOOTTIME, flags) }))
    }

    /// A descriptor that is readable from the time set until ``drain()``.
    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// Sets the time at which the timer fires, replacing the previous one; nil stops the timer.
    package func set(_ instant: ContinuousClock.Instant?) {
        var time = itimerspec()
        if let instant {
            // A value of zero would stop the timer.
            let (seconds, attoseconds) = max(instant - .now, .nanoseconds(1)).components
            time.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            if seconds == 0, time.it_value.tv_nsec == 0 { time.it_value.tv_nsec = 1 }
        }
        // This fails only for an invalid descriptor or an invalid time.
        _ = unsafe timerfd_settime(fileDescriptor.rawValue, 0, &time, nil)
    }

    /// Makes the descriptor unreadable until the timer fires again.
    package func drain() {
        _ = try? fileDescriptor.readBytes(atMost: 8)
    }
}
