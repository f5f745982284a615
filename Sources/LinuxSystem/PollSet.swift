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
