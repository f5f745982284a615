import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardWire
import Synchronization
import SystemPackage

/// The library's end of the bridge: a thread with a few connections, which calls from any thread and task share.
///
/// The thread and the first connection are made by the first call. A connection that breaks is replaced, with a bridge
/// started where none runs; what only reads is then asked again, what changes something is not. A child made by fork(2)
/// without exec(3) has neither the thread nor connections of its own and must not use it.
package final class Client: Sendable {
    /// The program's, for the display that DISPLAY names when it connects.
    package static let shared = Client()

    /// The client that pasteboards use in this task, in place of ``shared``.
    @TaskLocal package static var current: Client?

    static var inUse: Client { current ?? shared }

    /// How long the bridge and who it asks may be silent.
    package let timeout: Duration
    private let connector: Connector
    private let started = Mutex<MessageQueue<ClientLoop.Command>?>(nil)
    /// What this client promised and has not given yet.
    let promises = PromiseRegister()

    init(connector: Connector? = nil, timeout: Duration = .seconds(5)) {
        self.timeout = timeout
        self.connector = connector ?? .standard(timeout: timeout)
    }

    /// - Parameters:
    ///   - display: Instead of DISPLAY.
    ///   - environment: Where the bridge is looked for, and what one that has to be started gets.
    package convenience init(
        display: String? = nil, environment: [String: String], timeout: Duration = .seconds(5)
    ) {
        self.init(
            connector: .standard(display: display, environment: { environment }, timeout: timeout), timeout: timeout)
    }

    deinit {
        started.withLock { $0 }?.send(.stop)
    }

    /// In milliseconds, as the calls take it.
    var timeoutMilliseconds: Int { timeout.startedMilliseconds }

    /// How long an answer may take to come through.
    var silence: Duration { timeout + BridgeClient.grace }

    /// Begins a call.
    func start(_ call: EncodedCall, _ manner: Exchange.Manner) throws(PasteboardError) -> Completion<[EncodedReply]> {
        let exchange = Exchange(call, manner, silence: silence)
        try commands().send(.start(exchange))
        return exchange.replies
    }

    /// Begins a call that takes replies for as long as its reader keeps the result.
    ///
    /// - Parameters:
    ///   - isRead: The call may be made again where nobody knows whether it came through.
    ///   - hasAnswer: The first reply answers the call: it is not among those of the stream.
    func open(
        _ call: EncodedCall, isRead: Bool, hasAnswer: Bool = false, start: BridgeFinder.Start = .forDisplay
    ) throws(PasteboardError) -> ReplyStream {
        let buffer = StreamBuffer(call, silence: silence, isRead: isRead, start: start, hasAnswer: hasAnswer)
        let commands = try commands()
        commands.send(.open(buffer))
        return ReplyStream(buffer, commands: commands)
    }

    /// Awaits a bridge, and starts none.
    func bridge() async throws {
        let completion = Completion<Void>()
        try commands().send(.awaitBridge(completion))
        try await completion.value()
    }

    /// Another bridge may be meant from now on.
    func lookAgain() {
        started.withLock { $0 }?.send(.lookAgain)
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
