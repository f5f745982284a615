import EventLoop
import LinuxSystem
import SystemPackage

/// The user's ssh, connected to another machine, where it runs one command. Sockets are forwarded over its connection.
///
/// It is OpenSSH with the user's configuration, agent and keys. It runs as the master of its own connection
/// (ControlMaster of ssh_config(5)), since the paths of the forwarded sockets on the other machine are known only from
/// the command's output.
final class SSHMaster {
    /// The arguments for each call of ssh: the user's options, and those that keep the connection to its purpose.
    private let options: [String]
    private let host: String
    private let environment: [String: String]
    /// The path of the socket on which the master takes requests.
    private let control: String
    private let loop: EventLoop
    private let executor: EventLoopExecutor
    private var connection: SSHProcess?
    /// The request to the master that is under way.
    private var request: SSHProcess?

    /// The timeout of a request, which takes one round trip to the other machine.
    private static let requestTimeout = Duration.seconds(20)

    /// Options that a link depends on. The user's options come first, and ssh takes the first value of each.
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
        on loop: EventLoop, _ executor: EventLoopExecutor
    ) {
        self.host = host
        self.options = options + (asksUser ? [] : ["-o", "BatchMode=yes"]) + Self.required
        self.environment = environment
        self.control = control
        self.loop = loop
        self.executor = executor
    }

    /// Starts ssh with a command for the other machine, whose standard input stays open until ``close()``.
    ///
    /// - Parameter onLine: Called with each line of the command's standard output.
    func start(_ command: String, onLine: @escaping (String) -> Void) throws(Errno) {
        connection = try SSHProcess(
            options + ["-o", "ClearAllForwardings=yes", "-M", "-S", control, "--", host, command],
            environment: environment, on: loop, onLine: onLine)
    }

    /// Waits for the end of ssh. Several tasks may wait.
    func ended() async -> SSHEnd { await connection?.ended() ?? SSHEnd(status: 255, messages: []) }

    // MARK: Forwarding

    /// Forwards connections made to a socket of the other machine to a socket of this machine.
    ///
    /// - Returns: The messages of ssh if forwarding fails; nil otherwise.
    func forward(remote: String, to local: String) async -> [String]? {
        await request(["-O", "forward", "-R", "\(remote):\(local)"])
    }

    /// Forwards connections made to a socket of this machine to a socket of the other machine.
    func forward(local: String, toRemote remote: String) async -> [String]? {
        await request(["-O", "forward", "-L", "\(local):\(remote)"])
    }

    /// Sends a request to the master. Requests are made one at a time.
    private func request(_ arguments: [String]) async -> [String]? {
        let request: SSHProcess
        do throws(Errno) {
            // With the user's configuration and options, ssh would also request the forwardings that they name.
            request = try SSHProcess(
                ["-F", "none", "-S", control] + arguments + ["--", host], environment: environment, on: loop)
        } catch {
            return ["ssh cannot be run: \(error)"]
        }
        self.request = request
        defer { self.request = nil }
        let end = await executor.withTimeout(Self.requestTimeout, cancels: false) { await request.ended() }
        guard let end else {
            request.close()
            return ["there was no answer within \(Self.requestTimeout.components.seconds) s"]
        }
        if end.status == 0 { return nil }
        return end.messages.isEmpty ? ["status \(end.status)"] : end.messages
    }

    /// Ends the connection, and a request that is under way.
    func close() {
        request?.close()
        connection?.close()
    }
}
