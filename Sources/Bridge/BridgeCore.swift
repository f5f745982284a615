import Configuration
import EventLoop
import FormatConversion
import Glibc
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import SystemPackage
import TypeDatabase
import UserFiles
import X11Bridge

/// The core of every bridge: the loop of the service thread, its clients, and the X thread beside it. It changes
/// nothing that belongs to the process as a whole; see ``BridgeProcess`` for the daemon, and ``BridgeThread`` for a
/// bridge beside other work.
///
/// It lives on the one thread that makes and runs it.
final class BridgeCore: ServiceHost {
    private let options: BridgeOptions
    private let logger: Logger
    private let loop = EventLoop()
    private let executor = EventLoopExecutor()
    private let key: String
    /// The log of a bridge whose standard error nobody sees.
    let logPath: String
    private let sockets: ListeningSockets
    private let display: DisplayProxy
    private let conversions: ConversionPool
    private let service: Service
    private let reconnector: DisplayReconnector
    private let environment: [String: String]
    /// nil for a bridge that stores nothing.
    private var storeThread: StoreThread?
    /// Of a bridge that was started for a forwarded display.
    private var idleShutdown: IdleShutdown?
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    private let activity = DisplayActivity()
    private var clients = ClientRegister()
    private var failure: BridgeFailure?
    private var hasDisplayStopped = false
    /// Called when there has been nothing to do for a while.
    var onIdle: () -> Void = {}
    private var idleDetector = IdleDetector()
    /// Called when the bridge begins to end in order.
    var onLeave: () -> Void = {}
    /// Set once the bridge leaves: the time at which it no longer waits for the X thread, which an X server may hold
    /// up.
    private var leaveDeadline: ContinuousClock.Instant?

    private static let shutdownGrace = Duration.seconds(3)
    /// The pause before connections are accepted again after descriptors have run out.
    private static let acceptPause = Duration.seconds(1)
    /// The most connections that are accepted before clients have their turn.
    private static let maxAccepted = 32

    /// Makes this bridge the one that clients find. Clients are served when ``run(onReady:)`` is called.
    ///
    /// - Throws: An error if the process, the display's name or the folder of the sockets is unsuitable, or another
    ///   bridge is found there.
    init(_ options: BridgeOptions, environment: [String: String], logger: Logger) throws(BridgeFailure) {
        self.options = options
        self.logger = logger
        self.environment = environment
        guard !ThisProcess.hasForeignRights else {
            throw BridgeFailure(
                .misuse,
                "the bridge does not run set-user-id, set-group-id or with capabilities of its file: it would lend one "
                    + "user's rights to another; take them away with chmod and setcap -r")
        }
        key = try ListeningSockets.key(of: options.display)
        do {
            let rendezvous = try Rendezvous(environment: environment)
            sockets = try ListeningSockets(rendezvous, loop: loop, handed: options.listeners)
            logPath = rendezvous.logPath(key)
            commands = try MessageQueue()
            reports = try MessageQueue()
            conversions = try ConversionPool(environment: environment, logger: logger)
            try sockets.take(key, replacing: options.replaces)
            try sockets.takeHanded()
            // An X server answers while the settings and the store are read.
            _ = try DisplayThread.start(commands: commands, reports: reports, activity: activity)
        } catch {
            throw error as? BridgeFailure ?? BridgeFailure(.unavailable, "\(error)")
        }
        display = DisplayProxy(commands: commands, reports: reports, activity: activity)
        display.takesAuthority = !options.isClosed
        if let name = options.display { display.connect(name) }
        TypeDatabase.install(environment: environment)
        let settings = Settings(environment: environment, logger: logger)
        service = Service(
            display: display, conversions: conversions, settings: settings, executor: executor, logger: logger)
        service.expiry.suspendTimer = try? SuspendTimer()
        reconnector = DisplayReconnector(display, service: service, loop: loop)
        service.host = self
    }

    // MARK: Start

    /// Serves until it is told to end, and returns when nothing is left: no client, no display, no lock.
    ///
    /// - Parameter onReady: Called once, when the display is attached or none is wanted.
    func run(onReady: @escaping () -> Void) throws(BridgeFailure) {
        defer { close() }
        do {
            service.settings.reportFaults()
            // The X thread's reports are read after the store: whether an owner that it finds is a change depends on
            // what was on the pasteboard.
            if let name = options.display { display.attach(name, replacing: options.replaces) }
            storeThread = service.restore(
                from: storeFolder, awaitingOther: awaitsOther ? .now + RunningBridge.timeout : nil)
            connectLoop()
            executor.start { [self] in await awaitDisplay(onReady) }
            try loop.run()
        } catch {
            failure = failure ?? BridgeFailure(.unavailable, "\(error)")
        }
        if let failure { throw failure }
    }

    /// True if the store may belong to a bridge that is found elsewhere, and that gives it back when it ends. The X
    /// thread takes the display from that bridge, and waits for its end before it looks at the owners. Without a
    /// display there is no way to tell it to end.
    private var awaitsOther: Bool { options.replaces && options.display != nil }

