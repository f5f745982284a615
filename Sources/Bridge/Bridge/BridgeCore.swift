package import BridgeServer
import BridgeState
import Configuration
import EventLoop
import FormatConversion
import Glibc
package import LinuxSystem
package import Logging
package import PasteboardWire
import SessionBus
package import SystemPackage
import TypeDatabase
import UserFiles
import X11Bridge

/// The core of every bridge: the loop of the service thread, the clients, and the X thread. The core leaves
/// process-wide state alone: the program `xpbd` sets it up for the daemon, and ``BridgeThread`` runs a bridge inside
/// another program.
///
/// One thread makes the core, runs it and uses it.
package final class BridgeCore: ServiceHost {
    private let options: BridgeOptions
    private let logger: Logger
    private let loop = EventLoop()
    private let executor = EventLoopExecutor()
    private let key: String
    /// The path of the log of a bridge whose standard error is not shown to the user.
    package let logPath: String
    private let sockets: ListeningSockets
    private let display: DisplayProxy
    private let conversions: ConversionPool
    private let service: Service
    private let reconnector: Reconnector
    /// The connection to the compositor; nil for a bridge without a Wayland display.
    private var seatConnector: SeatConnector?
    private let acceptor: ConnectionAcceptor
    private let environment: [String: String]
    /// The thread of the store; nil for a bridge that stores nothing.
    private var storeThread: StoreThread?
    /// True for a bridge that was started for the display of another machine or user.
    private lazy var isGuest = options.display.flatMap { DisplayName($0) }?.isGuest ?? false
    /// True if xvfb-run(1) started the X server, for one command. A later server with the same display number belongs
    /// to another job, so nothing is kept for it.
    private lazy var isForOneCommand = DisplayName.isForOneCommand(authority: environment["XAUTHORITY"])
    /// The shutdown of an idle guest; nil for any other bridge.
    private var idleShutdown: IdleShutdown?
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    private let activity = DisplayActivity()
    private var failure: BridgeFailure?
    private var hasDisplayStopped = false
    /// Called when the bridge becomes idle: see ``IdleDetector``.
    package var onIdle: () -> Void = {}
    private var idleDetector = IdleDetector()
    /// Called when the bridge begins to shut down.
    package var onLeave: () -> Void = {}
    /// The deadline of the wait for the X thread, which an X server may hold up; nil until the bridge leaves.
    private var leaveDeadline: ContinuousClock.Instant?

    private static let shutdownGrace = Duration.seconds(3)
    /// The time after the start from which clients are accepted even if the display is not attached yet.
    private static let attachmentGrace = Duration.seconds(1)

    /// Makes this bridge the one that clients find. Clients are served when ``run(onReady:)`` is called.
    /// - Throws: An error if the process, the display's name or the folder of the sockets is unsuitable, or if another
    ///   bridge is found in that folder.
    package init(_ options: BridgeOptions, environment: [String: String], logger: Logger) throws(BridgeFailure) {
        self.options = options
        self.logger = logger
        self.environment = environment
        guard !ThisProcess.isPrivileged else {
            throw BridgeFailure(
                .misuse,
                "the bridge does not run set-user-id, set-group-id or with file capabilities: it would lend one "
                    + "user's rights to another; remove them with chmod and setcap -r")
        }
        key = try ListeningSockets.key(of: options.display, wayland: options.wayland)
        do {
            let runtimeDirectory = try RuntimeDirectory(environment: environment)
            sockets = try ListeningSockets(runtimeDirectory, loop: loop, inherited: options.listeners)
            logPath = runtimeDirectory.logPath(key)
            commands = try MessageQueue()
            reports = try MessageQueue()
            conversions = try ConversionPool(environment: environment, logger: logger)
            try sockets.listen(at: key, replacing: options.replaces)
            try sockets.listenAtInherited()
            // The X server answers while the settings and the store are read.
            _ = try DisplayThread.start(commands: commands, reports: reports, activity: activity)
        } catch {
            throw error as? BridgeFailure ?? BridgeFailure(.unavailable, "\(error)")
        }
        display = DisplayProxy(commands: commands, reports: reports, activity: activity)
        display.adoptsAuthority = !options.isClosed
        if let name = options.display { display.connect(name) }
        TypeDatabase.install(environment: environment)
        let settings = Settings(
            environment: environment, pictureCommand: options.pictureCommand, logger: logger)
        service = Service(
            display: display, conversions: conversions, settings: settings, executor: executor, logger: logger)
        service.seat.isExpected = options.wayland != nil
        service.expiry.suspendTimer = try? SuspendTimer()
        reconnector = Reconnector(.init(display, of: service), loop: loop, timers: executor.timers)
        if options.wayland != nil { display.recognizeCompositor(isRequired: options.display == nil) }
        let bounds = ServerBounds(clients: options.clientLimit, wire: options.limits) { settings.configuration.limits }
        acceptor = ConnectionAcceptor(
            sockets, quotas: service.quotas, bounds: bounds, executor: executor, loop: loop, logger: logger
        ) { [service] session in Client(session, service: service) }
        service.inherited = options.inherited
        service.host = self
        offerFileTransfers()
    }

    // MARK: Start

    /// Serves until ``leave()`` is called, and returns once the clients, the display and the locks are released.
    ///
    /// - Parameter onReady: Called once, when the display is attached or no display is wanted.
    package func run(onReady: @escaping () -> Void) throws(BridgeFailure) {
        defer { close() }
        do {
            service.settings.reportFaults()
            // The X thread's reports are read after the store, because the stored contents decide whether an owner that
            // the X thread finds is a change.
            if let name = options.display { display.attach(name, replacing: options.replaces) }
            storeThread = service.restore(
                from: storeFolder, awaitingOther: awaitsOther ? .now + RunningBridge.timeout : nil)
            connectLoop()
            executor.start { [self] in await awaitDisplays(onReady) }
            // If a bridge with another folder serves the display, this bridge ends at once, and must not have answered
            // anyone. If the X server is slow, clients need not wait for it.
            _ = executor.timers.set(.now + Self.attachmentGrace) { [unowned self] in
                if failure == nil, leaveDeadline == nil { acceptor.start() }
            }
            try loop.run()
        } catch {
            failure = failure ?? BridgeFailure(.unavailable, "\(error)")
        }
        if let failure { throw failure }
    }

    /// True if another bridge, whose sockets are in a different folder, may hold the store until it ends. The X thread
    /// takes the display from that bridge, and waits for that bridge's end before it examines the owners. Without a
    /// display, this bridge cannot make the other bridge end.
    private var awaitsOther: Bool { options.replaces && options.display != nil }

    /// The folder of the store, one for each display. Contents of another machine's display do not go to this machine's
    /// disk.
    private var storeFolder: Result<String, StoreAbsence> {
        guard options.persists else { return .failure(.unwanted) }
        if isGuest {
            let isForwarded = options.display.flatMap { DisplayName($0) }?.isForwarded ?? false
            return .failure(isForwarded ? .forwarded : .ofAnotherUser)
        }
        if isForOneCommand { return .failure(.ofOneCommand) }
        guard let state = BaseFolders(environment: environment).state else { return .failure(.homeless) }
        if geteuid() == 0, let (folder, user) = Folder.existing(above: state), user != 0 {
            return .failure(.inFolder(folder, of: user))
        }
        return .success("\(state)/xpb/\(key)")
    }

    private func awaitDisplays(_ onReady: () -> Void) async {
        if options.display != nil, let failure = await awaitDisplay() { return fail(failure) }
        acceptor.start()
        if let name = options.wayland, let failure = await awaitSeat(name) { return fail(failure) }
        if options.display == nil, options.wayland == nil { logger.notice("serving without a display") }
        onReady()
    }

    /// Serves the session's Wayland display. If the bridge also serves an X display, the Wayland display is served only
    /// if the X display is that of its Xwayland, and a failure here is not a failure of the bridge.
    private func awaitSeat(_ name: WaylandName) async -> BridgeFailure? {
        defer { service.seat.startHasEnded() }
        if options.display != nil {
            guard await display.ask(CompositorQuery(), within: CallTimeout.default) == true else {
                logger.notice("not serving Wayland display \(name.canonical): the X display is not that of Xwayland")
                return nil
            }
            do throws(BridgeFailure) {
                try sockets.listen(at: name.key, replacing: options.replaces)
            } catch {
                logger.warning("not serving Wayland display \(name.canonical): \(error)")
                return nil
            }
        }
        let connector = makeConnector(to: name)
        seatConnector = connector
        do throws(BridgeFailure) {
            try await connector.start(within: options.timeout ?? CallTimeout.default)
        } catch {
            guard options.display != nil else { return error }
            logger.warning("Wayland programs are not seen yet: \(error)")
            connector.keepTrying()
        }
        return nil
    }

    /// Offers copied files to sandboxed programs, if the session has a bus.
    private func offerFileTransfers() {
        guard let address = SessionBus.address(in: environment), SessionBus.mayExist(address) else { return }
        let portal = FileTransferPortal(address: address, loop: loop, timers: service.executor.timers)
        service.versions.fileTransfer = { list throws(ConversionFailure) in try await portal.key(for: list) }
    }

    private func makeConnector(to name: WaylandName) -> SeatConnector {
        SeatConnector(
            name, seat: options.seat, busAddress: SessionBus.address(in: environment), service: service, loop: loop,
            logger: logger)
    }

    private func awaitDisplay() async -> BridgeFailure? {
        switch await display.awaitAttachment(within: options.timeout ?? CallTimeout.max) {
        case .success: nil
        case .failure(let failure): BridgeFailure(failure.reason, failure.message)
        case nil: BridgeFailure(.unavailable, BridgeError.displayDoesNotOpen.message)
        }
    }

    /// Makes the loop watch the threads, the timers and the clients.
    private func connectLoop() {
        watch(display.fileDescriptor) { [unowned self] in display.receiveSome() }
        watch(conversions.fileDescriptor) { [unowned self] in
            conversions.receive()
            stopIfDone()
        }
        if let storeThread {
            watch(storeThread.fileDescriptor, storeThread.receive)
            storeThread.onNotice = { [logger] in logger.warning("\($0)") }
            storeThread.onClose = { [unowned self] in stopIfDone() }
        }
        if let timer = service.expiry.suspendTimer { watch(timer.fileDescriptor, timer.drain) }
        loop.earliestDeadline = { [unowned self] in earliestDeadline }
        loop.deadlinesPassed = { [unowned self] now in deadlinesPassed(now) }
        loop.beforeSleep = { [unowned self] in
            service.quotas.scheduler.startRound()
            idleShutdown?.update()
            idleDetector.noteWork(at: .now)
        }
        if !options.isClosed, isGuest {
            idleShutdown = IdleShutdown(service) { [unowned self] in
                logger.notice("leaving: the display is not this user's, and nobody needs the bridge")
                leave()
            }
        }
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
        for session in service.quotas.scheduler.takeWaiting() { session.resume() }
        if let leaveDeadline, leaveDeadline <= now { loop.stop() }
        if idleDetector.becomesIdle(at: now) { onIdle() }
    }

    // MARK: The display

    package func willAttach(_ name: String) throws(BridgeFailure) {
        let wanted = try ListeningSockets.key(of: name)
        guard !options.isClosed || wanted == key else {
            throw BridgeFailure(
                .misuse, "this bridge is part of a program, process \(getpid()), and serves no other display")
        }
        try sockets.listen(at: wanted)
    }

    package func didNotAttach(_ name: String) {
        if let key = try? ListeningSockets.key(of: name) { sockets.release(key) }
    }

    package func attach(_ name: WaylandName, within timeout: Duration) async throws(BridgeFailure) {
        if let present = seatConnector, present.name != name {
            throw BridgeFailure(.misuse, "this bridge serves Wayland display \(present.name.canonical)")
        }
        guard !options.isClosed || seatConnector != nil else {
            throw BridgeFailure(
                .misuse, "this bridge is part of a program, process \(getpid()), and serves no other display")
        }
        display.recognizeCompositor(isRequired: true)
        if display.isAttached, await display.ask(CompositorQuery(), within: timeout) != true {
            throw BridgeFailure(
                .misuse, "this bridge serves display \(display.name ?? ""), which is not that of Xwayland")
        }
        try sockets.listen(at: name.key)
        let connector = seatConnector ?? makeConnector(to: name)
        seatConnector = connector
        do throws(BridgeFailure) {
            try await connector.start(within: timeout)
        } catch {
            if !connector.hasAnswered, name.key != key {
                sockets.release(name.key)
                connector.close()
                if seatConnector === connector { seatConnector = nil }
            }
            throw error
        }
    }

    private func handle(_ report: DisplayReport) {
        if case .attached = report { seatConnector?.displayDidAttach() }
        service.handle(report)
        switch report {
        case .replaced:
            logger.notice("another bridge takes over")
            leave()
        case .stopped:
            hasDisplayStopped = true
            // The last change has been reported.
            service.persistence.close()
            stopIfDone()
        case .detached(let display): displayLost(display)
        case .attached: reconnector.stop()
        case .attachFailed: reconnector.attemptFailed()
        default: break
        }
    }

    /// Handles the end of a display. A display of another machine or user ends with its session: a later display of the
    /// same name is a different display.
    private func displayLost(_ name: String) {
        if isForOneCommand {
            logger.notice("leaving: the display of xvfb-run has ended")
            return leave()
        }
        guard display.isGuest else { return reconnector.start() }
        if idleShutdown != nil {
            logger.notice("leaving: the display was not this user's")
            leave()
        } else if let lostKey = try? ListeningSockets.key(of: name), lostKey != key {
            display.forget()
            sockets.release(lostKey)
        }
    }

    /// Stops the loop once the store is closed, the X thread has ended and no filter program is running. After a
    /// failure, only the store is awaited: the X thread may be waiting for a server that does not answer.
    private func stopIfDone() {
        let isStoreClosed = storeThread?.isClosed ?? true
        if isStoreClosed, failure != nil || hasDisplayStopped && conversions.isIdle { loop.stop() }
    }

    // MARK: Clients

    /// Makes the loop watch a descriptor that stays open for as long as the bridge runs.
    package func watch(_ fileDescriptor: FileDescriptor, _ handler: @escaping () -> Void) {
        _ = loop.add(fileDescriptor, interest: .readable) { _ in handler() }
    }

    /// Serves one end of a connection.
    package func serve(_ socket: Descriptor) throws(Errno) { try acceptor.serve(socket) }

    package var waylandDisplay: WireWaylandDisplay? { seatConnector?.status }

    package var clientCount: Int { acceptor.count }
    package var clientUse: ClientUse { acceptor.use }

    package func settingsDidChange() { acceptor.applyLimits() }

    package func reload() {
        logger.notice("reading the settings again")
        service.refreshSettings(always: true)
    }

    // MARK: End

    /// Ends the bridge because of a failure. The program that started the bridge learns of the failure once the store
    /// is closed, so that the next bridge finds the store free.
    private func fail(_ failure: BridgeFailure) {
        self.failure = failure
        leaveDeadline = .now + Self.shutdownGrace
        conversions.stop()
        service.ownership.releaseAll()
        service.persistence.close()
        stopIfDone()
    }

    /// Releases everything in the order in which a successor waits for it: the sockets, the locks, the connections.
    /// This does not wait for the X thread, which an X server may hold up indefinitely.
    private func close() {
        seatConnector?.close()
        if leaveDeadline == nil {
            conversions.stop()
            service.ownership.releaseAll()
        }
        sockets.releaseAll()
        acceptor.closeAll()
    }

    /// Shuts the bridge down: waits for promises, accepts no new clients, hands contents over to a clipboard manager,
    /// releases the selections, and completes transfers under way.
    ///
    /// - Parameter successor: True if another bridge will restore the stored contents.
    package func leave(toSuccessor successor: Bool = false) {
        guard leaveDeadline == nil else { return }
        leaveDeadline = .now + Service.maxShutdownTime + Self.shutdownGrace
        onLeave()
        service.lifetime.isLeaving = true
        executor.start { [self] in
            await service.prepareShutdown(toSuccessor: successor) { sockets.removeAll() }
            leaveDeadline = .now + Self.shutdownGrace
            conversions.stop()
            service.ownership.releaseAll()
        }
    }
}

extension AttachFailure {
    /// The reason why a bridge started for this display fails.
    fileprivate var reason: BridgeFailure.Reason {
        switch self {
        case .display: .unavailable
        case .served(let process): .served(process: process)
        case .notXwayland: .unavailable
        }
    }
}
