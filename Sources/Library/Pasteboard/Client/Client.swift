import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardWire
import Synchronization
import SystemPackage

/// The library's connection to the bridge: a thread with a few sockets, shared by calls from any thread and task.
///
/// The first call starts the thread and makes the first connection. A connection that breaks is replaced, and a bridge
/// is started if no bridge is running. Read-only calls are then repeated; calls that change something are not. A child
/// made by fork(2) without exec(3) has neither the thread nor connections of its own and must not use the client.
package final class Client: Sendable {
    /// The program's client, for the display that DISPLAY names at the time of connecting.
    package static let shared = Client()

    /// The client that pasteboards use in this task instead of ``shared``.
    @TaskLocal package static var current: Client?

    /// The maximum number of concurrent calls, and of connections for these calls; further calls wait.
    package static let maxConnections = 16
    /// The number of unread replies of a stream at which the client stops reading from the socket.
    package static let maxUnreadReplies = 64

    static var inUse: Client { current ?? shared }

    /// The time that the bridge, or the owner of the contents, may be idle.
    package let timeout: Duration
    private let connector: Connector
    private let started = Mutex<MessageQueue<ClientLoop.Command>?>(nil)
    /// The promises of this client that are not yet fulfilled.
    let promises = PromiseRegister()

    init(connector: Connector? = nil, timeout: Duration = .seconds(5)) {
        self.timeout = timeout
        self.connector = connector ?? .standard(timeout: timeout)
    }

    /// - Parameters:
    ///   - display: The display to use instead of DISPLAY.
    ///   - environment: The environment for finding the bridge; a bridge that is started inherits it.
    package convenience init(display: String? = nil, environment: [String: String], timeout: Duration = .seconds(5)) {
        self.init(
            connector: .standard(display: display, environment: { environment }, timeout: timeout), timeout: timeout)
    }

    deinit {
        started.withLock { $0 }?.send(.stop)
    }

    var timeoutMilliseconds: Int { timeout.millisecondsRoundedUp }

    /// The time that a connection may be idle: ``timeout`` plus extra time for the reply to arrive.
    var idleTimeout: Duration { timeout + BridgeClient.grace }

    func start(_ call: EncodedCall, _ options: CallOptions) throws(PasteboardError) -> Completion<[EncodedReply]> {
        let pending = PendingCall(call, options, idleTimeout: idleTimeout)
        try commands().send(.start(pending))
        return pending.replies
    }

    /// Starts a call that receives replies for as long as its reader keeps the result.
    ///
    /// - Parameters:
    ///   - isReadOnly: True if the call may be repeated when it is unknown whether the call arrived.
    ///   - hasAnswer: True if the first reply answers the call and is not part of the stream.
    func open(
        _ call: EncodedCall, isReadOnly: Bool, hasAnswer: Bool = false, start: BridgeFinder.Start = .forDisplay
    ) throws(PasteboardError) -> ReplyStream {
        let buffer = StreamBuffer(
            call, idleTimeout: idleTimeout, isReadOnly: isReadOnly, start: start, hasAnswer: hasAnswer)
        let commands = try commands()
        commands.send(.open(buffer))
        return ReplyStream(buffer, commands: commands)
    }

    /// Waits until a bridge is running, without starting one.
    func awaitBridge() async throws {
        let completion = Completion<Void>()
        try commands().send(.awaitBridge(completion))
        try await completion.value()
    }

    /// Looks for the bridge again, because a different bridge may now be in use.
    func bridgeMayHaveChanged() {
        started.withLock { $0 }?.send(.bridgeMayHaveChanged)
    }

    private func commands() throws(PasteboardError) -> MessageQueue<ClientLoop.Command> {
        try started.withLock { started throws(PasteboardError) in
            if let started { return started }
            do throws(Errno) {
                let commands = try MessageQueue<ClientLoop.Command>()
                let connector = connector
                _ = try WorkerThread.start(name: "xpb client") {
                    ClientLoop(commands: commands, connector: connector).run()
                }
                started = commands
                return commands
            } catch {
                throw PasteboardError(
                    code: .unavailable, message: "the pasteboard's thread cannot be started: \(error)")
            }
        }
    }
}
