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
            Runs in the foreground and logs to stderr. 'xpb' starts it when it is needed. There is one for each user \
            and display; without a display it serves pasteboards to its clients all the same.
            """,
        version: BridgeVersion.current)

    @Option(help: ArgumentHelp("The display to serve, instead of DISPLAY.", valueName: "name"))
    var display: String?

    @Flag(help: "Serve pasteboards without a display.")
    var noDisplay = false

    @Flag(help: "Take over from a bridge that serves this display.")
    var replace = false

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning or error.", valueName: "level"), transform: Self.level)
    var logLevel = Logger.Level.notice

    @Option(help: .hidden)
    var readyFd: Int32?

    func validate() throws {
        if noDisplay, display != nil { throw ValidationError("--display and --no-display exclude each other") }
        if let readyFd, readyFd < 3 { throw ValidationError("--ready-fd is a descriptor from 3 on") }
    }

    func run() throws {
        var logger = Logger(label: "xpbd") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel
        let environment = ThisProcess.environment()
        let named = display ?? environment["DISPLAY"].flatMap { $0.isEmpty ? nil : $0 }
        let options = BridgeOptions(display: noDisplay ? nil : named, replaces: replace)
        do {
            try BridgeProcess(
                options, readyDescriptor: readyFd, environment: environment, logger: logger
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
