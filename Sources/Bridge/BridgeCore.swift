import Configuration
import EventLoop
import Glibc
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import SystemPackage
import TypeDatabase
import UserFiles

/// What every bridge is: the loop of the service thread, its clients, and the display thread beside it. It changes
/// nothing that belongs to the process as a whole; see ``BridgeProcess`` for the daemon, and ``BridgeThread`` for a bridge
/// beside other work.
///
/// It lives on the one thread that makes and runs it.
final class BridgeCore {
    private let options: BridgeOptions
    private let logger: Logger
    private let loop = EventLoop()
    private let key: String
    /// Where a bridge whose standard error nobody sees writes its log.
    let logPath: String
    private let points: ServicePoints
    private let link: DisplayLink
    private let workshop: Workshop
    private let service: Service
    private let displayReturn: DisplayReturn
    private let environment: [String: String]
    /// Where what outlives the bridge is; nil for a bridge that keeps nothing.
    private var storeThread: StoreThread?
    /// Of a bridge that was started for a forwarded display.
    private var departure: Departure?
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    private let activity = DisplayActivity()
    private var clients = ClientRegister()
    private var failure: BridgeFailure?
    private var hasDisplayStopped = false
    /// Called when there has been nothing to do for a while.
    var onRest: () -> Void = {}
    private var rest = Rest()
    /// Called once it begins to end in order.
    var onLeave: () -> Void = {}
    /// Set once the bridge leaves: when it stops waiting for the display thread, which an X server may keep.
    private var leaving: ContinuousClock.Instant?

    private static let farewell = Duration.seconds(3)
    /// Before connections are taken again, where descriptors have run out.
    private static let pause = Duration.seconds(1)
    /// So many connections are taken before clients have their turn.
    private static let acceptedAtOnce = 32

