import CLinux
import Glibc
package import SystemPackage

/// What poll(2) is asked about and answers.
package struct PollEvents: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// The corresponding C constant is `POLLIN`.
    package static let input = PollEvents(rawValue: Int16(POLLIN))
    /// The corresponding C constant is `POLLOUT`.
    package static let output = PollEvents(rawValue: Int16(POLLOUT))
    /// Only answered. The corresponding C constant is `POLLERR`.
    package static let error = PollEvents(rawValue: Int16(POLLERR))
    /// Only answered. The corresponding C constant is `POLLHUP`.
    package static let hangup = PollEvents(rawValue: Int16(POLLHUP))
    /// Only answered: the descriptor is not open. The corresponding C constant is `POLLNVAL`.
    package static let invalid = PollEvents(rawValue: Int16(POLLNVAL))
}

/// The descriptors of one poll(2).
package struct PollSet {
    private var entries: [pollfd] = []

    package init() {}

    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    package mutating func append(_ fileDescriptor: FileDescriptor, _ events: PollEvents) {
        entries.append(pollfd(fd: fileDescriptor.rawValue, events: events.rawValue, revents: 0))
    }

    /// What the last ``wait(until:)`` found for the descriptor appended as the `index`th.
    package func result(at index: Int) -> PollEvents {
        PollEvents(rawValue: entries[index].revents)
    }

    /// Waits until a descriptor is ready or the time has come; for ever if there is none.
    ///
    /// - Returns: How many descriptors are ready; 0 when the time has come.
    package mutating func wait(until deadline: ContinuousClock.Instant?) throws(Errno) -> Int {
        while true {
            let timeout = deadline.map { Self.milliseconds(from: .now, to: $0) } ?? -1
            let ready = unsafe poll(&entries, nfds_t(entries.count), timeout)
            if ready > 0 { return Int(ready) }
            if ready < 0, errno != EINTR { throw Errno(rawValue: errno) }
            // Interrupted, or a timeout too long for one call: what is left is asked of the clock.
            if let deadline, deadline <= .now { return 0 }
        }
    }

    /// Rounded up: rounded down, the last millisecond before a deadline would be one of polling without a pause.
    package static func milliseconds(
        from now: ContinuousClock.Instant, to deadline: ContinuousClock.Instant
    ) -> Int32 {
        let left = now.duration(to: deadline)
        if left <= .zero { return 0 }
        let (seconds, attoseconds) = left.components
        let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : Int32(clamping: whole + part)
    }
}

/// Waits until there is something to read, or the end of it, or an error.
///
/// - Returns: false if there is nothing at `deadline`; without one it waits for ever.
package func waitReadable(
    _ fileDescriptor: FileDescriptor, until deadline: ContinuousClock.Instant?
) throws(Errno) -> Bool {
    try wait(for: .input, on: fileDescriptor, until: deadline)
}

/// Waits until there is room to write, or an error.
///
/// - Returns: false if there is none at `deadline`; without one it waits for ever.
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

/// Wakes up a loop from another thread: an eventfd(2), readable from ``signal()`` until ``drain()``.
package final class EventDescriptor: Sendable {
    private let descriptor: Descriptor

    package init() throws(Errno) {
        let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try systemCall { eventfd(0, flags) }))
    }

    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    package func signal() {
        // It fails only when 2^64 - 2 signals are outstanding, and then it is readable anyway.
        _ = eventfd_write(fileDescriptor.rawValue, 1)
    }

    /// Takes all signals so far. Does not wait.
    package func drain() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(fileDescriptor.rawValue, &count)
    }
}

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
