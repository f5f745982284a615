import ArgumentParser
import Bridge
import BridgeServer
import LinuxSystem
import Logging
import PictureConversion

/// One run of the bridge, from its start to its end, with the options of the command line.
struct Run {
    /// The X display and the Wayland display; both nil for the displays in the environment.
    var display: String?
    var wayland: String?
    var seat: String?
    var hasNoDisplay = false
    var replaces = false
    /// The log level; nil for the level in the environment.
    var logLevel: Logger.Level?
    /// The descriptor for the report to the program that started the bridge on demand; nil for any other bridge.
    var readyDescriptor: Int32?

    func run() throws {
        var environment = ThisProcess.environment()
        let listeners = ServiceManager.listeners(environment: environment)
        let manager = ServiceManager(environment: environment)
        for name in ServiceManager.variables { environment[name] = nil }
        let logger = logger(environment)
        var options = BridgeOptions()
        options.replaces = replaces
        options.seat = seat
        if !hasNoDisplay { (options.display, options.wayland) = displays(environment) }
        options.listeners = listeners
        if PictureProcess.isAvailable { options.pictureCommand = ["/proc/self/exe", PictureProcess.option] }
        do throws(BridgeFailure) {
            if let refusal = options.wayland?.refusal { throw BridgeFailure(.unavailable, refusal) }
            try BridgeProcess(
                options, readyDescriptor: readyDescriptor, manager: manager, environment: environment, logger: logger
            ).run()
        } catch {
            Daemon.writeError("xpbd: \(error)")
            throw ExitCode(error.status)
        }
    }

    private func displays(_ environment: [String: String]) -> (String?, WaylandName?) {
        let given = wayland.flatMap { WaylandName($0, runtimeDirectory: environment["XDG_RUNTIME_DIR"]) }
        if display != nil || wayland != nil { return (display, given) }
        let x11 = environment["DISPLAY"].flatMap { $0.isEmpty ? nil : $0 }
        // The display of another machine or user is not part of this session.
        let isGuest = x11.flatMap { DisplayName($0) }?.isGuest ?? false
        let wayland = isGuest ? nil : WaylandName(environment: environment)
        return (x11, x11 != nil && wayland?.refusal != nil ? nil : wayland)
    }

    /// Returns the logger, which writes to the journal or to standard error. A bridge started on demand writes to
    /// standard error, which is its log file.
    private func logger(_ environment: [String: String]) -> Logger {
        let isForJournal = readyDescriptor == nil && JournalLogHandler.isWanted(environment: environment)
        var logger = Logger(label: "xpbd") { label -> any LogHandler in
            RateLimitedLogHandler(isForJournal ? JournalLogHandler() : StreamLogHandler.standardError(label: label))
        }
        // An invalid value of the variable is reported with the faults of the settings.
        logger.logLevel = logLevel ?? environment["XPB_LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) } ?? .notice
        return logger
    }
}
