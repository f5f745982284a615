import LinuxSystem
import Logging
import SystemPackage

/// A log handler for the journal of systemd, which reads standard error: each line begins with its priority, and has no
/// time, since the journal adds it. See sd-daemon(3).
struct JournalLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Returns true if standard error goes to the journal.
    static func isWanted(environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        return stream == StandardDescriptors.identity(.standardError)
    }

    func log(event: LogEvent) {
        let merged = metadata.merging(event.metadata ?? [:]) { $1 }
        let details = merged.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let line = Self.line(event.level, "\(event.message)\(details)")
        // A failure to log cannot be logged.
        _ = try? FileDescriptor.standardError.writeAll(line.utf8)
    }

    /// Returns the message as one line, without its control characters: the priority counts for one line only.
    static func line(_ level: Logger.Level, _ message: String) -> String {
        let visible = message.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }
        return "<\(priority(of: level))>\(visible.joined())\n"
    }

    /// Returns the priority of a level; see syslog(3).
    private static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
