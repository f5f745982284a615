import EventLoop
import LinuxSystem
import SystemPackage

/// The user's ssh, connected to another machine, where it runs one command. Sockets are forwarded over its connection.
///
/// It is OpenSSH with the user's configuration, agent and keys. It runs as the master of its own connection
/// (ControlMaster of ssh_config(5)), since only the command says where the forwarded sockets are to be: the paths of
/// the other machine are not known before.
final class SSHMaster {
    /// The arguments for each call of ssh: the user's options, and those that keep the connection to its purpose.
    private let options: [String]
    private let host: String
    private let environment: [String: String]
    /// The path of the socket by which the master takes requests.
    private let control: String
    private let loop: EventLoop
    private var process: Int32?
    private var registrations: [Registration] = []
    private var input: Descriptor?
    private var output: LineReader?
    private var errors: LineReader?
    private var endDescriptor: Descriptor?
    private var end: SSHEnd?
    private var waiting: [PendingValue<SSHEnd>] = []

    /// The maximum length of the path of a control socket, since ssh adds 17 bytes to it.
    static let maxControlPath = 90

    /// Options that a link depends on. The user's come first, and ssh takes the first value of each.
    private static let required = [
        "-T", "-a", "-x", "-o", "PermitLocalCommand=no", "-o", "RemoteCommand=none",
        "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3", "-o", "ConnectTimeout=20",
        "-o", "StreamLocalBindUnlink=yes", "-o", "ControlPersist=no",
    ]

    /// - Parameters:
    ///   - options: Options of ssh that the user gives, such as `-o` and `Port=2222`.
    ///   - asksUser: True if ssh may ask for a password on the terminal.
    init(
        host: String, options: [String], asksUser: Bool, environment: [String: String], control: String,
        loop: EventLoop
    ) {
        self.host = host
        self.options = options + (asksUser ? [] : ["-o", "BatchMode=yes"]) + Self.required
        self.environment = environment
        self.control = control
        self.loop = loop
    }

    /// Starts ssh with a command for the other machine, whose standard input stays open until ``close()``.
    ///
    /// - Parameter onLine: Called with each line of the command's standard output.
    func start(_ command: String, onLine: @escaping (String) -> Void) throws(Errno) {
        let (inputEnd, input) = try Descriptor.pipe()
        let (output, outputEnd) = try Descriptor.pipe()
        let (errors, errorsEnd) = try Descriptor.pipe()
        let process = try ChildProcess.spawn(
            command: ["ssh"] + options + ["-o", "ClearAllForwardings=yes", "-M", "-S", control, "--", host, command],
            environment: environment,
            standardInput: inputEnd.fileDescriptor, standardOutput: outputEnd.fileDescriptor,
            standardError: errorsEnd.fileDescriptor)
        self.process = process
        self.input = input
        self.output = LineReader(output, on: loop, onLine: onLine)
        self.errors = LineReader(errors, on: loop)
        let ended = try ChildProcess.terminationDescriptor(of: process)
        endDescriptor = ended
        registrations.append(
            loop.add(ended.fileDescriptor, interest: .readable) { [unowned self] _ in didEnd(process) })
    }

    private func didEnd(_ process: Int32) {
        for registration in registrations { registration.cancel() }
        registrations = []
        self.process = nil
        let termination = try? ChildProcess.wait(for: process)
        // The pipes still have the last words of ssh.
        output?.readRest()
        errors?.readRest()
        var status: Int32 = 255
        if case .exited(let code)? = termination { status = code }
        let end = SSHEnd(status: status, messages: errors?.lines ?? [])
        self.end = end
        for waiter in waiting { waiter.deliver(end) }
    }

    /// Waits for the end of ssh. Several tasks may wait.
    func ended() async -> SSHEnd {
        if let end { return end }
        let waiter = PendingValue<SSHEnd>()
        waiting.append(waiter)
        return await waiter.get()
    }

    // MARK: Forwarding

    /// Forwards connections to a socket of the other machine to one of this machine.
    ///
    /// - Returns: The messages of ssh if that fails; nil otherwise.
    func forward(remote: String, to local: String) -> [String]? {
        request(["-O", "forward", "-R", "\(remote):\(local)"])
    }

    /// Forwards connections to a socket of this machine to one of the other machine.
    func forward(local: String, toRemote remote: String) -> [String]? {
        request(["-O", "forward", "-L", "\(local):\(remote)"])
    }

    /// Has the master do something, which takes one round trip to the other machine at most.
    private func request(_ arguments: [String]) -> [String]? {
        // With the user's configuration and options, ssh would also request the forwardings that those name.
        let program = FilterProgram(
            command: ["ssh", "-F", "none", "-S", control] + arguments + ["--", host], environment: environment,
            deadline: .seconds(20), limit: 4_096, keepsWorkingDirectory: true)
        do throws(Errno) {
            let stop = try EventDescriptor()
            let input = try MemoryFileWriter().seal()
            let result = withExtendedLifetime(stop) {
                program.run(on: input, 0..<0, stop: stop.fileDescriptor)
            }
            guard let failure = result.failure else { return nil }
            let lines = String(decoding: result.standardError, as: UTF8.self).split(whereSeparator: \.isNewline)
            return lines.isEmpty ? ["\(failure)"] : lines.map { String($0).printable }
        } catch {
            return ["ssh cannot be run: \(error)"]
        }
    }

    /// Ends the connection: the command sees the end of its standard input, and ssh gets a signal.
    func close() {
        input = nil
        if let process { ChildProcess.send(.terminate, to: process) }
    }
}

/// The end of ssh.
package struct SSHEnd: Equatable, Sendable {
    /// The exit status of the command on the other machine, or 255 for an error of ssh.
    package let status: Int32
    /// The last lines of standard error.
    package let messages: [String]

    package init(status: Int32, messages: [String]) {
        self.status = status
        self.messages = messages
    }
}
