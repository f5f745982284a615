import BridgeState
package import EventLoop
import FormatConversion
import LinuxSystem
package import Logging
package import PasteboardWire
import UniformTypes
import X11Bridge

/// The session of one client, which performs the client's calls in order and sends the replies.
package final class ClientSession {
    let transfers: ClientTransfers
    let connection: ServerConnection
    let service: Service
    let loop: EventLoop
    private let logger: Logger
    private var registration: Registration?
    /// The call that is being answered, if it ends with the connection.
    private var cancellable: LoopTask?
    private var isPumping = false
    package private(set) var isClosed = false
    /// True if the client is gone in both directions.
    private var isHungUp = false
    /// True once a call has begun that ends when the client stops sending. ssh reports nothing else if a client on
    /// another machine is killed.
    var endsWithInput = false
    /// True while calls of this client wait for a later round of the loop.
    var waitsForRound = false
    /// The time when the client last sent something, or a call of it was answered.
    private(set) var lastUse = ContinuousClock.now
    /// The received and unhandled bytes, as last noted in the quotas.
    private var notedInbound = 0
    var isWatching = false
    /// The bytes that a watcher has not read.
    var watchQueue: Int { isWatching ? connection.unsent : 0 }
    /// The link that this connection belongs to.
    private(set) var link: Link?
    /// The link that restricts the calls of this connection; nil for one that may make all calls.
    private(set) var restriction: Link?
    /// The promises that this client may be asked for.
    private var promises: [PromiseSet] = []
    /// Called once, when the connection has ended.
    private let onClose: (ClientSession) -> Void

    package init(
        _ connection: ServerConnection, service: Service, loop: EventLoop, logger: Logger,
        onClose: @escaping (ClientSession) -> Void
    ) {
        self.connection = connection
        self.service = service
        self.loop = loop
        self.logger = logger
        self.onClose = onClose
        transfers = ClientTransfers(
            limits: connection.limits, quota: service.quotas.uploads, process: connection.peer.process
        ) { [unowned service] in service.quotas.refusals.note($0) }
        registration = loop.add(connection.fileDescriptor, interest: .readable) { [unowned self] readiness in
            self.ready(readiness)
        }
    }

    /// The writer of this client's contents: the program that the process had when it first wrote.
    private(set) lazy var writer = PasteboardState.Writer(
        process: connection.peer.process, program: ProcessName.of(connection.peer.process))

    var process: Int32 { connection.peer.process }

    /// True if no call, no part of a message, no reply and no bytes are outstanding.
    var isIdle: Bool {
        connection.isIdle && transfers.count == 0 && promises.allSatisfy(\.isSettled)
    }

    package func apply(_ limits: WireLimits) {
        connection.limits = limits
        transfers.limits = limits
        pump()
    }

    /// Ends the connection, and with it the call that is being answered, if it is one that reads.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        registration?.cancel()
        registration = nil
        cancellable?.cancel()
        cancellable = nil
        let broken = promises
        promises = []
        for set in broken { set.abandon("the program that promised these bytes has ended") }
        if !broken.isEmpty { service.promisesBroke() }
        transfers.removeAll()
        link?.remove(self)
        noteInbound()
        onClose(self)
    }

    /// Adds promises, which are broken when the connection ends.
    func add(_ set: PromiseSet) {
        promises.removeAll(where: \.isSettled)
        promises.append(set)
        if isClosed { set.abandon("the program that promised these bytes has ended") }
    }

    // MARK: Links

    /// Makes this connection one of a link, for as long as the connection lasts.
    ///
    /// - Parameter isRestricted: True if it may make only the calls that the link allows.
    func join(_ link: Link, isRestricted: Bool) throws(BridgeError) {
        guard self.link == nil else { throw BridgeError(.refused, "this connection is one of a link already") }
        self.link = link
        if isRestricted {
            restriction = link
            transfers.link = link
        }
        link.add(self)
    }

    // MARK: Input and output

    package func ready(_ readiness: Readiness) {
        do {
            if readiness.contains(.readable) {
                lastUse = .now
                try connection.receive()
            }
            // Everything that the client has sent is read, up to the limit of one read.
            isHungUp = readiness.contains(.hangup)
            resume()
            // The limits are checked after the calls that this round has time for.
            service.host?.didReceive(from: process)
        } catch {
            fault(error)
        }
    }

    /// Performs waiting calls, as far as this round of the loop has time for them.
    func resume() {
        pump()
        // The client reads no further replies.
        let isGone = isHungUp && !connection.wantsInput || endsWithInput && connection.isEndOfStream
        if isGone, !connection.hasCall { close() }
    }

    /// Performs received calls, and sends pending replies. If a call suspends, the next one waits for its answer.
    package func pump() {
        guard !isPumping, !isClosed else { return }
        isPumping = true
        defer {
            isPumping = false
            noteInbound()
        }
        do {
            let process = connection.peer.process
            while service.quotas.scheduler.hasTime(for: process), let call = try connection.nextCall() {
                // The caller has given up and reported that: the call must not be performed later.
                if isHungUp, !call.oneway {
                    connection.drop()
                    continue
                }
                let begin = ContinuousClock.now
                start(call)
                service.quotas.scheduler.spend(.now - begin, for: process)
            }
            try connection.flush()
            // Checked after the flush: no call is performed while something is unsent.
            if connection.hasCall { service.quotas.scheduler.wait(self) }
            if connection.isFinished { return close() }
            var interest = Interest(rawValue: 0)
            if connection.wantsInput { interest.insert(.readable) }
            if connection.hasUnsent { interest.insert(.writable) }
            registration?.interest = interest
        } catch {
            fault(error)
        }
    }

    private func start(_ call: IncomingCall) {
        var isDone = false
        let method = MethodName(call)
        let traits = method.map(CallTraits.of)
        let isCompleted = traits?.isCompleted == true
        if isCompleted { service.callsUnderway.begin() }
        let task = service.executor.start { [self] in
            do {
                try await perform(call, method)
            } catch {
                fail(error)
            }
            isDone = true
            if isCompleted { service.callsUnderway.end() }
        }
        guard !isDone, traits?.isCancellable == true else { return }
        if isClosed { task.cancel() } else { cancellable = task }
    }

    private func noteInbound() {
        let incoming = isClosed ? 0 : connection.incoming
        service.quotas.inbound.add(incoming - notedInbound, of: process)
        notedInbound = incoming
    }

    /// Ends the connection after an error.
    func reject(_ error: BridgeError) {
        connection.reject(error)
        close()
    }

    /// Ends the connection of a client that broke the rules of the wire, or is gone.
    private func fault(_ fault: WireFault) {
        guard !isClosed else { return }
        if let reason = fault.reason {
            service.quotas.refusals.note(reason)
            logger.notice("connection of process \(connection.peer.process) ended: \(fault)")
        } else {
            logger.info("connection of process \(connection.peer.process) ended: \(fault)")
        }
        close()
    }

    // MARK: Replies

    /// Sends the last reply to a call.
    func reply<Reply: Encodable>(_ reply: Reply, descriptors: [Descriptor] = []) {
        guard !isClosed else { return }
        cancellable = nil
        lastUse = .now
        connection.reply(permitted(reply), descriptors: descriptors)
        pump()
    }

    /// Sends the last reply to a call, and after it the bytes of a range of a file.
    func reply<Reply: Encodable>(_ reply: Reply, followedBy file: MemoryFile, _ range: Range<Int>) {
        guard !isClosed else { return }
        lastUse = .now
        connection.reply(reply, followedBy: file, range)
        pump()
    }

    private func fail(_ error: any Error) {
        guard !isClosed else { return }
        cancellable = nil
        lastUse = .now
        switch error {
        case let error as VarlinkError: connection.fail(error)
        case let error as BridgeError: connection.fail(error)
        default: connection.fail(BridgeError(.refused, "the call failed: \(error)"))
        }
        pump()
    }

    /// Sends a reply that others follow.
    func replyInPart<Reply: Encodable>(_ reply: Reply, descriptors: [Descriptor] = []) {
        guard !isClosed else { return }
        connection.reply(permitted(reply), descriptors: descriptors, continues: true)
        pump()
    }

    /// Returns a reply as it may be sent over a link.
    private func permitted<Reply>(_ reply: Reply) -> Reply { restriction?.permitted(reply) ?? reply }

    /// Sends a change to a watcher.
    ///
    /// - Returns: false if the client no longer watches. A watcher that leaves too much unread gets an error, which
    ///   ends its call.
    func send(_ change: Methods.Monitor.Reply) -> Bool {
        guard !isClosed else { return false }
        let isSent = connection.report(permitted(change), orFailWith: .tooSlow)
        if !isSent {
            cancellable = nil
            isWatching = false
            service.quotas.refusals.note(.slowWatcher)
            logger.notice("process \(process) reads slower than the pasteboards change; its watch was ended")
        }
        pump()
        return isSent
    }
}

extension BridgeError {
    fileprivate static let tooSlow = BridgeError(
        .tooSlow, "changes were missed, since those before them were not read; look at the present state and watch on")
}

extension WireFault {
    /// The reason of the refusal that the fault counts as; nil for a client that is gone.
    fileprivate var reason: Refusals.Reason? {
        switch self {
        case .messageTooLong, .malformedMessage, .strayDescriptors, .tooManyDescriptors: .badMessage
        case .noDescriptors: .descriptors
        case .unread: .unread
        // A limit that refused the bytes has been noted.
        case .refusedBytes, .disconnected, .system: nil
        }
    }
}
