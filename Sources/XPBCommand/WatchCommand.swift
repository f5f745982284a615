import ArgumentParser
import BridgeClient
import LinuxSystem
import PasteboardWire
import SystemPackage
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

/// Runs the command of `watch` for a change, and waits for its end.
struct CommandRunner {
    let command: [String]
    /// What its standard input gets, the first that is there.
    let types: [String]
    let session: Session

    init(command: [String], types: [String], session: Session) {
        self.command = command
        self.types = types
        self.session = session
        // A command that reads none of its input is no reason to end.
        Signal.ignore(.brokenPipe)
        if !types.isEmpty { session.lookTypesUp() }
    }

    func run(for change: Methods.Monitor.Reply) throws {
        var input: FetchedRepresentation?
        if !types.isEmpty {
            // A connection of its own: the other one is waiting for changes.
            do {
                input = try session.connect().get(pasteboard: change.pasteboard, types: types, watching: true)
            } catch let failure as Failure {
                throw failure
            } catch let error as BridgeClientError where error.code != .unavailable {
                return session.console.detail("\(change.pasteboard) \(change.count): \(error.message)")
            }
        }
        let end = try run(environment: environment(for: change, type: input), input: input)
        if end != .exited(0) { session.console.detail("\(command[0]) ended: \(end)") }
    }

    func environment(for change: Methods.Monitor.Reply, type: FetchedRepresentation?) -> [String: String] {
        var variables = session.environment
        variables["XPB_PASTEBOARD"] = change.pasteboard
        variables["XPB_COUNT"] = String(change.count)
        variables["XPB_TYPES"] = change.types.joined(separator: " ")
        variables["XPB_OWNER"] = change.owner.program ?? change.owner.kind.rawValue
        variables["CLIPBOARD_STATE"] = change.types.isEmpty ? "nil" : "data"
        variables["CLIPBOARD_TYPE"] = type.map { found in
            UniformType(found.type)?.mimeName(target: found.target) ?? found.target ?? found.type
        }
        return variables
    }

    private func run(
        environment: [String: String], input: FetchedRepresentation?
    ) throws(Failure) -> ChildProcess.End {
        do {
            return try ChildProcess.wait(for: try start(environment, input))
        } catch {
            throw .usage("\(command[0]) cannot be run: \(error)")
        }
    }

    /// Starts the command and gives it its input, whether it takes it all or not.
    private func start(_ environment: [String: String], _ input: FetchedRepresentation?) throws -> Int32 {
        guard let input else {
            let nothing = Descriptor(
                adopting: try FileDescriptor.open(FilePath("/dev/null"), .readOnly, options: .closeOnExec))
            return try spawn(environment, nothing)
        }
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        // Closed at the end of this function, which is the end of the input.
        let writing = Descriptor(adopting: pipe.writeEnd)
        // Passed on and not kept: where the command has closed its input, writing ends with EPIPE.
        let process = try spawn(environment, Descriptor(adopting: pipe.readEnd))
        do {
            try Transfer.copy(from: input.bytes, range: input.range, to: writing.fileDescriptor)
        } catch Errno.brokenPipe {}
        return process
    }

    private func spawn(_ environment: [String: String], _ input: Descriptor) throws(Errno) -> Int32 {
        try ChildProcess.spawn(
            command: command, environment: environment, standardInput: input.fileDescriptor)
    }
}
