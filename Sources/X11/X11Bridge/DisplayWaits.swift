import EventLoop
import LinuxSystem
import SelectionProtocol

/// The tasks of the service thread that wait for the X thread, each until its outcome or its timeout.
struct DisplayWaits {
    /// The outcome of a wait.
    enum Outcome {
        case claim(ClaimOutcome)
        case answer(any Sendable)
        case attached(Result<Void, AttachFailure>)
        case converted(Result<Converted, Conversion.Failure>)
        case timedOut
        case noDisplay

        var claim: ClaimOutcome {
            switch self {
            case .claim(let outcome): outcome
            case .noDisplay: .noDisplay
            case .timedOut, .answer, .attached, .converted: .timedOut
            }
        }
    }

    struct Wait {
        let outcome = PendingValue<Outcome>()
        /// True for a conversion, which continues in the X thread until it is canceled.
        let isConversion: Bool
        /// The closure that is called with a conversion's stream when the stream begins, and after each part.
        fileprivate let onStream: ((SpooledSocket) -> Void)?
        fileprivate var stream: SpooledSocket?
        /// The timeout, which progress restarts.
        fileprivate let timeout: Duration
        fileprivate(set) var deadline: ContinuousClock.Instant
    }

    private var waits: [Ticket: Wait] = [:]
    private var lastNumber = 0

    /// The tickets of all waits.
    var tickets: [Ticket] { Array(waits.keys) }
    /// The time of the first timeout; nil if nothing waits.
    var deadline: ContinuousClock.Instant? { waits.values.lazy.map(\.deadline).min() }

    /// Begins a wait with a new ticket.
    mutating func begin(
        timeout: Duration, isConversion: Bool, onStream: ((SpooledSocket) -> Void)? = nil,
        now: ContinuousClock.Instant
    ) -> (ticket: Ticket, outcome: PendingValue<Outcome>) {
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        let wait = Wait(
            isConversion: isConversion, onStream: onStream, timeout: timeout, deadline: now + timeout)
        waits[ticket] = wait
        return (ticket, wait.outcome)
    }

    /// Begins the stream of a conversion, if a task still waits for it.
    mutating func begin(_ stream: SpooledSocket, of ticket: Ticket) { waits[ticket]?.stream = stream }

    /// Returns a closure that reports a part of a conversion in its stream; nil if there is no stream. The closure is
    /// not called here, since the task that it resumes may end its wait at once.
    func report(ofPart ticket: Ticket) -> (() -> Void)? {
        guard let wait = waits[ticket], let stream = wait.stream, let onStream = wait.onStream else { return nil }
        return { onStream(stream) }
    }

    func contains(_ ticket: Ticket) -> Bool { waits[ticket] != nil }

    /// Returns true if the wait has not ended and has timed out.
    func isExpired(_ ticket: Ticket, now: ContinuousClock.Instant) -> Bool {
        waits[ticket].map { $0.deadline <= now } ?? false
    }

    /// Returns the tickets of the waits that have timed out.
    func expired(now: ContinuousClock.Instant) -> [Ticket] { waits.filter { $0.value.deadline <= now }.map(\.key) }

    mutating func restartTimeout(of ticket: Ticket, now: ContinuousClock.Instant) {
        guard let timeout = waits[ticket]?.timeout else { return }
        waits[ticket]?.deadline = now + timeout
    }

    /// Ends a wait, whose outcome the caller delivers. Returns nil if the wait has ended already.
    mutating func end(_ ticket: Ticket) -> Wait? { waits.removeValue(forKey: ticket) }
}
