import ArgumentParser
import Bridge
import LinuxSystem
import Logging

/// The bridge from its start to its end, as a line of options wants it.
struct Run {
    /// Nil for that of the environment.
    var display: String?
    var hasNoDisplay = false
    var replaces = false
    /// Nil for that of the environment.
    var logLevel: Logger.Level?
    /// Nil for a bridge that was not started on demand.
    var readyDescriptor: Int32?

    func run() throws {
        var environment = ThisProcess.environment()
        let listeners = ServiceManager.listeners(environment: environment)
        let manager = ServiceManager(environment: environment)
        for name in ServiceManager.variables { environment[name] = nil }
        let logger = logger(environment)
        let named = display ?? environment["DISPLAY"].flatMap { $0.isEmpty ? nil : $0 }
        var options = BridgeOptions(display: hasNoDisplay ? nil : named, replaces: replaces)
        options.listeners = listeners
        do {
            try BridgeProcess(
                options, readyDescriptor: readyDescriptor, manager: manager, environment: environment, logger: logger
            ).run()
        } catch {
            Daemon.say("xpbd: \(error)")
            throw ExitCode(error.status)
        }
    }

    /// A bridge that was started on demand gets no options, but the environment.
    private func logger(_ environment: [String: String]) -> Logger {
        let isForJournal = readyDescriptor == nil && JournalLogHandler.isWanted(environment: environment)
        var logger = Logger(label: "xpbd") { label -> any LogHandler in
            ModerateLogHandler(isForJournal ? JournalLogHandler() : StreamLogHandler.standardError(label: label))
        }
        // What is wrong with the variable is told with what is wrong with those of the settings.
        logger.logLevel = logLevel ?? environment["XPB_LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) } ?? .notice
        return logger
    }
}
