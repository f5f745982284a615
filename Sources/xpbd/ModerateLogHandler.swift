import Bridge
import Logging
import Synchronization

/// Hands lines on as far as there is room for them, and says how many were left out. Errors are always written.
struct ModerateLogHandler: LogHandler {
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
        let leftOut = shared.budget.withLock { $0.admit(now: .now) }
        guard leftOut != nil || event.level >= .error else { return }
        if let leftOut, leftOut > 0 {
            var note = event
            note.level = .warning
            note.message = "\(leftOut) lines were left out: too much is logged"
            base.log(event: note)
        }
        base.log(event: event)
    }
}
