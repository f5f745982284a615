import LinuxSystem
package import SystemPackage

/// A poll(2) loop over descriptors and deadlines. It lives on one thread, and sleeps until there is something to do,
/// without a periodic tick.
///
/// Every round runs, in order: ``beforeSleep``, ``earliestDeadline``, poll(2), the handlers of ready descriptors,
/// ``deadlinesPassed``.
package final class EventLoop {
    /// The closure called before every poll, to drain buffered input and flush output, since a descriptor's readiness
    /// does not reflect bytes that are buffered in the process.
    package var beforeSleep: () -> Void = {}
    /// The closure that returns the deadline of the next sleep. Deadlines are stored by their owners, not by the loop.
    package var earliestDeadline: () -> ContinuousClock.Instant? = { nil }
    /// The closure called after the handlers, with the current time, when the earliest deadline has passed.
    package var deadlinesPassed: (ContinuousClock.Instant) -> Void = { _ in }

    private var registrations: [Registration] = []
    private var pollSet = PollSet()
    private var isPollSetCurrent = true
    private var isStopping = false

    package init() {}

    /// Calls `handler` whenever the descriptor is ready, until the registration is canceled. The loop holds the
    /// registration. The caller owns the descriptor, which must stay open until the registration is canceled.
    package func add(
        _ fileDescriptor: FileDescriptor, interest: Interest, handler: @escaping (Readiness) -> Void
    ) -> Registration {
        let registration = Registration(fileDescriptor, interest, handler) { [weak self] in
            self?.isPollSetCurrent = false
        }
        registrations.append(registration)
        isPollSetCurrent = false
        return registration
    }

    /// Runs until ``stop()``. Throws `noMemory`, the only error of poll(2) that can occur.
    package func run() throws(Errno) {
        defer { isStopping = false }
        while !isStopping {
            beforeSleep()
            if isStopping { return }
            let deadline = earliestDeadline()
            updatePollSet()
            let polled = registrations
            if try pollSet.wait(until: deadline) > 0 { dispatch(to: polled) }
            if let deadline, !isStopping {
                let now = ContinuousClock.now
                if now >= deadline { deadlinesPassed(now) }
            }
        }
    }

    /// Makes ``run()`` return after this round, or at once if this is called outside a round.
    package func stop() {
        isStopping = true
    }

    private func updatePollSet() {
        if isPollSetCurrent { return }
        registrations.removeAll(where: \.isCancelled)
        pollSet.removeAll()
        for registration in registrations {
            pollSet.append(registration.fileDescriptor, registration.interest.pollEvents)
        }
        isPollSetCurrent = true
    }

    private func dispatch(to polled: [Registration]) {
        for (index, registration) in polled.enumerated() {
            let events = pollSet.result(at: index)
            // A handler of this round may have canceled the registration and closed the descriptor. Events of a new
            // descriptor with that number are for the next round.
            if events.isEmpty || registration.isCancelled { continue }
            if events.contains(.invalid) {
                registration.cancel()
                continue
            }
            let readiness = Readiness(events).wanted(by: registration.interest)
            if !readiness.isEmpty { registration.handler(readiness) }
        }
    }
}
