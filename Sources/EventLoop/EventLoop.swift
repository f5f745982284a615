import LinuxSystem
package import SystemPackage

/// One poll(2) loop over descriptors and deadlines. It lives on one thread, and sleeps until there is something to
/// do: no tick.
///
/// Every round is: ``beforeSleep``, ``earliestDeadline``, poll(2), the handlers of what is ready,
/// ``deadlinesPassed``.
package final class EventLoop {
    /// Called before every poll: the one place where buffered input is drained and output flushed, as a
    /// descriptor tells nothing about what is buffered in the process.
    package var beforeSleep: () -> Void = {}
    /// Asked right before sleeping: deadlines are data of those who have them, the loop keeps none.
    package var earliestDeadline: () -> ContinuousClock.Instant? = { nil }
    /// Called after the handlers with the present time, when the earliest deadline has passed.
    package var deadlinesPassed: (ContinuousClock.Instant) -> Void = { _ in }

    private var registrations: [Registration] = []
    private var pollSet = PollSet()
    private var isPollSetCurrent = true
    private var isStopping = false

    package init() {}

    /// Has `handler` called whenever the descriptor is ready, until the registration is cancelled: the loop holds
    /// the registration, and the registration does not own the descriptor, which must stay open for as long.
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

    /// Runs until ``stop()``.
    ///
    /// - Throws: `noMemory`; nothing else can go wrong with poll(2).
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

    /// Has ``run()`` return after this round, or at once if it is called outside of a round.
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
            // A handler of this round may have cancelled it, and closed the descriptor; what it means to whoever
            // has that number now is for the next round to find out.
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
