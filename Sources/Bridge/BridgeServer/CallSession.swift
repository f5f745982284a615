package import EventLoop
package import LinuxSystem
package import Logging
package import PasteboardWire
import X11Bridge

/// The performer of the calls of one connection.
package protocol CallHandler: AnyObject {
    /// Performs a call, and replies through the session. An error becomes the reply.
    func perform(_ call: IncomingCall) async throws
    /// Returns true for a call that is cancelled when the connection ends. Other calls are completed.
    func isCancellable(_ call: IncomingCall) -> Bool
    /// True if none of the client's promises may still be asked for.
    var isIdle: Bool { get }
    /// True if something that other clients use would end with the connection.
    var isNeeded: Bool { get }
    /// Called once, when the connection has ended.
    func connectionEnded()
}

/// The session of one connection, which hands the calls to a handler in order, and sends the replies.
package final class CallSession {
    package let connection: ServerConnection
    package let transfers: ClientTransfers
    package let loop: EventLoop
    /// The performer of the calls, until the connection has ended.
    package var handler: (any CallHandler)?
    private let quotas: ClientQuotas
    private let executor: EventLoopExecutor
    private let logger: Logger
    private var registration: Registration?
    /// The call that is being answered, if it ends with the connection.
    private var cancellable: LoopTask?
    private var isPumping = false
    package private(set) var isClosed = false
    /// True if the client is gone in both directions.
    private var isHungUp = false
    /// True once a call has begun that ends when the client stops sending. If a client on another machine is killed,
    /// ssh reports only this end of the input.
    package var endsWithInput = false
    /// True while calls of this client wait for a later round of the loop.
    var waitsForRound = false
    /// The time when the client last sent something or got an answer.
    private(set) var lastUse = ContinuousClock.now
    /// The received and unhandled bytes, as last recorded in the quotas.
    private var notedInbound = 0
    package var isWatching = false
    /// The bytes that a watcher has not read.
    var watchQueue: Int { isWatching ? connection.unsent : 0 }
    /// Called when the client has sent bytes, which may put its process over a limit.
    package var onInput: () -> Void = {}
    /// Called once, when the connection has ended.
    package var onClose: () -> Void = {}

    package init(
        _ connection: ServerConnection, quotas: ClientQuotas, executor: EventLoopExecutor, loop: EventLoop,
        logger: Logger
    ) {
        self.connection = connection
        self.quotas = quotas
        self.executor = executor
        self.loop = loop
        self.logger = logger
        transfers = ClientTransfers(
            limits: connection.limits, quota: quotas.uploads, process: connection.peer.process
        ) { [unowned quotas] in quotas.refusals.note($0) }
        registration = loop.add(connection.fileDescriptor, interest: .readable) { [unowned self] readiness in
            self.ready(readiness)
        }
    }

    package var process: Int32 { connection.peer.process }

    /// True if no call, no part of a message, no reply and no bytes are outstanding.
    var isIdle: Bool { connection.isIdle && transfers.count == 0 && handler?.isIdle ?? true }

    package func apply(_ limits: WireLimits) {
        connection.limits = limits
        transfers.limits = limits
        pump()
    }

    /// Ends the connection, and cancels the call that is being answered if that call is cancellable.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        registration?.cancel()
        registration = nil
        cancellable?.cancel()
        cancellable = nil
        handler?.connectionEnded()
        handler = nil
        transfers.removeAll()
        noteInbound()
        onClose()
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
            onInput()
        } catch {
            fault(error)
        }
    }

    /// Performs waiting calls, as far as this round of the loop has time for them.
    package func resume() {
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
            while quotas.scheduler.hasTime(for: process), let call = try connection.nextCall() {
                // The caller has given up and reported a failure: the call must not be performed later.
                if isHungUp, !call.oneway {
                    connection.drop()
                    continue
                }
                let begin = ContinuousClock.now
                start(call)
                quotas.scheduler.spend(.now - begin, for: process)
            }
            try connection.flush()
            // This check follows the flush: no call is performed while something is unsent.
            if connection.hasCall { quotas.scheduler.wait(self) }
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
        guard let handler else { return }
        var isDone = false
        let task = executor.start { [self] in
            do {
                try await handler.perform(call)
            } catch {
                fail(error)
            }
            isDone = true
        }
        guard !isDone, handler.isCancellable(call) else { return }
        if isClosed { task.cancel() } else { cancellable = task }
    }

    private func noteInbound() {
        let incoming = isClosed ? 0 : connection.incoming
        quotas.inbound.add(incoming - notedInbound, of: process)
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
            quotas.refusals.note(reason)
            logger.notice("connection of process \(connection.peer.process) ended: \(fault)")
        } else {
            logger.info("connection of process \(connection.peer.process) ended: \(fault)")
        }
        close()
    }

    // MARK: Replies

    /// Sends the last reply to a call.
    package func reply<Reply: Encodable>(_ reply: Reply, descriptors: [Descriptor] = []) {
        guard !isClosed else { return }
        cancellable = nil
        lastUse = .now
        connection.reply(reply, descriptors: descriptors)
        pump()
    }

    /// Sends the last reply to a call, and after it the bytes of a range of a file.
    package func reply<Reply: Encodable>(_ reply: Reply, followedBy file: MemoryFile, _ range: Range<Int>) {
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

    /// Sends a reply that is not the last.
    package func replyInPart<Reply: Encodable>(_ reply: Reply, descriptors: [Descriptor] = []) {
        guard !isClosed else { return }
        connection.reply(reply, descriptors: descriptors, continues: true)
        pump()
    }

    /// Sends a change to a watcher.
    ///
    /// - Returns: false if the client no longer watches. A watcher that leaves too much unread gets an error, which
    ///   ends its call.
    package func send(_ change: Methods.Monitor.Reply) -> Bool {
        guard !isClosed else { return false }
        let isSent = connection.report(change, orFailWith: .tooSlow)
        if !isSent {
            cancellable = nil
            isWatching = false
            quotas.refusals.note(.slowWatcher)
            logger.notice("process \(process) reads slower than the pasteboards change; its watch was ended")
        }
        pump()
        return isSent
    }
}

extension BridgeError {
    fileprivate static let tooSlow = BridgeError(
        .tooSlow, "changes were missed, because earlier changes were not read; read the present state and watch again")
}

extension WireFault {
    /// The reason under which the fault counts as a refusal; nil for a client that is gone.
    fileprivate var reason: Refusals.Reason? {
        switch self {
        case .messageTooLong: .longMessage
        case .malformedMessage, .strayDescriptors, .tooManyDescriptors: .badMessage
        case .noDescriptors: .descriptors
        case .unread: .unread
        // The refusal by a limit has already been recorded.
        case .refusedBytes, .disconnected, .system: nil
        }
    }
}
