import ArgumentParser
import BridgeClient
import LinuxSystem
import PasteboardWire
import UniformTypes

/// `xpb watch`.
struct WatchCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Write a line for each change, or run a command for each.",
        discussion: """
            A line has the pasteboard, the count and the types: PASTEBOARD<TAB>COUNT<TAB>TYPES. A command has them in \
            XPB_PASTEBOARD, XPB_COUNT, XPB_TYPES and XPB_OWNER, and CLIPBOARD_STATE and CLIPBOARD_TYPE as wl-clipboard \
            sets them. While it runs, later changes wait, up to the setting limit-watch-queue. Behind those the next is \
            the latest, and stderr says that others were missed.
            """)

    @OptionGroup var common: CommonFlags

    @Flag(help: "Begin with the present contents.")
    var initial = false

    @Option(help: ArgumentHelp("Begin with the present contents if the change count has passed N.", valueName: "N"))
    var since: Int?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Give the bytes of the first of these that is there to the command's standard input, and run it only when one is.",
            valueName: "TYPE"))
    var type: [String] = []

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, behind --.", valueName: "COMMAND"))
    var command: [String] = []

    func validate() throws {
        if !type.isEmpty, command.isEmpty {
            throw ValidationError("-t gives bytes to a command, and none was given; put it behind --, like: -- wc -c")
        }
        if let bad = type.first(where: { TypeQuery.parse($0) == nil }) {
            throw ValidationError("'\(bad)' can be no type")
        }
    }

    func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        var parameters = Methods.Monitor.Parameters(
            pasteboards: pasteboards, since: since, initial: initial ? true : nil, types: true,
            timeout: client.timeoutMilliseconds)
        let runner = command.isEmpty ? nil : CommandRunner(command: command, types: type, session: session)
        // The latest of each pasteboard.
        var reported: [String: Int] = [:]
        while true {
            do {
                _ = try client.stream(Methods.Monitor.self, parameters) { change in
                    try report(change, unlessIn: &reported, by: runner, in: session)
                    return true
                }
                throw Failure(.unavailable, "the bridge ended; watch again when it runs")
            } catch let error as BridgeClientError where error.code == .tooSlow {
                session.console.say(
                    "changes were missed, since they came faster than they were read; the latest follows")
                parameters.initial = true
                parameters.since = nil
            }
        }
    }

    /// - Parameter reported: A state that was reported before, or is older, is none to tell.
    private func report(
        _ change: Methods.Monitor.Reply, unlessIn reported: inout [String: Int], by runner: CommandRunner?,
        in session: Session
    ) throws {
        if let last = reported[change.pasteboard], change.count <= last { return }
        reported[change.pasteboard] = change.count
        if let runner {
            try runner.run(for: change)
        } else if session.common.json {
            try session.output.write(json: change)
        } else {
            try session.output.write(Self.line(change))
        }
    }

    static func line(_ change: Methods.Monitor.Reply) -> String {
        let types = change.types.map(Line.visible).joined(separator: " ")
        return "\(change.pasteboard)\t\(change.count)\t\(types)\n"
    }
}
