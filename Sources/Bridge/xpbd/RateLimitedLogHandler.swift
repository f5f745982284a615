import Logging
import Synchronization

/// A log handler that passes lines on within a ``LogBudget``, and reports how many lines it left out. Errors are always
/// passed on.
struct RateLimitedLogHandler: LogHandler {
    private final class Shared: Sendable {
        let budget = Mutex(LogBudget())
    }

    private var base: any LogHandler
    private let shared = Shared()

    init(_ base: any LogHandler) { self.base = base }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        let omitted = shared.budget.withLock { $0.admitLine(at: .now) }
        guard omitted != nil || event.level >= .error else { return }
        if let omitted, omitted > 0 {
            var note = event
            note.level = .warning
            note.message = "\(omitted) lines were left out: too much is logged"
            base.log(event: note)
        }
        base.log(event: event)
    }
}

/// The limit on the lines of a log, a token bucket: any client that can cause one line can cause millions, and the log
/// of a bridge that was started on demand is a file in memory.
package struct LogBudget: Sendable {
    /// The maximum number of lines at once.
    private let burst: Int
    /// The number of lines per second after such a burst.
    private let rate: Int
    private var available: Int
    private var lastRefill: ContinuousClock.Instant?
    /// The number of lines left out since the last written line.
    private var omitted = 0

    package init(burst: Int = 200, rate: Int = 10) {
        self.burst = burst
        self.rate = rate
        available = burst
    }

    /// Returns the number of lines that were left out before this line; nil if this line is to be left out too.
    package mutating func admitLine(at now: ContinuousClock.Instant) -> Int? {
        let elapsed = now - (lastRefill ?? now)
        let earned = Int(elapsed / .seconds(1) * Double(rate))
        if lastRefill == nil || earned > 0 {
            lastRefill = now
            available = min(burst, available + earned)
        }
        guard available > 0 else {
            omitted += 1
            return nil
        }
        available -= 1
        defer { omitted = 0 }
        return omitted
    }
}
