import Pasteboard

/// An observation of a pasteboard that starts with its present state and restarts after a failure.
final class StateObservation {
    /// The pauses before each retry of an observation or a query; after the last pause there are no further retries.
    static let pauses = [1, 2, 4, 8, 16, 32, 64].map { Duration.seconds($0) }

    private let events: PasteboardEvents
    private let pasteboard: Pasteboard
    private let change: (Pasteboard.Change) -> Void
    private var registration: PasteboardEvents.Registration?
    private var failures = 0

    init(_ events: PasteboardEvents, _ pasteboard: Pasteboard, change: @escaping (Pasteboard.Change) -> Void) {
        self.events = events
        self.pasteboard = pasteboard
        self.change = change
        begin()
    }

    deinit { registration?.cancel() }

    /// Starts over if the observation has failed too often.
    func resume() {
        guard failures > Self.pauses.count else { return }
        failures = 0
        begin()
    }

    private func begin() {
        // Counts begin with 0, so the present state is reported first.
        registration = events.observe(pasteboard, since: -1) { [weak self] _ in
            self?.failed()
        } change: { [weak self] change in
            self?.failures = 0
            self?.change(change)
        }
    }

    private func failed() {
        failures += 1
        guard failures <= Self.pauses.count else { return }
        registration = events.pause(Self.pauses[failures - 1]) { [weak self] in self?.begin() }
    }
}

extension PasteboardEvents {
    /// Runs a closure after some time.
    func pause(_ time: Duration, _ body: @escaping () -> Void) -> Registration {
        perform({ try await PasteboardEvents.sleep(for: time) }, completion: { _ in body() })
    }
}
