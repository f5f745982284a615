import EventLoop
import Glibc
import LinuxSystem
package import Logging
import PasteboardWire
import SelectionProtocol
import SystemPackage

/// The bridge as a process: the service thread's loop, its clients, its signals, and the display thread beside it.
package final class BridgeProcess {
    private let options: BridgeOptions
    private let logger: Logger
    private let loop = EventLoop()
    private let rendezvous: Rendezvous
    private let notice: ReadyNotice
    private let link: DisplayLink
    private let workshop: Workshop
    private let service: Service
    private let signals: SignalDescriptor
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    private let activity = DisplayActivity()
    private var points: [String: ServicePoint] = [:]
    private var listeners: [String: Registration] = [:]
    private var clients: [ObjectIdentifier: ClientSession] = [:]
    private var failure: BridgeFailure?
    private var hasDisplayStopped = false
    /// Set once the bridge leaves: when it stops waiting for the display thread, which an X server may keep.
    private var leaving: ContinuousClock.Instant?

    /// So many clients at once; each costs a descriptor, and what it holds some more.
    private static let clientLimit = 2_000
    private static let descriptors: UInt = 16_384
    private static let farewell = Duration.seconds(3)

    package init(_ options: BridgeOptions, environment: [String: String], logger: Logger) throws(BridgeFailure) {
        self.options = options
        self.logger = logger
        notice = ReadyNotice(options.readyDescriptor)
        guard getuid() == geteuid(), getgid() == getegid() else {
            throw BridgeFailure(2, "the bridge does not run set-user-id: it would serve one user as another")
        }
        do {
            rendezvous = try Rendezvous(environment: environment)
            Signal.ignore(.brokenPipe)
            DescriptorLimit.raise(to: Self.descriptors)
            signals = try SignalDescriptor([.terminate, .interrupt, .hangup])
            commands = try MessageQueue()
            reports = try MessageQueue()
            workshop = try Workshop(environment: environment, logger: logger)
        } catch {
            throw BridgeFailure(4, "\(error)")
        }
        link = DisplayLink(commands: commands, reports: reports, activity: activity)
        let settings = Settings(environment: environment, logger: logger)
        service = Service(link: link, workshop: workshop, settings: settings, logger: logger)
        service.expiryTimer = try? SuspendTimer()
    }

    /// Serves until it is told to end.
    package func run() throws(BridgeFailure) {
        do {
            try start()
            try loop.run()
        } catch {
            failure = failure ?? error as? BridgeFailure ?? BridgeFailure(4, "\(error)")
        }
        for point in points.values { point.withdraw() }
        if let failure {
            notice.failed(failure)
            throw failure
        }
    }

    // MARK: Start

    private func start() throws {
        let key = try Self.key(of: options.display)
        try serve(key, replacing: options.replaces)
        // Nobody sees the standard error of a bridge that was started on demand.
        if options.readyDescriptor != nil { try? StandardDescriptors.writeError(toFile: rendezvous.logPath(key)) }
        service.settings.reportFaults()
        wire()
        _ = try DisplayWorker.start(commands: commands, reports: reports, activity: activity)
        guard let display = options.display else {
            logger.notice("serving without a display")
            return notice.ready()
        }
        link.attach(display, replacing: options.replaces)
        link.whenAttached(within: Patience.longest) { [unowned self] result in
            switch result {
            case .success: notice.ready()
            case .failure(let failure): end(BridgeFailure(failure.status, failure.message))
            case nil: end(BridgeFailure(4, BridgeError.displayDoesNotOpen.message))
            }
        }
    }

    private static func key(of display: String?) throws(BridgeFailure) -> String {
        guard let display else { return DisplayName.keyOfNone }
        guard let name = DisplayName(display) else {
            throw BridgeFailure(4, "'\(display)' is no name of a display; DISPLAY is like ':0' or 'host:10.0'")
        }
        return name.key
    }

    /// Makes this bridge the one that clients find under the key.
    private func serve(_ key: String, replacing: Bool = false) throws(BridgeFailure) {
        guard points[key] == nil else { return }
        let point: ServicePoint
        do throws(ServicePoint.Failure) {
            point = try takePoint(at: key, replacing: replacing)
        } catch {
            switch error {
            case .busy(let process):
                notice.busy()
                let who = process.map { "process \($0)" } ?? "another process"
                throw BridgeFailure(
                    6, "a bridge already serves this display: \(who); 'xpbd --replace' takes over from it")
            case .unusable(let reason): throw BridgeFailure(4, reason)
            }
        }
        points[key] = point
        listeners[key] = loop.add(point.listener.fileDescriptor, interest: .readable) { [unowned self] _ in
            accept(point.listener)
        }
    }

    /// Is not found under that key any more.
    private func withdraw(_ key: String) {
        points.removeValue(forKey: key)?.withdraw()
        listeners.removeValue(forKey: key)?.cancel()
    }

    private func takePoint(at key: String, replacing: Bool) throws(ServicePoint.Failure) -> ServicePoint {
        do throws(ServicePoint.Failure) {
            return try ServicePoint(at: key, in: rendezvous)
        } catch {
            guard replacing, case .busy = error else { throw error }
            Predecessor(at: rendezvous.socketPath(key)).end()
            return try ServicePoint(at: key, in: rendezvous)
        }
    }

    private func wire() {
        _ = loop.add(link.fileDescriptor, interest: .readable) { [unowned self] _ in link.receive() }
        _ = loop.add(workshop.fileDescriptor, interest: .readable) { [unowned self] _ in
            workshop.receive()
            endIfDone()
        }
        if let timer = service.expiryTimer {
            _ = loop.add(timer.fileDescriptor, interest: .readable) { _ in timer.drain() }
        }
        _ = loop.add(signals.fileDescriptor, interest: .readable) { [unowned self] _ in
            while let signal = signals.next() {
                logger.notice("ending on signal \(signal)")
                leave()
            }
        }
        loop.earliestDeadline = { [unowned self] in
            [link.deadline, service.alarms.earliest, leaving].compactMap(\.self).min()
        }
        loop.deadlinesPassed = { [unowned self] now in
            link.expire(now: now)
            for body in service.alarms.take(now: now) { body() }
            if let leaving, leaving <= now { loop.stop() }
        }
        link.onEvent = { [unowned self] report in handle(report) }
        service.clientCount = { [unowned self] in clients.count }
        service.onStop = { [unowned self] in leave() }
        service.didNotAttach = { [unowned self] display in
            if let key = try? Self.key(of: display) { withdraw(key) }
        }
        service.willAttach = { [unowned self] display throws(BridgeFailure) in try serve(Self.key(of: display)) }
    }

    private func handle(_ report: DisplayReport) {
        service.handle(report)
        switch report {
        case .replaced:
            logger.notice("another bridge takes over")
            leave()
        case .stopped:
            hasDisplayStopped = true
            endIfDone()
        default: break
        }
    }

    /// Once nothing is owned any more and no program runs for us.
    private func endIfDone() {
        if hasDisplayStopped, workshop.isIdle { loop.stop() }
    }

    // MARK: Clients

    private func accept(_ listener: Descriptor) {
        do {
            while let socket = try UnixSocket.accept(listener.fileDescriptor) {
                let connection = try ServerConnection(socket: socket, limits: options.limits)
                guard connection.peer.user == getuid() else {
                    logger.warning("refused a connection of user \(connection.peer.user)")
                    continue
                }
                let client = ClientSession(
                    connection, limits: options.limits, service: service, loop: loop, logger: logger
                ) { [unowned self] in left($0) }
                clients[ObjectIdentifier(client)] = client
                if clients.count >= Self.clientLimit { return listen(false) }
            }
        } catch {
            // Descriptors have run out. A connection that cannot be taken keeps its listener readable: without a pause
            // the loop would spin.
            logger.warning("a connection could not be taken: \(error)")
            if !clients.isEmpty { listen(false) }
        }
    }

    private func left(_ client: ClientSession) {
        service.left(client)
        clients[ObjectIdentifier(client)] = nil
        listen(true)
    }

    /// Whether new clients are taken; those that are not wait, and their own deadlines tell them.
    private func listen(_ isListening: Bool) {
        for listener in listeners.values { listener.interest = isListening ? .readable : [] }
    }

    // MARK: End

    private func end(_ failure: BridgeFailure) {
        self.failure = failure
        loop.stop()
    }

    /// Ends in order: no new clients, the selections given up, what is being sent brought to its end.
    private func leave() {
        guard leaving == nil else { return }
        leaving = .now + Self.farewell
        service.isLeaving = true
        for point in points.values { point.withdraw() }
        workshop.stop()
        link.stop()
    }
}

extension AttachFailure {
    /// The exit status where the bridge was started for this display.
    fileprivate var status: Int32 {
        switch self {
        case .display: 4
        case .served: 6
        }
    }
}
