import ArgumentParser
import BridgeClient
import LinuxSystem
import PasteboardWire
import SystemPackage

/// `xpb with`.
struct WithCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "with", abstract: "Run a command, then restore what was there.",
        discussion: """
            All that is on the pasteboard is fetched before, and put back when the command has ended, failed or been \
            interrupted: SIGINT, SIGTERM, SIGHUP and SIGQUIT go to the command. Nothing is put back where nothing \
            changed. The exit status is that of the command, 128 and the signal's number where one ended it.
            """)

    @OptionGroup var common: CommonFlags

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, behind --.", valueName: "COMMAND"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("no command was given; put it behind --, like: xpb with -- make") }
    }

    func perform(in session: Session) throws {
        let kept = try session.pasteboards().map { try PasteboardBackup($0, in: session) }
        let end = try run(session)
        try session.forEach(kept.map(\.pasteboard)) { pasteboard in
            try kept.first { $0.pasteboard == pasteboard }?.restore(in: session)
        }
        switch end {
        case .exited(0): break
        case .exited(let status): throw Failure(ExitStatus(rawValue: status), "")
        case .killed(let signal): throw Failure(ExitStatus(rawValue: 128 + signal), "")
        }
    }

    /// Runs the command in the terminal's foreground, as it would run without us, and passes signals on to it.
    private func run(_ session: Session) throws(Failure) -> ChildProcess.End {
        do {
            // Before the command is there, so that none gets lost. They stay blocked: nothing interrupts the restoring.
            let signals = try SignalDescriptor([.interrupt, .terminate, .hangup, .quit])
            let process = try ChildProcess.spawn(
                command: command, environment: session.environment, standardInput: .standardInput)
            let end = try ChildProcess.endDescriptor(of: process)
            while true {
                var set = PollSet()
                set.append(signals.fileDescriptor, .input)
                set.append(end.fileDescriptor, .input)
                _ = try set.wait(until: nil)
                while let (signal, isFromKernel) = signals.nextWithOrigin() {
                    // One from the keyboard has reached the command already.
                    if !isFromKernel { ChildProcess.send(signal, to: process) }
                }
                if set.result(at: 1) != [] { return try ChildProcess.wait(for: process) }
            }
        } catch {
            throw .usage("\(command[0]) cannot be run: \(error)")
        }
    }
}

/// What was on a pasteboard before a command was run, and how it gets there again.
struct PasteboardBackup {
    private enum State {
        /// There was no such pasteboard.
        case absent
        case empty(count: Int)
        case contents(Snapshot, count: Int, options: WireOptions?, fetched: ContinuousClock.Instant)
    }

    let pasteboard: String
    private let state: State

    /// Those that take the most room in a call.
    private static let maxOptions = WireOptions(
        expires: .max, localOnly: true, once: true, concealed: true, memory: true)

    /// How often the contents may change while they are fetched.
    private static let maxAttempts = 3

    init(_ pasteboard: String, in session: Session) throws {
        self.pasteboard = pasteboard
        let client = try session.connect()
        do {
            state = try Self.state(of: pasteboard, client)
        } catch {
            let failure = Failure(reporting: error)
            throw Failure(failure.status, "\(failure.message); the command was not run")
        }
    }

    private static func state(of pasteboard: String, _ client: BridgeClient) throws -> State {
        for _ in 0..<maxAttempts {
            do {
                let contents = try client.fetch(pasteboard: pasteboard)
                if let problem = contents.problem { throw problem }
                if contents.isSecret { ThisProcess.forbidDumping() }
                let fetched = ContinuousClock.now
                let snapshot = try Snapshot(contents)
                // What several calls wrote may be too much for the one that puts it back.
                try client.checkLength(
                    of: Methods.Set.self, parameters(pasteboard, snapshot, Self.maxOptions, client))
                let described = try client.call(
                    Methods.Describe.self, .init(pasteboard: pasteboard, timeout: client.timeoutMilliseconds)
                ).reply
                guard described.count == contents.count else { continue }
                return .contents(
                    snapshot, count: contents.count, options: described.options, fetched: fetched)
            } catch let error as BridgeClientError where error.code == .empty {
                guard let count = try count(of: pasteboard, client) else { return .absent }
                return .empty(count: count)
            } catch let error as BridgeClientError where error.code == .noSuchPasteboard {
                return .absent
            }
        }
        throw Failure(.broken, "what is on '\(pasteboard)' changes all the time and cannot be kept")
    }

    /// Nil where there is no such pasteboard.
    private static func count(of pasteboard: String, _ client: BridgeClient) throws -> Int? {
        do {
            return try client.call(Methods.Count.self, .init(pasteboard: pasteboard)).reply.count
        } catch  where error.code == .noSuchPasteboard {
            return nil
        }
    }

    /// Puts back what was there, if something else is there by now.
    func restore(in session: Session) throws(Failure) {
        do {
            let client = try session.connect()
            guard let count = try Self.count(of: pasteboard, client) else {
                // It was removed. With its contents it is made again.
                if case .contents(let snapshot, _, let options, let fetched) = state {
                    try write(snapshot, options, fetched, client)
                }
                return
            }
            switch state {
            case .absent: _ = try client.call(Methods.Remove.self, .init(pasteboard: pasteboard))
            case .empty(count), .contents(_, count, _, _): break
            case .empty: try clear(client)
            case .contents(let snapshot, _, let options, let fetched):
                try write(snapshot, options, fetched, client)
            }
        } catch {
            throw Failure(
                .broken, "what was on '\(pasteboard)' could not be restored: \(Failure(reporting: error).message)")
        }
    }

    private func clear(_ client: BridgeClient) throws {
        _ = try client.call(
            Methods.Clear.self, .init(pasteboards: [pasteboard], timeout: client.timeoutMilliseconds), isLong: true)
    }

    private func write(
        _ snapshot: Snapshot, _ options: WireOptions?, _ fetched: ContinuousClock.Instant, _ client: BridgeClient
    ) throws {
        var options = options
        if let expires = options?.expires {
            // What is left of their time; a machine that was suspended meanwhile counts that, too.
            let left = expires - fetched.duration(to: .now).wholeMilliseconds
            guard left > 0 else { return try clear(client) }
            options?.expires = left
        }
        _ = try client.call(
            Methods.Set.self, Self.parameters(pasteboard, snapshot, options, client),
            descriptors: try snapshot.descriptors(), isLong: true)
    }

    private static func parameters(
        _ pasteboard: String, _ snapshot: Snapshot, _ options: WireOptions?, _ client: BridgeClient
    ) -> Methods.Set.Parameters {
        Methods.Set.Parameters(
            pasteboards: [pasteboard], items: snapshot.items, options: options, timeout: client.timeoutMilliseconds)
    }
}
