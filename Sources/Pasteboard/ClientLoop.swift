import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardWire

/// What goes on on a client's thread: its connections and their deadlines. Nothing here waits but the loop.
final class ClientLoop {
    enum Command: Sendable {
        case start(Exchange)
        case open(StreamBuffer)
        /// The reader has room again.
        case resume(StreamBuffer)
        case close(StreamBuffer)
        /// To be completed when a bridge can be reached; none is started.
        case awaitBridge(Completion<Void>)
        /// Another bridge may be meant from now on.
        case lookAgain
        case connected(Result<Connection, PasteboardError>, Purpose)
        /// Whether the bridge of the link of that number answers.
        case alive(link: Int, Bool)
        case stop
    }

    /// Whom a connection is made for.
    enum Purpose: Sendable {
        case pool
        case stream(StreamBuffer)
        case lookout
    }

    /// The most calls that may be under way at once, and so connections of the pool; the next wait.
    static let mostLinks = 16
    /// More of them for what those under way may be waiting for.
    static let moreForUrgent = 4
    /// The most that are kept without a call.
    static let mostIdle = 4

    let loop = EventLoop()
    let commands: MessageQueue<Command>
    let connector: Connector
    var streams: [ObjectIdentifier: StreamLink] = [:]
    var lookout: Lookout?
    var links: [Link] = []
    /// Keeps the app's pasteboards that this program made alive, and does little else.
    weak var primary: Link?
    /// Those, to be made again with the next bridge.
    var own: [String] = []
    /// What this program declared, likewise, by identifier.
    var declarations: [String: WireTypeDeclaration] = [:]
    var waiting: [Link.Job] = []
    var isConnecting = false
    /// No more connections can be made: it is waited for one that is there.
    var isFull = false
    var lastLink = 0
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
            (links.compactMap(\.deadline) + streams.values.compactMap(\.deadline)).min()
        }
        loop.deadlinesPassed = { [unowned self] now in
            for link in links where link.deadline.map({ $0 <= now }) ?? false { deadlinePassed(link) }
            for stream in streams.values where stream.deadline.map({ $0 <= now }) ?? false {
                end(stream, ClientFault.timedOut)
            }
        }
        // It fails where the system has no memory for a moment, and there is nobody else to go on.
        repeat { try? loop.run() } while !isStopped
        registration.cancel()
        fail(
            waiting + links.flatMap { $0.takeJobs() },
            PasteboardError(code: .unavailable, message: "the pasteboard's thread ended"))
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let exchange): waiting.append(Link.Job(exchange: exchange))
        case .open(let buffer): connect(for: .stream(buffer), start: buffer.start)
        case .resume(let buffer): resume(buffer)
        case .close(let buffer): close(buffer)
        case .awaitBridge(let completion): awaitBridge(completion)
        case .lookAgain: look()
        case .connected(let result, .pool): connected(result)
        case .connected(let result, .stream(let buffer)): connected(result, for: buffer)
        case .connected(let result, .lookout): looked(result)
        case .alive(let id, let isAlive): alive(id, isAlive)
        case .stop:
            isStopped = true
            loop.stop()
        }
    }

    /// Makes a connection on a thread apart, since it may take as long as it takes to start a bridge.
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
