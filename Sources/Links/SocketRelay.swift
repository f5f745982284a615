import EventLoop
import LinuxSystem
import SystemPackage

/// A relay of connections: each one that a listener accepts is joined with one to the bridge, and bytes pass both ways.
/// Descriptors do not pass.
final class SocketRelay {
    private let listener: Descriptor
    private let loop: EventLoop
    /// Makes a connection to the bridge.
    private let open: () throws -> Descriptor
    /// False while no connection is accepted: the bridge is awaited, and clients wait as well.
    var isAccepting = true { didSet { updateInterest() } }
    private var registration: Registration?
    private var pairs: [ObjectIdentifier: RelayPair] = [:]

    /// The maximum number of connections at once. Others wait to be accepted.
    private static let maxPairs = 32

    init(
        _ listener: Descriptor, on loop: EventLoop, open: @escaping () throws -> Descriptor
    ) {
        self.listener = listener
        self.loop = loop
        self.open = open
        registration = loop.add(listener.fileDescriptor, interest: .readable) { [unowned self] _ in accept() }
    }

    func close() {
        registration?.cancel()
        for pair in pairs.values { pair.close() }
        pairs = [:]
    }

    private func updateInterest() {
        registration?.interest = isAccepting && pairs.count < Self.maxPairs ? .readable : []
    }

    private func accept() {
        // If the bridge refuses, or has just ended, the client sees the end of its connection.
        guard let client = try? UnixSocket.accept(listener.fileDescriptor), let bridge = try? open() else { return }
        let pair = RelayPair(client, bridge, on: loop) { [unowned self] pair in
            pairs[ObjectIdentifier(pair)] = nil
            updateInterest()
        }
        pairs[ObjectIdentifier(pair)] = pair
        updateInterest()
    }
}

/// Two connections whose bytes are passed from each to the other.
private final class RelayPair {
    private let ends: [Descriptor]
    private var registrations: [Registration] = []
    /// The bytes on their way to each end.
    private var outboxes = [Outbox(), Outbox()]
    /// True for each end that sends nothing more.
    private var hasEnded = [false, false]
    private let onEnd: (RelayPair) -> Void

    /// The number of bytes for an end that does not read, beyond which the other end is not read.
    private static let maxUnsent = 1 << 20

    init(_ client: Descriptor, _ bridge: Descriptor, on loop: EventLoop, onEnd: @escaping (RelayPair) -> Void) {
        ends = [client, bridge]
        self.onEnd = onEnd
        registrations = ends.indices.map { end in
            loop.add(ends[end].fileDescriptor, interest: .readable) { [unowned self] readiness in
                ready(end, readiness)
            }
        }
    }

    func close() {
        for registration in registrations { registration.cancel() }
        registrations = []
    }

    private func ready(_ end: Int, _ readiness: Readiness) {
        let other = 1 - end
        do throws(Errno) {
            if readiness.contains(.readable), !hasEnded[end], outboxes[other].count < Self.maxUnsent {
                try receive(from: end)
            }
            for end in ends.indices { try outboxes[end].send(to: ends[end].fileDescriptor) }
        } catch {
            return finish()
        }
        for end in ends.indices where hasEnded[1 - end] && outboxes[end].count == 0 {
            UnixSocket.endSending(ends[end].fileDescriptor)
        }
        // An end that is gone in both directions would wake the loop again and again.
        let isDone = hasEnded == [true, true] && outboxes.allSatisfy { $0.count == 0 }
        if isDone || readiness.contains(.hangup) && hasEnded[end] { return finish() }
        for end in ends.indices {
            var interest: Interest = []
            if !hasEnded[end], outboxes[1 - end].count < Self.maxUnsent { interest.insert(.readable) }
            if outboxes[end].count > 0 { interest.insert(.writable) }
            registrations[end].interest = interest
        }
    }

    private func receive(from end: Int) throws(Errno) {
        guard let received = try UnixSocket.receive(from: ends[end].fileDescriptor, waits: false) else { return }
        if received.bytes.isEmpty { hasEnded[end] = true }
        outboxes[1 - end].append(received.bytes)
    }

    private func finish() {
        close()
        onEnd(self)
    }
}
