import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardWire

/// The work of a client's thread: its connections and their deadlines. Only the loop blocks.
final class ClientLoop {
    enum Command: Sendable {
        case start(PendingCall)
        case open(StreamBuffer)
        /// The reader has room again.
        case resume(StreamBuffer)
        case close(StreamBuffer)
        /// Completes the value once a bridge can be reached, without starting one.
        case awaitBridge(Completion<Void>)
        case bridgeMayHaveChanged
        case connected(Result<Connection, PasteboardError>, Purpose)
        /// The value is true if the bridge of the connection is alive, false if it does not answer.
        case alive(connection: Int, Bool)
        case stop
    }

    /// The purpose of a connection.
    enum Purpose: Sendable {
        case pool
        case stream(StreamBuffer)
        case bridgeWatch
    }

    /// The number of connections beyond ``Client/maxConnections`` for calls that the calls in progress may depend on.
    static let extraForUrgent = 4
    /// The maximum number of connections that are kept without a call.
    static let maxIdle = 4

    let loop = EventLoop()
    let commands: MessageQueue<Command>
    let connector: Connector
    var streams: [ObjectIdentifier: StreamConnection] = [:]
    var bridgeWatch: BridgeWatch?
    var pool: [PooledConnection] = []
    /// The connection that keeps this program's pasteboards alive, and does little else.
    weak var primary: PooledConnection?
    /// This program's pasteboards, which are created again on the next bridge.
    var ownPasteboards: [Methods.Create.Parameters] = []
    /// This program's declarations by identifier, which are repeated to the next bridge.
    var declarations: [String: WireTypeDeclaration] = [:]
    var waiting: [PooledConnection.Job] = []
    var isConnecting = false
    /// True if no more connections can be made, so that calls wait for an existing connection.
    var isFull = false
    var lastID = 0
    private var isStopped = false

    init(commands: MessageQueue<Command>, connector: Connector) {
        self.commands = commands
        self.connector = connector
    }

    func run() {
        let registration = loop.add(commands.fileDescriptor, interest: .readable) { [unowned self] _ in
            for command in commands.drain() { perform(command) }
        }
        loop.beforeSleep = { [unowned self] in
            distribute()
            flush()
        }
        loop.earliestDeadline = { [unowned self] in
            (pool.compactMap(\.deadline) + streams.values.compactMap(\.deadline)).min()
        }
        loop.deadlinesPassed = { [unowned self] now in
            for pooled in pool where pooled.deadline.map({ $0 <= now }) ?? false { deadlinePassed(pooled) }
            for stream in streams.values where stream.deadline.map({ $0 <= now }) ?? false {
                end(stream, ClientFault.timedOut)
            }
        }
        // The loop fails if the system is briefly out of memory. Only this thread can continue the calls, so it
        // retries.
        repeat { try? loop.run() } while !isStopped
        registration.cancel()
        fail(
            waiting + pool.map { $0.takeJobs() }.flatMap { $0.underway + $0.refused },
            PasteboardError(code: .unavailable, message: "the pasteboard's thread ended"))
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let pending): waiting.append(PooledConnection.Job(pending))
        case .open(let buffer): connect(for: .stream(buffer), start: buffer.start)
        case .resume(let buffer): resume(buffer)
        case .close(let buffer): close(buffer)
        case .awaitBridge(let completion): awaitBridge(completion)
        case .bridgeMayHaveChanged: lookForBridge()
        case .connected(let result, .pool): connected(result)
        case .connected(let result, .stream(let buffer)): connected(result, for: buffer)
        case .connected(let result, .bridgeWatch): lookedForBridge(result)
        case .alive(let id, let isAlive): alive(id, isAlive)
        case .stop:
            isStopped = true
            loop.stop()
        }
    }

    /// Makes a connection on a separate thread, since that may take as long as starting a bridge.
    func connect(for purpose: Purpose, start: BridgeFinder.Start) {
        let work = { @Sendable [commands, connector] in
            let result: Result<Connection, PasteboardError>
            do throws(PasteboardError) {
                result = .success(try connector.connect(start))
            } catch {
                result = .failure(error)
            }
            commands.send(.connected(result, purpose))
        }
        do {
            _ = try WorkerThread.start(name: "xpb connect", work)
        } catch {
            let error = PasteboardError(code: .unavailable, message: "no thread can be started: \(error)")
            commands.send(.connected(.failure(error), purpose))
        }
    }
}