    /// Makes this bridge the one that clients find. They are served when ``run(onReady:)`` is called.
    ///
    /// - Throws: Where the process, the display's name or the folder of the sockets will not do, or another bridge is
    ///   found there.
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
        key = try ServicePoints.key(of: options.display)
        do {
            let rendezvous = try Rendezvous(environment: environment)
            points = try ServicePoints(rendezvous, loop: loop, handed: options.listeners)
            logPath = rendezvous.logPath(key)
            commands = try MessageQueue()
            reports = try MessageQueue()
            workshop = try Workshop(environment: environment, logger: logger)
            try points.take(key, replacing: options.replaces)
            try points.takeHanded()
            // An X server takes its time to answer, which is that of the settings and the store.
            _ = try DisplayWorker.start(commands: commands, reports: reports, activity: activity)
        } catch {
            throw error as? BridgeFailure ?? BridgeFailure(.unavailable, "\(error)")
        }
        link = DisplayLink(commands: commands, reports: reports, activity: activity)
        link.takesAuthority = !options.isClosed
        if let display = options.display { link.connect(display) }
        TypeDatabase.install(environment: environment)
        let settings = Settings(environment: environment, logger: logger)
        service = Service(link: link, workshop: workshop, settings: settings, logger: logger)
        service.expiryTimer = try? SuspendTimer()
        displayReturn = DisplayReturn(link, service: service, loop: loop)
    }

    // MARK: Start

    /// Serves until it is told to end, and returns when nothing is left: no client, no display, no lock.
    ///
    /// - Parameter onReady: Called once, when the display is attached or none is wanted.
    func run(onReady: @escaping () -> Void) throws(BridgeFailure) {
        defer { close() }
        do {
            service.settings.reportFaults()
            // What the display thread reports is read once the store was: whether an owner that it finds is a change goes
            // by what was on the pasteboard.
            if let display = options.display { link.attach(display, replacing: options.replaces) }
            storeThread = service.restart(
                from: storeFolder, awaitingOther: awaitsOther ? .now + Predecessor.patience : nil)
            wire()
            awaitDisplay(onReady)
            try loop.run()
        } catch {
            failure = failure ?? BridgeFailure(.unavailable, "\(error)")
        }
        if let failure { throw failure }
    }

    /// Whether the store may be that of a bridge which is found elsewhere, and gives it back when it ends. The display
    /// thread has the display taken from it, and waits for that end itself before it looks who owns what. Without a
    /// display there is no word to such a one.
    private var awaitsOther: Bool { options.replaces && options.display != nil }

    /// One for each display. What another machine's display shows is not for this machine's disk.
    private var storeFolder: Result<String, StoreAbsence> {
        guard options.persists else { return .failure(.unwanted) }
        if options.display.flatMap({ DisplayName($0) })?.isForwarded ?? false { return .failure(.forwarded) }
        guard let state = BaseFolders(environment: environment).state else { return .failure(.homeless) }
        return .success("\(state)/xpb/\(key)")
    }

    private func awaitDisplay(_ onReady: @escaping () -> Void) {
        guard options.display != nil else {
            logger.notice("serving without a display")
            return onReady()
        }
        link.whenAttached(within: options.patience ?? Patience.longest) { [unowned self] result in
            switch result {
            case .success: onReady()
            case .failure(let failure): end(BridgeFailure(failure.reason, failure.message))
            case nil: end(BridgeFailure(.unavailable, BridgeError.displayDoesNotOpen.message))
            }
        }
    }

    private func wire() {
        _ = loop.add(link.fileDescriptor, interest: .readable) { [unowned self] _ in link.receive() }
        _ = loop.add(workshop.fileDescriptor, interest: .readable) { [unowned self] _ in
            workshop.receive()
            endIfDone()
        }
        if let storeThread {
            _ = loop.add(storeThread.fileDescriptor, interest: .readable) { _ in storeThread.receive() }
            storeThread.onNotice = { [logger] in logger.warning("\($0)") }
            storeThread.onClose = { [unowned self] in endIfDone() }
        }
        if let timer = service.expiryTimer {
            _ = loop.add(timer.fileDescriptor, interest: .readable) { _ in timer.drain() }
        }
        loop.earliestDeadline = { [unowned self] in
            service.shares.isAnyWaiting
                ? .now
                : link.deadline.orEarlier(service.alarms.earliest).orEarlier(leaving).orEarlier(rest.deadline)
        }
        loop.deadlinesPassed = { [unowned self] now in
            link.expire(now: now)
            for body in service.alarms.take(now: now) { body() }
            service.serveWaiting()
            if let leaving, leaving <= now { loop.stop() }
            if rest.begins(now) { onRest() }
        }
        loop.beforeSleep = { [unowned self] in
            service.shares.beginRound()
            departure?.consider()
            rest.worked(.now)
        }
        if !options.isClosed, options.display.flatMap({ DisplayName($0) })?.isForwarded == true {
            let departure = Departure(service) { [unowned self] in
                logger.notice("leaving: the display is forwarded, and nobody needs the bridge")
                leave()
            }
            self.departure = departure
        }
        points.onConnection = { [unowned self] listener in accept(listener) }
        link.onEvent = { [unowned self] report in handle(report) }
        service.clientCount = { [unowned self] in clients.count }
        service.clientUse = { [unowned self] in clients.use }
        service.onExcess = { [unowned self] process in endFullest(sentBy: process) }
        service.onStop = { [unowned self] in leave() }
        service.settingsChanged = { [unowned self] in
            service.applySettings()
            applyLimits()
        }
        service.didNotAttach = { [unowned self] display in
            if let key = try? ServicePoints.key(of: display) { points.giveUp(key) }
        }
        service.willAttach = { [unowned self] display throws(BridgeFailure) in try willAttach(display) }
    }

    private func willAttach(_ display: String) throws(BridgeFailure) {
        let wanted = try ServicePoints.key(of: display)
        guard !options.isClosed || wanted == key else {
            throw BridgeFailure(
                .misuse, "this bridge is part of a program, process \(getpid()), and takes no other display")
        }
        try points.take(wanted)
    }

    private func handle(_ report: DisplayReport) {
        service.handle(report)
        switch report {
        case .replaced:
            logger.notice("another bridge takes over")
            leave()
        case .stopped:
            hasDisplayStopped = true
            // Behind the last change that is told.
            service.closeStore()
            endIfDone()
        case .detached(let display): lost(display)
        case .attached: displayReturn.end()
        case .attachFailed: displayReturn.failed()
        default: break
        }
    }

    /// A forwarded display ends with the session that forwards it: what has its name later is another one.
    private func lost(_ display: String) {
        guard link.isForwarded else { return displayReturn.begin() }
        if departure != nil {
            logger.notice("leaving: the display was forwarded")
            leave()
        } else if let name = try? ServicePoints.key(of: display), name != key {
            link.forget()
            points.giveUp(name)
        }
    }

    /// Once nothing is owned any more and no program runs for us.
    private func endIfDone() {
        if hasDisplayStopped, workshop.isIdle, storeThread?.isClosed ?? true { loop.stop() }
    }

    // MARK: Clients

    /// Has the loop look at a descriptor that stays open for as long as the bridge runs.
    func watch(_ fileDescriptor: FileDescriptor, _ handler: @escaping () -> Void) {
        _ = loop.add(fileDescriptor, interest: .readable) { _ in handler() }
    }

    private func accept(_ listener: Descriptor) {
        do {
            // Who connects faster than connections are taken keeps nobody else waiting: the listener stays readable.
            for _ in 0..<Self.acceptedAtOnce {
                guard let socket = try UnixSocket.accept(listener.fileDescriptor) else { return }
                try serve(socket)
            }
        } catch {
            // Descriptors have run out. A connection that cannot be taken keeps its listener readable: without a pause
            // the loop would spin. Who has them may be no client.
            logger.warning("a connection could not be taken: \(error)")
            points.isListening = false
            _ = service.alarms.set(.now + Self.pause) { [unowned self] in points.isListening = true }
        }
    }

    /// Serves a connection, unless it is another user's, or of a process that has as many as it may, or there is no place
    /// and nobody has one that is not needed.
    func serve(_ socket: Descriptor) throws(Errno) {
        let connection = try ServerConnection(socket: socket, limits: wireLimits)
        let peer = connection.peer
        guard peer.user == getuid() else {
            service.refusals.note(.otherUser)
            return logger.warning("refused a connection of user \(peer.user), process \(peer.process)")
        }
        let most = limits.programClients
        // The program that this is in is no stranger.
        guard clients.count(of: peer.process) < most || peer.process == getpid() else {
            service.refusals.note(.programClients)
            logger.notice("refused a connection of process \(peer.process), which has \(most)")
            return connection.turnAway(
                BridgeError(
                    .refused,
                    "process \(peer.process) has as many connections as it may, \(most); close some, or raise limit-program-clients"
                ))
        }
        // Connections of the program that this is in count, and are taken beyond the limit.
        guard !isFull || peer.process == getpid() || makeRoom(for: peer.process) else {
            service.refusals.note(.clients)
            let isSet = limits.clients <= options.clientLimit
            let error = clients.full(setting: isSet ? "limit-clients" : nil)
            logger.notice("refused a connection of process \(peer.process): \(error.message)")
            return connection.turnAway(error)
        }
        let client = ClientSession(connection, service: service, loop: loop, logger: logger) { [unowned self] in
            left($0)
        }
        clients.add(client)
    }

    /// Ends a connection that nobody needs, where there is one.
    private func makeRoom(for process: Int32) -> Bool {
        let needed = service.table.value.livingClients
        let idle = clients.leastNeeded(limit: clientLimit, newcomer: process) { needed.contains(ObjectIdentifier($0)) }
        guard let idle else { return false }
        service.evictions += 1
        logger.info("ended an idle connection of process \(idle.process), which has the most, for a new one")
        // Without a word: that something is said tells a client that its next call was taken.
        idle.close()
        return !isFull
    }

    /// Where more has come of messages than may wait, ends connections of who has sent it until it is no more than that.
    private func endFullest(sentBy process: Int32) {
        while let excess = service.incoming.excess(limits, by: process),
            let client = clients.fullest(of: excess.process)
        {
            service.refusals.note(excess.reason)
            let limit = excess.reason.setting ?? ""
            logger.notice("ended a connection of process \(excess.process): \(excess.reason.rawValue), see \(limit)")
            client.turnAway(
                BridgeError(
                    .refused,
                    "process \(excess.process): \(excess.reason.rawValue); send less at once, or raise \(limit)"))
        }
    }

    private func left(_ client: ClientSession) {
        service.left(client)
        clients.remove(client)
    }

    private var limits: Configuration.Limits { service.settings.configuration.limits }

    private var wireLimits: WireLimits { options.limits.set(by: limits) }

    private var clientLimit: Int { min(options.clientLimit, limits.clients) }

    private var isFull: Bool { clients.count >= clientLimit }

    /// The user set others. Who is connected stays so.
    private func applyLimits() {
        let limits = wireLimits
        for client in clients.all { client.take(limits) }
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

    /// Lets go of everything, in the order in which a successor looks at it: the sockets, the locks, the connections. The
    /// display thread ends by itself, however long an X server keeps it.
    private func close() {
        if leaving == nil {
            workshop.stop()
            service.giveUp()
        }
        points.giveUpAll()
        for client in clients.all { client.close() }
    }

    /// Ends in order: promises kept, no new clients, what can be handed on handed on, the selections given up, what is
    /// being sent brought to its end.
    func leave() {
        guard leaving == nil else { return }
        leaving = .now + Service.longestWindUp + Self.farewell
        onLeave()
        service.isLeaving = true
        service.windUp(afterPromises: { [points] in points.withdraw() }) { [unowned self] in
            leaving = .now + Self.farewell
            workshop.stop()
            service.giveUp()
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
