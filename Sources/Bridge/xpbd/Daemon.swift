import ArgumentParser
import Bridge
import Glibc
import LinuxSystem
import Logging
import PasteboardWire
import PictureConversion
import SystemPackage

/// The bridge as a program that runs in the foreground, as service managers expect.
@main
struct Daemon: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xpbd",
        abstract: "Serve pasteboards, and bridge them to the selections of X11 and Wayland displays.",
        discussion: """
            Runs in the foreground and logs to standard error. As a service of systemd, it logs to the journal and \
            accepts clients on systemd's sockets. 'xpb' starts xpbd when it is needed. Each user and display has its \
            own xpbd; without a display, xpbd still serves pasteboards to its clients.
            """,
        version: ProgramVersion.text)

    @Option(
        help: ArgumentHelp(
            "The X display to serve, instead of DISPLAY and WAYLAND_DISPLAY.", valueName: "name"))
    var display: String?

    @Option(
        help: ArgumentHelp(
            "The Wayland display to serve, instead of DISPLAY and WAYLAND_DISPLAY; with --display, both are served.",
            valueName: "name"))
    var wayland: String?

    @Option(help: ArgumentHelp("The seat of the Wayland display, instead of the first.", valueName: "name"))
    var seat: String?

    @Flag(help: "Serve pasteboards without a display.")
    var noDisplay = false

    @Flag(help: "Take over from a bridge that serves this display.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical (default: XPB_LOG_LEVEL, else notice).",
            valueName: "level"),
        transform: Self.level)
    var logLevel: Logger.Level?

    @Option(help: .hidden)
    var readyFd: Int32?

    func validate() throws {
        if noDisplay, display != nil || wayland != nil {
            throw ValidationError("--no-display excludes --display and --wayland")
        }
        if let readyFd, readyFd < 3 { throw ValidationError("--ready-fd must be a descriptor of at least 3") }
    }

    func run() throws {
        try Run(
            display: display, wayland: wayland, seat: seat, hasNoDisplay: noDisplay, replaces: replace,
            logLevel: logLevel, readyDescriptor: readyFd
        ).run()
    }

    private typealias Entry =
        @convention(c) (
            Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        ) -> Void

    /// Keeps the arguments of `main`: the standard library reads them from /proc, which may not be mounted.
    @section(".init_array") @used
    private static let entry: Entry = { count, arguments, _ in unsafe ThisProcess.keepArguments(count, arguments) }

    /// Runs the program. Usage errors end with status 2, as in `xpb`.
    static func main() {
        do {
            let arguments = ThisProcess.arguments()
            if arguments.count == 2, arguments[0] == PictureProcess.option { PictureProcess.run(to: arguments[1]) }
            if let line = LaunchLine(arguments[...]) {
                try Run(display: line.display, wayland: line.wayland, readyDescriptor: line.readyDescriptor).run()
                return
            }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let code as ExitCode {
            Glibc.exit(code.rawValue)
        } catch {
            let isUsage = exitCode(for: error) == .validationFailure
            let message = fullMessage(for: error)
            if isUsage { writeError(message) } else { print(message) }
            Glibc.exit(isUsage ? 2 : exitCode(for: error).rawValue)
        }
    }

    private static func level(_ name: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: name) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(name)' is not a log level; the levels are \(known)")
        }
        return level
    }

    static func writeError(_ line: String) {
        _ = try? FileDescriptor.standardError.writeAll((line + "\n").utf8)
    }
}
