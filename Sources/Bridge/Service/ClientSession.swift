import EventLoop
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardWire
import UniformTypes

/// One connected client: takes its calls in their order, and sends the answers as they come.
final class ClientSession {
    let transfers: ClientTransfers
    let connection: ServerConnection
    let service: Service
    private let logger: Logger
    private var registration: Registration?
    /// Ends the call that is being answered. One that comes when the connection has ended is carried out at once.
    var cancel: Cancel? {
        didSet {
            guard isClosed, let cancel else { return }
            self.cancel = nil
            cancel()
        }
    }
    var isPumping = false
    private(set) var isClosed = false
    /// Whether the client is gone in both directions.
    private var isHungUp = false
    /// Whether it has calls left for a later round of the loop.
    var waitsForRound = false
    /// When something came from it last, or a call of its was answered.
    private(set) var lastUse = ContinuousClock.now
    /// What has come and is not taken, as it was noted last, in bytes.
    private var noted = 0
    /// Whether changes are told to it.
    var isWatching = false
    /// What waits to be read by a watcher, in bytes.
    var watchQueue: Int { isWatching ? connection.unsent : 0 }
    /// What this client has promised, for as long as it may be asked.
    private var promises: [PromiseSet] = []
    /// Told once, when the connection has ended.
    private let onClose: (ClientSession) -> Void

    init(
        _ connection: ServerConnection, service: Service, loop: EventLoop, logger: Logger,
        onClose: @escaping (ClientSession) -> Void
    ) {
        self.connection = connection
        self.service = service
        self.logger = logger
        self.onClose = onClose
        transfers = ClientTransfers(
            limits: connection.limits, ledger: service.uploads, process: connection.peer.process
        ) { [unowned service] in service.refusals.note($0) }
        registration = loop.add(connection.fileDescriptor, interest: .readable) { [unowned self] readiness in
            self.ready(readiness)
        }
    }

    /// Who writes, when this client does: the program that the process had when it first did.
    private(set) lazy var writer = PasteboardState.Writer(
        process: connection.peer.process, program: ProcessName.of(connection.peer.process))

    var process: Int32 { connection.peer.process }

    /// Whether it asks for nothing, has begun to say nothing, and is owed nothing, neither a reply nor bytes.
    var isIdle: Bool {
        connection.isIdle && transfers.count == 0 && promises.allSatisfy(\.isSettled)
    }

    /// The user set others.
    func take(_ limits: WireLimits) {
        connection.limits = limits
        transfers.limits = limits
        pump()
    }

