import ArgumentParser
import Bridge
import Glibc
import LinuxSystem
import Logging
import SystemPackage

/// The bridge as a program, in the foreground, as a service manager wants it.
@main
struct Daemon: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xpbd",
        abstract: "Keep pasteboards, and bridge them onto the selections of an X11 display.",
        discussion: """
            Runs in the foreground and logs to stderr, or to the journal as a service of systemd, whose sockets it \
            takes. 'xpb' starts it when it is needed. There is one for each user and display; without a display it \
            serves pasteboards to its clients all the same.
            """,
        version: BridgeVersion.current)

    @Option(help: ArgumentHelp("The display to serve, instead of DISPLAY.", valueName: "name"))
    var display: String?

    @Flag(help: "Serve pasteboards without a display.")
    var noDisplay = false

    @Flag(help: "Take over from a bridge that serves this display.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning or error (default: XPB_LOG_LEVEL, else notice).", valueName: "level"),
        transform: Self.level)
    var logLevel: Logger.Level?

    @Option(help: .hidden)
    var readyFd: Int32?

    func validate() throws {
        if noDisplay, display != nil { throw ValidationError("--display and --no-display exclude each other") }
        if let readyFd, readyFd < 3 { throw ValidationError("--ready-fd is a descriptor from 3 on") }
    }

    func run() throws {
        var environment = ThisProcess.environment()
        let listeners = ServiceManager.listeners(environment: environment)
        let manager = ServiceManager(environment: environment)
        for name in ServiceManager.variables { environment[name] = nil }
        let logger = logger(environment)
        let named = display ?? environment["DISPLAY"].flatMap { $0.isEmpty ? nil : $0 }
        var options = BridgeOptions(display: noDisplay ? nil : named, replaces: replace)
        options.listeners = listeners
        do {
            try BridgeProcess(
                options, readyDescriptor: readyFd, manager: manager, environment: environment, logger: logger
            ).run()
        } catch {
            Self.say("xpbd: \(error)")
            throw ExitCode(error.status)
        }
    }

    /// Usage errors end with status 2, as those of `xpb` do.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let code as ExitCode {
            Glibc.exit(code.rawValue)
        } catch {
            let isUsage = exitCode(for: error) == .validationFailure
            let message = fullMessage(for: error)
            if isUsage { say(message) } else { print(message) }
            Glibc.exit(isUsage ? 2 : exitCode(for: error).rawValue)
        }
    }

    /// A bridge that was started on demand gets no options, but the environment.
    private func logger(_ environment: [String: String]) -> Logger {
        let isForJournal = readyFd == nil && JournalLogHandler.isWanted(environment: environment)
        var logger = Logger(label: "xpbd") { label -> any LogHandler in
            ModerateLogHandler(isForJournal ? JournalLogHandler() : StreamLogHandler.standardError(label: label))
        }
        // What is wrong with the variable is told with what is wrong with those of the settings.
        logger.logLevel = logLevel ?? environment["XPB_LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) } ?? .notice
        return logger
    }

    private static func level(_ name: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: name) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(name)' is no log level; there are \(known)")
        }
        return level
    }

    private static func say(_ line: String) {
        _ = try? FileDescriptor.standardError.writeAll((line + "\n").utf8)
    }
}
