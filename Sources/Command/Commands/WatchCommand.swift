package import ArgumentParser
package import BridgeClient
package import CommandCore
import LinuxSystem
package import PasteboardWire
import SystemPackage
import UniformTypes

package struct WatchCommand: PasteboardSubcommand {
    package static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Write a line for each change, or run a command for each.",
        discussion: """
            Each line is PASTEBOARD<TAB>COUNT<TAB>TYPES, with each type once. On a terminal there is a table instead, \
            with the time, the program that copied and a preview, unless --json or --targets is given; a narrow \
            terminal shows fewer columns. A command finds the change in XPB_PASTEBOARD, XPB_COUNT, XPB_TYPES and \
            XPB_OWNER, and in CLIPBOARD_STATE and CLIPBOARD_TYPE as wl-clipboard sets them.

            While a command runs, later changes wait, up to the setting limit-watch-queue. Changes beyond it are \
            missed, except the latest, and a message on standard error says so. Unless --own is given, the command is \
            not run again for its own copies with xpb, or with an X11 program that does not go into the background.

              xpb watch
              xpb watch -t text -- tee -a copies.txt
            """)

    @Flag(help: "Report the present contents first.")
    package var initial = false

    @Option(help: ArgumentHelp("Report the present contents first if the change count has passed N.", valueName: "N"))
    package var since: Int?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            Pass the contents to the command's standard input, in the first of these types on offer; if there is none, \
            do not run the command.
            """,
            valueName: "TYPE"), completion: .offeredTypes)
    package var type: [String] = []

    @Flag(help: "Report the X11 targets instead of the types; a type may have several targets.")
    package var targets = false

    @Flag(help: "Also run the command for its own copies.")
    package var own = false

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, after --.", valueName: "COMMAND"))
    package var command: [String] = []

    @OptionGroup package var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package init() {}

    package func validate() throws {
        if !type.isEmpty, command.isEmpty {
            throw ValidationError("-t passes bytes to a command, but none was given; put it after --, as in: -- wc -c")
        }
        if own, command.isEmpty {
            throw ValidationError("--own is for a command, but none was given; put it after --, as in: -- wc -c")
        }
        if let bad = type.first(where: { TypeQuery.parse($0) == nil }) {
            throw ValidationError(Failure.notAType(bad).message)
        }
    }

    /// The form in which changes are reported.
    private enum Output {
        case command(CommandRunner)
        case table(WatchTableWriter)
        /// A line, or an object of JSON, for each change.
        case lines
    }

    package func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let client = try session.connect()
        let runner = command.isEmpty ? nil : CommandRunner(command: command, types: type, session: session)
        // The present state is requested in any case: a change after the call of Count below must not be missed.
        let parameters = Methods.Monitor.Parameters(
            pasteboards: pasteboards, initial: true, types: true, timeout: client.timeoutMilliseconds,
            mark: own ? nil : runner?.mark)
        let output: Output
        if let runner {
            output = .command(runner)
        } else if !session.common.json, !targets, session.output.columns != nil {
            output = .table(try WatchTableWriter(in: session))
        } else {
            output = .lines
        }
        // The latest reported count of each pasteboard; at first, the count after which changes are reported.
        var reported: [String: Int] = [:]
        for name in pasteboards where !initial {
            let count = try client.call(Methods.Count.self, .init(pasteboard: name)).reply.count
            reported[name] = min(since ?? count, count)
        }
        if runner == nil { session.output.endProcessWithoutReader() }
        _ = try session.monitor(parameters, by: client) { change in
            try report(change, unlessIn: &reported, by: output, in: session)
            return true
        }
    }

    /// Reports a change, unless it was already reported. A lower count than that of the last change comes from a later
    /// bridge without a store, which counts from 0 again.
    ///
    /// - Parameter reported: The count of the last change of each pasteboard.
    private func report(
        _ change: Methods.Monitor.Reply, unlessIn reported: inout [String: Int], by output: Output,
        in session: Session
    ) throws {
        if change.count == reported[change.pasteboard] { return }
        var change = change
        change.types = try (targets ? targetNames(of: change, in: session) : nil) ?? change.types.uniqued()
        reported[change.pasteboard] = change.count
        switch output {
        case .command(let runner) where runner.hasMade(change):
            session.console.detail("\(change.pasteboard) \(change.count): copied by \(runner.command[0]) itself")
        case .command(let runner): try runner.run(for: change)
        case .table(let table): try table.write(change)
        case .lines where session.common.json: try session.output.write(json: change)
        case .lines: try session.output.write(change.line)
        }
    }

    /// Returns the names that X11 clients see; nil if the contents have been replaced, or the owner lists no names.
    private func targetNames(of change: Methods.Monitor.Reply, in session: Session) throws -> [String]? {
        guard !change.types.isEmpty else { return nil }
        // A second connection, since the first waits for changes.
        let client = try session.connect()
        guard let contents = try? session.describe(change.pasteboard, by: client, targets: true),
            contents.count == change.count
        else { return nil }
        return contents.items.flatMap { $0.targets ?? [] }.uniqued()
    }
}

extension Session {
    /// Passes each change to `body` until it returns false, or until `deadline`. After missed changes or the end of the
    /// bridge, continues with the present state, which `body` may already know.
    ///
    /// - Returns: True if `body` ended the monitoring.
    /// - Throws: The error of `body`; a failure with status 4 if no bridge starts in time.
    func monitor(
        _ parameters: Methods.Monitor.Parameters, by client: BridgeClient,
        until deadline: ContinuousClock.Instant? = nil, _ body: (Methods.Monitor.Reply) throws -> Bool
    ) throws -> Bool {
        var (client, connected) = (client, ContinuousClock.now)
        // The deadline for finding the next bridge; nil once a bridge has sent a reply.
        var limit: ContinuousClock.Instant?
        while true {
            do {
                return try client.stream(Methods.Monitor.self, parameters, until: deadline) { change in
                    limit = nil
                    return try body(change)
                }
            } catch let error as BridgeClientError where error.code == .tooSlow {
                console.say("changes were missed, since they came faster than they were read; the latest follows")
            } catch let error as BridgeClientError where error.context.mayRepeat {
                let budget = max(timeout.duration, RepeatBudget.minTimeout)
                // A bridge that stayed connected for longer than the budget did work, even if it had no change to
                // report.
                let end = (connected.duration(to: .now) > budget ? nil : limit) ?? .now + budget
                limit = end
                client = try nextBridge(until: min(end, deadline ?? end))
                connected = .now
            }
        }
    }

    /// Connects to the next bridge after a bridge has ended. No bridge is started, since the user may have stopped the
    /// last one.
    private func nextBridge(until deadline: ContinuousClock.Instant) throws(Failure) -> BridgeClient {
        while .now < deadline {
            var nothing = PollSet()
            _ = try? nothing.wait(until: .now + .milliseconds(100))
            if let next = try? connect(start: .never) { return next }
        }
        throw Failure(
            BridgeClientError(
                code: .unavailable, message: "the bridge ended, and no other has started",
                context: .init(cause: .noBridge)))
    }
}

extension Methods.Monitor.Reply {
    package var line: String { "\(pasteboard)\t\(count)\t\(types.map(Line.visible).joined(separator: " "))\n" }
}

/// The command that `watch` runs for each change.
package final class CommandRunner {
    package let command: [String]
    /// The types; the contents in the first one on offer are passed to the command's standard input.
    package let types: [String]
    package let session: Session
    /// The word in the command's environment by which the bridge recognizes the command's copies.
    let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
    /// The time when the last run ended, in milliseconds since the Unix epoch.
    private var lastEnd = 0

    package init(command: [String], types: [String], session: Session) {
        self.command = command
        self.types = types
        self.session = session
        // A command that does not read its input must not end `watch`.
        Signal.ignore(.brokenPipe)
        if !types.isEmpty { session.installTypes() }
    }

    /// The time after the end of a run, in milliseconds, in which a copy still counts as the command's own, since a
    /// child may be in the middle of copying. Later copies by a program that the command has left running, such as a
    /// browser, are the user's copies.
    private static let grace = 1_000

    /// Returns true for a change that the last run has made.
    func hasMade(_ change: Methods.Monitor.Reply) -> Bool {
        change.own == true && (change.owner.since ?? 0) <= lastEnd + Self.grace
    }

    /// Runs the command, and waits for it to end.
    package func run(for change: Methods.Monitor.Reply) throws {
        var input: FetchedRepresentation?
        if !types.isEmpty {
            // A second connection, since the first waits for changes.
            do {
                input = try session.connect().get(pasteboard: change.pasteboard, types: types, watching: true)
            } catch let failure as Failure {
                throw failure
            } catch let error as BridgeClientError {
                guard error.code != .unavailable else { throw Failure(error) }
                return session.console.detail("\(change.pasteboard) \(change.count): \(error.message)")
            }
        }
        let (process, cut) = try start(environment(for: change, type: input), input)
        let end = try ChildProcess.wait(for: process)
        lastEnd = UnixTime.now
        if let cut {
            session.console.say(
                "\(change.pasteboard) \(change.count): \(command[0]) received only part of its input: \(cut)")
        }
        if end != .exited(0) { session.console.detail("\(command[0]) ended: \(end)") }
    }

    package func environment(for change: Methods.Monitor.Reply, type: FetchedRepresentation?) -> [String: String] {
        var variables = session.environment
        variables["XPB_PASTEBOARD"] = change.pasteboard
        variables["XPB_COUNT"] = String(change.count)
        variables["XPB_TYPES"] = change.types.joined(separator: " ")
        variables["XPB_OWNER"] = change.owner.program ?? change.owner.kind.rawValue
        let marks = [variables[Methods.Monitor.markVariable], mark].compactMap(\.self)
        variables[Methods.Monitor.markVariable] = marks.joined(separator: " ")
        // With --targets, the names are those of targets.
        let isSecret = change.types.contains {
            UniformType(target: $0) == .concealed || $0 == UniformType.concealed.identifier
        }
        variables["CLIPBOARD_STATE"] = change.types.isEmpty ? "nil" : isSecret ? "sensitive" : "data"
        variables["CLIPBOARD_TYPE"] = type.map { found in
            UniformType(found.type)?.mimeName(target: found.target) ?? found.target ?? found.type
        }
        return variables
    }

    /// Starts the command, and writes its input until the command closes it.
    ///
    /// - Returns: The process, and the error if the input could not be read to its end.
    private func start(
        _ environment: [String: String], _ input: FetchedRepresentation?
    ) throws(Failure) -> (process: Int32, cut: Errno?) {
        let process: Int32
        // Closing the write end, when this function returns, ends the input.
        let writing: Descriptor?
        do {
            (process, writing) = try spawn(environment, withInput: input != nil)
        } catch {
            throw .usage("\(command[0]) cannot be run: \(error)")
        }
        guard let input, let writing else { return (process, nil) }
        do {
            try Transfer.copy(from: input.bytes, range: input.range, to: writing.fileDescriptor)
        } catch {
            return (process, error == .brokenPipe ? nil : error)
        }
        return (process, nil)
    }

    /// Starts the command. This process does not keep the read end of the pipe, so that writing fails with EPIPE once
    /// the command has closed its input.
    private func spawn(
        _ environment: [String: String], withInput: Bool
    ) throws -> (process: Int32, writing: Descriptor?) {
        let input: Descriptor
        var writing: Descriptor?
        if withInput {
            let pipe = try Descriptor.pipe()
            (input, writing) = (pipe.reading, pipe.writing)
        } else {
            input = try Descriptor.null()
        }
        let process = try ChildProcess.spawn(
            command: command, environment: environment, standardInput: input.fileDescriptor)
        return (process, writing)
    }
}