    /// Ends the connection, and with it what it waits for.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        registration?.cancel()
        registration = nil
        cancel?()
        cancel = nil
        for set in promises { set.abandon("the program that promised these bytes has ended") }
        promises = []
        transfers.removeAll()
        noteIncoming()
        onClose(self)
    }

    /// Has these promises broken when the connection ends.
    func keep(_ set: PromiseSet) {
        promises.removeAll(where: \.isSettled)
        promises.append(set)
        if isClosed { set.abandon("the program that promised these bytes has ended") }
    }

    // MARK: Input and output

    func ready(_ readiness: Readiness) {
        do {
            if readiness.contains(.readable) {
                lastUse = .now
                try connection.receive()
            }
            // What it sent has been read by now, unless more of it waits than one read takes.
            isHungUp = readiness.contains(.hangup)
            goOn()
            // What could be taken was.
            service.onExcess(process)
        } catch {
            fault(error)
        }
    }

    /// Takes what waits, as far as this round of the loop has time for it.
    func goOn() {
        pump()
        // Nobody reads what would still be answered.
        if isHungUp, connection.isEndOfStream || !connection.wantsInput, !connection.hasCall { close() }
    }

    /// Takes the calls that are there, and sends what there is to send.
    func pump() {
        guard !isPumping, !isClosed else { return }
        isPumping = true
        defer {
            isPumping = false
            noteIncoming()
        }
        do {
            let process = connection.peer.process
            while service.shares.hasTime(for: process), let call = try connection.nextCall() {
                // Its caller has given up and told its user so: it is not to come to pass later.
                if isHungUp, !call.oneway {
                    connection.drop()
                    continue
                }
                let began = ContinuousClock.now
                dispatch(call)
                service.shares.spend(.now - began, for: process)
            }
            try connection.flush()
            // Only now: as long as something is not sent, no call is taken anyway.
            if connection.hasCall { service.shares.wait(self) }
            if connection.isFinished { return close() }
            var interest = Interest(rawValue: 0)
            if connection.wantsInput { interest.insert(.readable) }
            if connection.hasUnsent { interest.insert(.writable) }
            registration?.interest = interest
        } catch {
            fault(error)
        }
    }

    private func noteIncoming() {
        let incoming = isClosed ? 0 : connection.incoming
        service.incoming.add(incoming - noted, of: process)
        noted = incoming
    }

    /// Ends the connection, and tells its client why.
    func turnAway(_ error: BridgeError) {
        connection.turnAway(error)
        close()
    }

    /// The client broke the rules of the wire, or is gone.
    private func fault(_ fault: WireFault) {
        guard !isClosed else { return }
        if let reason = fault.reason {
            service.refusals.note(reason)
            logger.notice("connection of process \(connection.peer.process) ended: \(fault)")
        } else {
            logger.info("connection of process \(connection.peer.process) ended: \(fault)")
        }
        close()
    }

    // MARK: Answers

    /// The answer to a `Get`: by descriptor, or by a handle for a client that takes none.
    func reply(
        _ parameters: Methods.Get.Parameters, count: Int, item: Int, type: UniformType, target: String?,
        bytes held: HeldBytes, range: Range<Int>, stale: Bool? = nil
    ) -> Answer<Methods.Get.Reply> {
        do throws(BridgeError) {
            let byDescriptor = parameters.descriptors ?? false
            let bytes: WireBytes
            var descriptors: [Descriptor] = []
            if byDescriptor {
                let passed = try held.pass(range)
                descriptors = [passed.descriptor]
                bytes = WireBytes(descriptor: 0, offset: passed.offset, length: range.count)
            } else {
                bytes = WireBytes(handle: try transfers.download(held, range), offset: 0, length: range.count)
            }
            let reply = Methods.Get.Reply(
                count: count, item: item, type: type.identifier, target: target, bytes: bytes, stale: stale)
            return .success((reply, descriptors))
        } catch {
            return .failure(error)
        }
    }

    func answer<Reply: Encodable>(_ answer: Answer<Reply>) {
        guard !isClosed else { return }
        cancel = nil
        lastUse = .now
        switch answer {
        case .success(let (reply, descriptors)): connection.reply(reply, descriptors: descriptors)
        case .failure(let error): connection.fail(error)
        }
        pump()
    }

    /// One of several replies to a call.
    func stream<Reply: Encodable>(_ reply: Reply, descriptors: [Descriptor] = []) {
        guard !isClosed else { return }
        connection.reply(reply, descriptors: descriptors, continues: true)
        pump()
    }

    /// Tells a watcher of a change.
    ///
    /// - Returns: Whether it watches on. One that leaves too much unread is told so, and its call has ended.
    func tell(_ change: Methods.Monitor.Reply) -> Bool {
        guard !isClosed else { return false }
        let goesOn = connection.tell(change, orEndBy: .tooSlow)
        if !goesOn {
            cancel = nil
            isWatching = false
            service.refusals.note(.slowWatcher)
            logger.notice("process \(connection.peer.process) watches slower than things change, and was told so")
        }
        pump()
        return goesOn
    }
}

extension BridgeError {
    fileprivate static let tooSlow = BridgeError(
        .tooSlow, "changes were missed, since those before them were not read; look at the present state and watch on")
}

extension WireFault {
    /// Nil for a client that is gone.
    fileprivate var reason: Refusals.Reason? {
        switch self {
        case .messageTooLong, .malformedMessage, .strayDescriptors, .tooManyDescriptors: .badMessage
        case .noDescriptors: .descriptors
        case .unread: .unread
        case .disconnected, .system: nil
        }
    }
}
