package import EventLoop
package import LinuxSystem
import SystemPackage

/// A relay that joins each connection accepted by a listener with a connection to the bridge, and passes bytes both
/// ways, but no descriptors.
package final class SocketRelay {
    private let listener: Descriptor
    private let loop: EventLoop
    /// The function that connects to the bridge.
    private let open: () throws -> Descriptor
    /// True while connections are accepted; false while the bridge is awaited, so that clients wait too.
    var isAccepting = true { didSet { updateInterest() } }
    private var registration: Registration?
    private var pairs: [ObjectIdentifier: RelayPair] = [:]

    /// The maximum number of connections at once. Further clients wait to be accepted.
    private static let maxPairs = 32

    package init(
        _ listener: Descriptor, on loop: EventLoop, open: @escaping () throws -> Descriptor
    ) {
        self.listener = listener
        self.loop = loop
        self.open = open
        registration = loop.add(listener.fileDescriptor, interest: .readable) { [unowned self] _ in accept() }
    }

    package func close() {
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
///
/// An end that is gone may have left bytes: a bridge that refuses an upload says why and ends the connection, and a
/// client may end after its last call. These bytes still reach the other end, whose own bytes are dropped.
private final class RelayPair {
    private let ends: [Descriptor]
    private let loop: EventLoop
    private var registrations: [Registration?] = [nil, nil]
    /// The bytes on their way to each end.
    private var outboxes = [Outbox(), Outbox()]
    /// True for each end that sends nothing more.
    private var hasEnded = [false, false]
    /// True for each end that takes nothing more.
    private var isGone = [false, false]
    private let onEnd: (RelayPair) -> Void

    /// The maximum number of unsent bytes for an end. At this limit, the other end is not read.
    private static let maxUnsent = 1 << 20

    init(_ client: Descriptor, _ bridge: Descriptor, on loop: EventLoop, onEnd: @escaping (RelayPair) -> Void) {
        ends = [client, bridge]
        self.loop = loop
        self.onEnd = onEnd
        updateInterests()
    }

    func close() {
        for registration in registrations { registration?.cancel() }
        registrations = [nil, nil]
    }

    private func ready(_ end: Int, _ readiness: Readiness) {
        if readiness.contains(.hangup) { lose(end) }
        if readiness.contains(.readable), wantsInput(from: end) { receive(from: end) }
        for end in ends.indices { send(to: end) }
        for end in ends.indices where hasEnded[1 - end] && outboxes[end].isEmpty {
            UnixSocket.endSending(ends[end].fileDescriptor)
        }
        guard !isDone else {
            close()
            return onEnd(self)
        }
        updateInterests()
    }

    /// True once neither end has bytes for the other that can still be passed on.
    private var isDone: Bool {
        outboxes.allSatisfy(\.isEmpty) && ends.indices.allSatisfy { hasEnded[$0] || isGone[1 - $0] }
    }

    private func wantsInput(from end: Int) -> Bool { !hasEnded[end] && outboxes[1 - end].count < Self.maxUnsent }

    private func receive(from end: Int) {
        do throws(Errno) {
            guard let bytes = try UnixSocket.receive(from: ends[end].fileDescriptor, waits: false)?.bytes else {
                return
            }
            if bytes.isEmpty { hasEnded[end] = true } else if !isGone[1 - end] { outboxes[1 - end].append(bytes) }
        } catch {
            // The end is gone, and its last bytes have been read.
            hasEnded[end] = true
        }
    }

    private func send(to end: Int) {
        do throws(Errno) {
            try outboxes[end].send(to: ends[end].fileDescriptor)
        } catch {
            lose(end)
        }
    }

    private func lose(_ end: Int) {
        isGone[end] = true
        outboxes[end].removeAll()
    }

    private func updateInterests() {
        for end in ends.indices {
            var interest: Interest = []
            if wantsInput(from: end) { interest.insert(.readable) }
            if !outboxes[end].isEmpty { interest.insert(.writable) }
            guard !(isGone[end] && interest.isEmpty) else {
                // poll(2) would report the hang-up in every round.
                registrations[end]?.cancel()
                registrations[end] = nil
                continue
            }
            let registration =
                registrations[end]
                ?? loop.add(ends[end].fileDescriptor, interest: interest) { [unowned self] readiness in
                    ready(end, readiness)
                }
            registration.interest = interest
            registrations[end] = registration
        }
    }
}
