package import Configuration
package import EventLoop
import Glibc
package import LinuxSystem
package import Logging
package import PasteboardWire
package import SystemPackage
import X11Bridge

/// The acceptor of connections, within the limits on clients.
///
/// Clients in the bridge's own process, a program with an embedded bridge, are accepted beyond the limits.
package final class ConnectionAcceptor {
    private let sockets: ListeningSockets
    private let quotas: ClientQuotas
    private let executor: EventLoopExecutor
    private let loop: EventLoop
    private let logger: Logger
    private let bounds: ServerBounds
    private let makeHandler: (CallSession) -> any CallHandler
    private var clients = ClientRegistry()

    /// The pause before connections are accepted again after descriptors have run out.
    private static let pause = Duration.seconds(1)
    /// The number of connections that are accepted before the loop serves other descriptors, so that a flood of
    /// connections cannot starve other clients.
    private static let batch = 32

    /// - Parameter makeHandler: Returns the performer of the calls of a new connection.
    package init(
        _ sockets: ListeningSockets, quotas: ClientQuotas, bounds: ServerBounds, executor: EventLoopExecutor,
        loop: EventLoop, logger: Logger, makeHandler: @escaping (CallSession) -> any CallHandler
    ) {
        self.sockets = sockets
        self.quotas = quotas
        self.bounds = bounds
        self.executor = executor
        self.loop = loop
        self.logger = logger
        self.makeHandler = makeHandler
    }

    package var count: Int { clients.count }
    package var use: ClientUse { clients.use }

    /// Accepts connections, also those that wait already.
    package func start() {
        sockets.onConnection = { [unowned self] listener in accept(listener) }
        sockets.isListening = true
    }

    // MARK: Connections

    private func accept(_ listener: Descriptor) {
        do {
            // The listener stays readable while more connections wait.
            for _ in 0..<Self.batch {
                guard let socket = try UnixSocket.accept(listener.fileDescriptor) else { return }
                try serve(socket)
            }
        } catch {
            // Descriptors have run out, perhaps not because of clients. The connection stays in the queue and keeps its
            // listener readable: without a pause the loop would spin.
            logger.warning("a connection could not be accepted: \(error)")
            sockets.isListening = false
            _ = executor.timers.set(.now + Self.pause) { [unowned self] in sockets.isListening = true }
        }
    }

    /// Serves a connection. Refuses a connection with an error if it is another user's, or if a limit is reached and no
    /// idle client can be disconnected for it.
    package func serve(_ socket: Descriptor) throws(Errno) {
        let connection = try ServerConnection(socket: socket, limits: wireLimits)
        guard admits(connection) else { return }
        let client = CallSession(connection, quotas: quotas, executor: executor, loop: loop, logger: logger)
        client.onInput = { [unowned self, unowned client] in didReceive(from: client.process) }
        client.onClose = { [unowned self, unowned client] in clients.remove(client) }
        client.handler = makeHandler(client)
        clients.add(client)
    }

    private func admits(_ connection: ServerConnection) -> Bool {
        let peer = connection.peer
        guard peer.user == getuid() else {
            quotas.refusals.note(.otherUser)
            logger.warning("refused a connection of user \(peer.user), process \(peer.process)")
            return false
        }
        guard peer.process != getpid() else { return true }
        let limit = limits.programClients
        guard clients.count(of: peer.process) < limit else {
            quotas.refusals.note(.programClients)
            logger.notice("refused a connection of process \(peer.process), which has \(limit)")
            connection.reject(.programClients(process: peer.process, limit: limit))
            return false
        }
        guard !isFull || makeRoom(for: peer.process) else {
            quotas.refusals.note(.clients)
            let isSetting = limits.clients <= bounds.clients
            let error = clients.limitReached(setting: isSetting ? "limit-clients" : nil)
            logger.notice("refused a connection of process \(peer.process): \(error.message)")
            connection.reject(error)
            return false
        }
        return true
    }

    /// Disconnects an idle client for a new one. Returns false if there is no idle client.
    private func makeRoom(for process: Int32) -> Bool {
        guard let idle = clients.leastNeeded(limit: clientLimit, newcomer: process) else { return false }
        quotas.evictions += 1
        logger.info("ended an idle connection of process \(idle.process), which has the most, for a new connection")
        // No error is sent, because the client would take it for the answer to its next call.
        idle.close()
        return !isFull
    }

    /// Disconnects the clients with the most unhandled bytes while these are beyond the limits.
    ///
    /// - Parameter process: The process that has sent something.
    private func didReceive(from process: Int32) {
        while let excess = quotas.inbound.excess(limits, by: process),
            let client = clients.fullest(of: excess.process)
        {
            quotas.refusals.note(excess.reason)
            let (reason, setting) = (excess.reason.rawValue, excess.reason.setting ?? "")
            logger.notice("ended a connection of process \(excess.process): \(reason), see \(setting)")
            client.reject(
                BridgeError(.refused, "process \(excess.process): \(reason); send less at once, or raise \(setting)"))
        }
    }

    // MARK: Limits

    private var limits: Configuration.Limits { bounds.limits() }

    private var wireLimits: WireLimits { bounds.wire.applying(limits) }

    private var clientLimit: Int { min(bounds.clients, limits.clients) }

    private var isFull: Bool { clients.count >= clientLimit }

    /// Applies changed limits. Connected clients stay connected.
    package func applyLimits() {
        let limits = wireLimits
        for client in clients.all { client.apply(limits) }
    }

    package func closeAll() {
        for client in clients.all { client.close() }
    }
}

/// The limits on clients and their messages.
package struct ServerBounds {
    /// The maximum number of connected clients, whatever the settings say.
    let clients: Int
    let wire: WireLimits
    /// Returns the limits of the settings.
    let limits: () -> Configuration.Limits

    package init(clients: Int, wire: WireLimits, limits: @escaping () -> Configuration.Limits) {
        self.clients = clients
        self.wire = wire
        self.limits = limits
    }
}

extension WireLimits {
    /// Returns these limits with the values of the settings.
    fileprivate func applying(_ limits: Configuration.Limits) -> WireLimits {
        var result = self
        result.messageBytes = limits.message
        // This leaves room for several of the longest replies.
        result.unsentBytes = max(unsentBytes, 2 * limits.message)
        result.watchQueueBytes = limits.watchQueue
        result.handles = limits.handles
        return result
    }
}

extension BridgeError {
    fileprivate static func programClients(process: Int32, limit: Int) -> BridgeError {
        BridgeError(
            .refused,
            "process \(process) has \(limit) connections, which is the limit; close some, or raise "
                + "limit-program-clients")
    }
}
