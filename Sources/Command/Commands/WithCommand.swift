import ArgumentParser
import BridgeClient
import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage

struct WithCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "with", abstract: "Run a command, then restore the contents.",
        discussion: """
            Everything on the pasteboard is fetched first, and written back when the command has ended, failed or been \
            interrupted, unless nothing changed. SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed to the command. The \
            exit status is that of the command, or 128 plus the number of the signal that killed it.

              xpb with -- sh -c 'xpb set 42; xdotool key ctrl+v'
            """)

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, after --.", valueName: "COMMAND"))
    var command: [String] = []

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func validate() throws {
        if command.isEmpty { throw ValidationError("no command was given; put it after --, as in: xpb with -- make") }
    }

    func perform(in session: Session) throws {
        let backups = try session.pasteboards().map { try PasteboardBackup($0, in: session) }
        let end = try run(session)
        try session.forEach(backups.map(\.pasteboard)) { pasteboard in
            try backups.first { $0.pasteboard == pasteboard }?.restore(in: session)
        }
        switch end {
        case .exited(0): break
        case .exited(let status): throw Failure(ExitStatus(rawValue: status), "")
        case .killed(let signal): throw Failure(ExitStatus(rawValue: 128 + signal), "")
        }
    }

    /// Runs the command in the terminal's foreground, as if started directly, and passes signals to it.
    private func run(_ session: Session) throws(Failure) -> ChildProcess.Termination {
        do {
            // Signals are blocked before the command starts, so that none is lost, and stay blocked, so that no signal
            // interrupts the restoration.
            let signals = try SignalDescriptor([.interrupt, .terminate, .hangup, .quit])
            let process = try ChildProcess.spawn(
                command: command, environment: session.environment, standardInput: .standardInput)
            let end = try ChildProcess.terminationDescriptor(of: process)
            while true {
                var set = PollSet()
                set.append(signals.fileDescriptor, .input)
                set.append(end.fileDescriptor, .input)
                _ = try set.wait(until: nil)
                pass(signals, to: process)
                if set.result(at: 1) != [] { return try ChildProcess.wait(for: process) }
            }
        } catch {
            throw .usage("\(command[0]) cannot be run: \(error)")
        }
    }

    private func pass(_ signals: SignalDescriptor, to process: Int32) {
        while let (signal, isFromKernel) = signals.nextWithOrigin() {
            // A signal from the keyboard has already reached the command.
            if !isFromKernel { ChildProcess.send(signal, to: process) }
        }
    }
}

/// The contents of a pasteboard, to be restored after a command.
struct PasteboardBackup {
    private enum State {
        /// The pasteboard did not exist.
        case absent
        case empty(count: Int)
        case contents(Snapshot, count: Int, options: WireOptions?, fetched: ContinuousClock.Instant)
    }

    let pasteboard: String
    private let state: State

    /// The options that take the most space in a call.
    private static let maxOptions = WireOptions(
        expires: .max, localOnly: true, once: true, concealed: true, memory: true)

    /// The number of attempts to fetch contents that keep changing.
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
                // Contents written by several calls may be too long for the one call that restores them.
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
        throw Failure(.broken, "the contents of '\(pasteboard)' keep changing and cannot be saved")
    }

    /// Returns the change count; nil if the pasteboard does not exist.
    private static func count(of pasteboard: String, _ client: BridgeClient) throws -> Int? {
        do {
            return try client.call(Methods.Count.self, .init(pasteboard: pasteboard)).reply.count
        } catch  where error.code == .noSuchPasteboard {
            return nil
        }
    }

    /// Restores the contents if they have changed.
    func restore(in session: Session) throws(Failure) {
        do {
            let client = try session.connect()
            guard let count = try Self.count(of: pasteboard, client) else {
                // The pasteboard was removed; it is created again if it had contents.
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
                .broken, "the contents of '\(pasteboard)' could not be restored: \(Failure(reporting: error).message)")
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
            // The remaining lifetime; time spent suspended counts, too.
            let left = expires - fetched.duration(to: .now).millisecondsRoundedDown
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