    /// The folder of the store, one for each display. Contents of another machine's display do not go to this machine's
    /// disk.
    private var storeFolder: Result<String, StoreAbsence> {
        guard options.persists else { return .failure(.unwanted) }
        if isForwarded { return .failure(.forwarded) }
        guard let state = BaseFolders(environment: environment).state else { return .failure(.homeless) }
        return .success("\(state)/xpb/\(key)")
    }

    private var isForwarded: Bool { options.display.flatMap { DisplayName($0) }?.isForwarded ?? false }

    private func awaitDisplay(_ onReady: () -> Void) async {
        guard options.display != nil else {
            logger.notice("serving without a display")
            return onReady()
        }
        switch await display.awaitAttachment(within: options.timeout ?? CallTimeout.max) {
        case .success: onReady()
        case .failure(let failure): end(BridgeFailure(failure.reason, failure.message))
        case nil: end(BridgeFailure(.unavailable, BridgeError.displayDoesNotOpen.message))
        }
    }

    /// Has the loop watch the threads, the timers and the clients.
    private func connectLoop() {
        watch(display.fileDescriptor) { [unowned self] in display.receive() }
        watch(conversions.fileDescriptor) { [unowned self] in
            conversions.receive()
            endIfDone()
        }
        if let storeThread {
            watch(storeThread.fileDescriptor, storeThread.receive)
            storeThread.onNotice = { [logger] in logger.warning("\($0)") }
            storeThread.onClose = { [unowned self] in endIfDone() }
        }
        if let timer = service.expiry.suspendTimer { watch(timer.fileDescriptor, timer.drain) }
        loop.earliestDeadline = { [unowned self] in earliestDeadline }
        loop.deadlinesPassed = { [unowned self] now in deadlinesPassed(now) }
        loop.beforeSleep = { [unowned self] in
            service.quotas.scheduler.beginRound()
            idleShutdown?.update()
            idleDetector.worked(.now)
        }
        if !options.isClosed, isForwarded {
            idleShutdown = IdleShutdown(service) { [unowned self] in
                logger.notice("leaving: the display is forwarded, and nobody needs the bridge")
                leave()
            }
        }
        sockets.onConnection = { [unowned self] listener in accept(listener) }
        display.onEvent = { [unowned self] report in handle(report) }
    }

    private var earliestDeadline: ContinuousClock.Instant? {
        if service.quotas.scheduler.isAnyWaiting { return .now }
        return display.deadline.orEarlier(executor.timers.earliest).orEarlier(leaveDeadline)
            .orEarlier(idleDetector.deadline)
    }

    private func deadlinesPassed(_ now: ContinuousClock.Instant) {
        display.expire(now: now)
        for body in executor.timers.takeDue(at: now) { body() }
        for session in service.quotas.scheduler.takeWaiting() { session.goOn() }
        if let leaveDeadline, leaveDeadline <= now { loop.stop() }
        if idleDetector.begins(now) { onIdle() }
    }

    // MARK: The display

    func willAttach(_ name: String) throws(BridgeFailure) {
        let wanted = try ListeningSockets.key(of: name)
        guard !options.isClosed || wanted == key else {
            throw BridgeFailure(
                .misuse, "this bridge is part of a program, process \(getpid()), and takes no other display")
        }
        try sockets.take(wanted)
    }

    func didNotAttach(_ name: String) {
        if let key = try? ListeningSockets.key(of: name) { sockets.giveUp(key) }
    }

    private func handle(_ report: DisplayReport) {
        service.handle(report)
        switch report {
        case .replaced:
            logger.notice("another bridge takes over")
            leave()
        case .stopped:
            hasDisplayStopped = true
            // After the last change was reported.
            service.persistence.close()
            endIfDone()
        case .detached(let display): lost(display)
        case .attached: reconnector.stop()
        case .attachFailed: reconnector.attemptFailed()
        default: break
        }
    }

    /// Handles the end of a display. A forwarded display ends with the session that forwards it: a display of that name
    /// later is another one.
    private func lost(_ name: String) {
        guard display.isForwarded else { return reconnector.start() }
        if idleShutdown != nil {
            logger.notice("leaving: the display was forwarded")
            leave()
        } else if let lostKey = try? ListeningSockets.key(of: name), lostKey != key {
            display.forget()
            sockets.giveUp(lostKey)
        }
    }

    /// Ends the loop once nothing is owned any longer and no filter program runs.
    private func endIfDone() {
        if hasDisplayStopped, conversions.isIdle, storeThread?.isClosed ?? true { loop.stop() }
    }

    // MARK: Clients

    /// Has the loop look at a descriptor that stays open for as long as the bridge runs.
    func watch(_ fileDescriptor: FileDescriptor, _ handler: @escaping () -> Void) {
        _ = loop.add(fileDescriptor, interest: .readable) { _ in handler() }
    }

