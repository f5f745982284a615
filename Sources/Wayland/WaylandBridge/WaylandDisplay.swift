package import DataControlProtocol
package import EventLoop
package import LinuxSystem
import SystemPackage
import WaylandWire

/// A connection to a Wayland compositor, for the selections of one seat.
package final class WaylandDisplay: SeatDisplay {
    /// The limit on the bytes of requests that the compositor has not read. A source with 1,024 types whose names have
    /// 1,024 bytes takes one MiB.
    static let maxUnsent = 4 << 20

    package var onEvent: (SeatEvent) -> Void = { _ in }
    package var onRequest: (SourceID, _ type: String, Descriptor) -> Void = { _, _, _ in }

    let loop: EventLoop
    let timers: TimerQueue
    var client: DataControlClient
    /// The connection; nil once it is closed.
    private var socket: Descriptor?
    private var registration: Registration?
    var outbox = Outbox()
    /// True after the compositor has closed its end; there may still be bytes to read.
    private(set) var isUnwritable = false
    private var effects = Backlog<DataControlClient.Effect>()
    private var isPerforming = false
    /// The descriptors that arrived and were not passed on, by their places.
    var arrived: [WireDescriptor: Descriptor] = [:]
    private var arrivals = 0
    /// The descriptors of requests that have not been performed, by numbers of this object.
    var attachments: [WireDescriptor: Descriptor] = [:]
    private var attachmentCount = 0
    /// The offers of other clients on the selections, according to the events so far.
    var offers: [SeatSelection: ForeignOfferID] = [:]
    var syncs = SyncQueue()
    package var maxIncoming = 1_024
    package var maxLength = 4 << 30
    package var maxBytesHeld = 8 << 30
    package let keepsPart = false
    var incoming: [ObjectIdentifier: IncomingTransfer] = [:]
    let drains: PipeDrains
    package let outgoing: OutgoingTransfers
    /// The timer that reports the loss of the connection.
    private var lossTimer: TimerQueue.Identifier?

    // MARK: Lifetime

    /// Takes over a connected socket.
    ///
    /// - Parameter seat: The name of the seat to use; nil for the first seat.
    package init(
        socket: Descriptor, seat: String?, outgoing: OutgoingTransfers, loop: EventLoop, executor: EventLoopExecutor
    ) {
        self.socket = socket
        self.outgoing = outgoing
        self.loop = loop
        timers = executor.timers
        drains = PipeDrains(loop: loop)
        client = DataControlClient(seat: seat)
    }

    /// Connects to the socket of a compositor, without waiting for the compositor.
    ///
    /// - Throws: ``WaylandLoss/cannotConnect(path:_:)``, with `wouldBlock` if the compositor has accepted no connection
    ///   for a long time.
    package convenience init(
        path: String, seat: String?, outgoing: OutgoingTransfers, loop: EventLoop, executor: EventLoopExecutor
    ) throws(WaylandLoss) {
        let socket: Descriptor
        do throws(Errno) {
            socket = try UnixSocket.connectAtOnce(to: LosslessText.bytes(of: path))
        } catch {
            throw .cannotConnect(path: path, error)
        }
        self.init(socket: socket, seat: seat, outgoing: outgoing, loop: loop, executor: executor)
    }

    deinit { close() }

    /// The process that listens at the compositor's socket; nil if it is unknown.
    package var compositor: Int32? {
        socket.flatMap { try? PeerCredentials.of($0.fileDescriptor).process }
    }

    package func start() {
        guard let socket, registration == nil else { return }
        registration = loop.add(socket.fileDescriptor, interest: .readable) { [weak self] in self?.handle($0) }
        perform(client.start())
    }

    package func close() {
        disconnect()
        if let lossTimer { timers.cancel(lossTimer) }
        lossTimer = nil
        endWaits()
        drains.removeAll()
    }

    /// True until the connection is closed.
    package var isConnected: Bool { socket != nil }

    private func disconnect() {
        registration?.cancel()
        registration = nil
        socket = nil
        outbox.removeAll()
        effects = Backlog()
        arrived = [:]
        attachments = [:]
    }

    /// Closes the connection, and reports the loss from the loop.
    func lose(_ loss: WaylandLoss) {
        guard isConnected else { return }
        disconnect()
        lossTimer = timers.set(.now) { [weak self] in
            self?.lossTimer = nil
            self?.onEvent(.lost(loss))
            self?.endWaits()
        }
    }

    /// Ends all waits for the compositor.
    private func endWaits() {
        offers = [:]
        for value in syncs.removeAll() { value.deliver(false) }
        for transfer in incoming.values { transfer.fail(.lost) }
    }

    // MARK: The socket

    private func handle(_ readiness: Readiness) {
        if readiness.contains(.readable) {
            receive()
        } else if isUnwritable {
            lose(.closed)
        }
        flush()
    }

    /// Reads once. Bytes that remain in the socket are read in the next round of the loop.
    private func receive() {
        guard let socket else { return }
        do throws(Errno) {
            guard let received = try UnixSocket.receive(from: socket.fileDescriptor, waits: false) else { return }
            guard !received.bytes.isEmpty else { return lose(.closed) }
            for descriptor in received.descriptors {
                arrived[WireDescriptor(arrivals)] = descriptor
                arrivals += 1
            }
            perform(client.receive(received.bytes, descriptors: received.descriptors.count))
        } catch .connectionReset {
            lose(.closed)
        } catch .tooManyOpenFiles {
            lose(.noDescriptors)
        } catch {
            lose(.system(error))
        }
    }

    /// Sends as much as the socket has room for.
    private func flush() {
        guard let socket else { return }
        do throws(Errno) {
            try outbox.send(to: socket.fileDescriptor)
        } catch .brokenPipe, .connectionReset {
            // The compositor may have sent the reason as an error.
            isUnwritable = true
            outbox.removeAll()
        } catch {
            return lose(.system(error))
        }
        registration?.interest = outbox.count > 0 || isUnwritable ? [.readable, .writable] : .readable
    }

    /// Performs effects of the machine after all earlier effects: a closure that is called for one effect may cause
    /// more.
    func perform(_ new: [DataControlClient.Effect]) {
        guard isConnected else { return }
        effects.append(contentsOf: new)
        if isPerforming { return }
        isPerforming = true
        while let effect = effects.next() { perform(effect) }
        isPerforming = false
        flush()
    }

    /// Attaches a descriptor to a request of the machine. Returns false if the machine makes no request.
    func attach(_ descriptor: Descriptor, to request: (WireDescriptor) -> DataControlClient.Effect?) -> Bool {
        let number = WireDescriptor(attachmentCount)
        guard let effect = request(number) else { return false }
        attachmentCount += 1
        attachments[number] = descriptor
        perform([effect])
        return true
    }
}
