import BridgeClient
import LinuxSystem
import PasteboardWire
import SystemPackage
import UniformTypes

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