    private func accept(_ listener: Descriptor) {
        do {
            // Who connects faster than connections are taken keeps nobody else waiting: the listener stays readable.
            for _ in 0..<Self.maxAccepted {
                guard let socket = try UnixSocket.accept(listener.fileDescriptor) else { return }
                try serve(socket)
            }
        } catch {
            // Descriptors have run out. A connection that cannot be taken keeps its listener readable: without a pause
            // the loop would spin. Who has them may be no client.
            logger.warning("a connection could not be taken: \(error)")
            sockets.isListening = false
            _ = executor.timers.set(.now + Self.acceptPause) { [unowned self] in sockets.isListening = true }
        }
    }

    /// Serves a connection, unless it is another user's, or of a process that has as many as it may, or there is no
    /// place and nobody has one that is not needed.
    func serve(_ socket: Descriptor) throws(Errno) {
        let connection = try ServerConnection(socket: socket, limits: wireLimits)
        let peer = connection.peer
        guard peer.user == getuid() else {
            service.quotas.refusals.note(.otherUser)
            return logger.warning("refused a connection of user \(peer.user), process \(peer.process)")
        }
        let most = limits.programClients
        // The program that this is in is no stranger.
        guard clients.count(of: peer.process) < most || peer.process == getpid() else {
            service.quotas.refusals.note(.programClients)
            logger.notice("refused a connection of process \(peer.process), which has \(most)")
            return connection.turnAway(
                BridgeError(
                    .refused,
                    "process \(peer.process) has as many connections as it may, \(most); close some, or raise limit-program-clients"
                ))
        }
        // Connections of the program that this is in count, and are taken beyond the limit.
        guard !isFull || peer.process == getpid() || makeRoom(for: peer.process) else {
            service.quotas.refusals.note(.clients)
            let isSet = limits.clients <= options.clientLimit
            let error = clients.full(setting: isSet ? "limit-clients" : nil)
            logger.notice("refused a connection of process \(peer.process): \(error.message)")
            return connection.turnAway(error)
        }
        let client = ClientSession(connection, service: service, loop: loop, logger: logger) { [unowned self] in
            clientLeft($0)
        }
        clients.add(client)
    }

    /// Ends a connection that nobody needs, where there is one.
    private func makeRoom(for process: Int32) -> Bool {
        let needed = service.registry.value.livingClients
        let idle = clients.leastNeeded(limit: clientLimit, newcomer: process) { needed.contains(ObjectIdentifier($0)) }
        guard let idle else { return false }
        service.quotas.evictions += 1
        logger.info("ended an idle connection of process \(idle.process), which has the most, for a new one")
        // Without a word: that something is said tells a client that its next call was taken.
        idle.close()
        return !isFull
    }

    /// Where more has come of messages than may wait, ends connections of who has sent it until it is no more than
    /// that.
    func didReceive(from process: Int32) {
        while let excess = service.quotas.inbound.excess(limits, by: process),
            let client = clients.fullest(of: excess.process)
        {
            service.quotas.refusals.note(excess.reason)
            let limit = excess.reason.setting ?? ""
            logger.notice("ended a connection of process \(excess.process): \(excess.reason.rawValue), see \(limit)")
            client.turnAway(
                BridgeError(
                    .refused,
                    "process \(excess.process): \(excess.reason.rawValue); send less at once, or raise \(limit)"))
        }
    }

    private func clientLeft(_ client: ClientSession) {
        service.clientLeft(client)
        clients.remove(client)
    }

    var clientCount: Int { clients.count }
    var clientUse: ClientUse { clients.use }

    private var limits: Configuration.Limits { service.settings.configuration.limits }

    private var wireLimits: WireLimits { options.limits.set(by: limits) }

    private var clientLimit: Int { min(options.clientLimit, limits.clients) }

    private var isFull: Bool { clients.count >= clientLimit }

    /// Applies changed limits. Connected clients stay connected.
    func settingsDidChange() {
        let limits = wireLimits
        for client in clients.all { client.apply(limits) }
    }

    /// Reads the settings again, and does as they say from now on.
    func reload() {
        logger.notice("reading the settings again")
        service.refreshSettings(always: true)
    }

    // MARK: End

    private func end(_ failure: BridgeFailure) {
        self.failure = failure
        loop.stop()
    }

    /// Releases everything in the order in which a successor looks at it: the sockets, the locks, the connections. The
    /// X thread ends by itself, however long an X server holds it up.
    private func close() {
        if leaveDeadline == nil {
            conversions.stop()
            service.ownership.releaseAll()
        }
        sockets.giveUpAll()
        for client in clients.all { client.close() }
    }

    /// Ends in order: promises are awaited, no new clients are accepted, contents are handed on where possible, the
    /// selections are released, and transfers under way are completed.
    func leave() {
        guard leaveDeadline == nil else { return }
        leaveDeadline = .now + Service.maxShutdownTime + Self.shutdownGrace
        onLeave()
        service.isLeaving = true
        executor.start { [self] in
            await service.prepareShutdown { sockets.withdraw() }
            leaveDeadline = .now + Self.shutdownGrace
            conversions.stop()
            service.ownership.releaseAll()
        }
    }
}

extension AttachFailure {
    /// For a bridge that was started for this display.
    fileprivate var reason: BridgeFailure.Reason {
        switch self {
        case .display: .unavailable
        case .served(let process): .served(process: process)
        }
    }
}
