import LinuxSystem
package import SelectionProtocol
import X11Display

extension SelectionRequestor {
    /// One conversion under way.
    final class Transfer {
        let request: ConversionRequest
        let selection: Atom
        let target: Atom
        /// The time of the request.
        let time: ServerTime
        /// The owner's window; `none` if it is not known.
        let owner: WindowID
        let started: ContinuousClock.Instant
        /// The time at which bytes last arrived.
        var lastProgress: ContinuousClock.Instant
        /// The number of bytes that arrived.
        var moved = 0
        /// The number of bytes that are stored, or went to a socket.
        var stored = 0
        /// True once the owner sends the contents by INCR (ICCCM 2.7.2).
        var isIncremental = false
        var machine: Conversion
        /// The maximum number of bytes that are stored.
        let limit: Int
        var sink = Sink.none
        /// The type and format of the first bytes.
        private var kind: (type: Atom, format: Int)?
        /// True once the result is reported, whether it is a success or a failure.
        var isReported = false
        /// True once it is reported that the owner continues to send although the conversion has failed.
        var isDraining = false
        /// True once the owner that was asked has lost the selection. That owner may continue to send, whatever becomes
        /// of later owners.
        var isFormer = false

        init(
            _ request: ConversionRequest, selection: Atom, target: Atom, owner: WindowID, time: ServerTime,
            machine: Conversion, limit: Int, now: ContinuousClock.Instant
        ) {
            self.request = request
            self.selection = selection
            self.target = target
            self.time = time
            self.owner = owner
            started = now
            lastProgress = now
            self.machine = machine
            self.limit = limit
        }

        /// True for a request to the present owner of a selection that has no answer, and whose result is wanted.
        func isUnansweredRequest(of selection: Atom) -> Bool {
            self.selection == selection && !isFormer && !isReported && !machine.hasBegun
        }

        /// Returns false for bytes whose type or format differs from the first bytes: the conversion fails before such
        /// bytes are in a stream.
        func takes(_ part: PropertyValue) -> Bool {
            let first = kind ?? (part.type, part.format)
            kind = first
            return first == (part.type, part.format)
        }

        /// The stored bytes, as the quota counts them: for a stream, the bytes that its reader has not taken.
        fileprivate var held: [TransferQuota.Held] {
            let stored = if case .stream(let socket) = sink { socket.waiting } else { stored }
            return stored > 0 ? [.init(name: Int(bitPattern: ObjectIdentifier(self)), length: stored)] : []
        }
    }

    /// The destination of a conversion's bytes.
    enum Sink {
        case none
        case list([UInt32])
        case file(MemoryFileWriter)
        case stream(SpooledSocket)
    }

    // MARK: Limits

    /// The transfers under way, as the quota counts them.
    var quotaTransfers: [TransferQuota.Transfer] {
        transfers.filter { !$0.value.machine.isAwaitingOwner }.map { window, transfer in
            TransferQuota.Transfer(
                id: .init(window: window, property: property), program: limits.program(of: transfer.owner),
                started: transfer.started, moved: transfer.moved, held: transfer.held)
        }
    }

    /// The transfers under way, for the status.
    var states: [TransferState] {
        transfers.values.filter { !$0.machine.isAwaitingOwner }.map { transfer in
            TransferState(
                direction: transfer.isReported ? .draining : .receiving, selection: transfer.selection,
                target: transfer.target, window: transfer.owner, moved: transfer.moved, length: nil,
                started: transfer.started, lastProgress: transfer.lastProgress)
        }
    }

    /// Ends a transfer to make room for a new one: its remaining bytes are not read.
    func endTransfer(_ id: SelectionOwner.Destination) {
        handle(.evicted, on: id.window, now: .now)
    }

    /// Makes room for another conversion by an owner. Returns the limit that forbids the conversion, if there is one.
    func admit(_ owner: WindowID, now: ContinuousClock.Instant) -> TransferQuota.Limit? {
        let others = otherTransfers()
        let decision = TransferQuota(limits).decide(
            limits.program(of: owner), among: quotaTransfers + others.transfers, besides: others.bytes, now: now)
        switch decision {
        case .admitted: return nil
        case .refused(let limit): return limit
        case .admittedEvicting(let id, let limit):
            counters.note(.evicted(limit))
            if transfers[id.window] == nil { endOtherTransfer(id) } else { endTransfer(id) }
            return nil
        }
    }

    /// Returns the number of bytes that a transfer may still store, and the limit that determines it.
    func room(for transfer: Transfer) -> (bytes: Int, limit: TransferQuota.Limit) {
        let others = otherTransfers()
        return TransferQuota(limits).room(
            for: limits.program(of: transfer.owner), among: quotaTransfers + others.transfers, besides: others.bytes)
    }
}

/// The windows of incremental transfers that are over. They are destroyed later: xsel sends a second notify after the
/// last piece, and exits, losing the selections that it owns, if the window does not exist at that time.
package struct RetiredWindows {
    /// The time until a window is destroyed.
    package static let lifetime = Duration.seconds(5)
    /// The maximum number of windows. Above this number, the oldest windows are destroyed earlier.
    private static let maxCount = 64

    /// The windows in the order of their transfers' ends.
    private var windows: [(window: WindowID, until: ContinuousClock.Instant)] = []

    package init() {}

    /// The time at which the first window has to be destroyed.
    package var deadline: ContinuousClock.Instant? { windows.first?.until }

    package mutating func append(_ window: WindowID, now: ContinuousClock.Instant) {
        windows.append((window, now + Self.lifetime))
    }

    /// Removes and returns the windows that have to be destroyed.
    package mutating func removeDue(now: ContinuousClock.Instant) -> [WindowID] {
        let due = windows.prefix { $0.until <= now }.count
        let count = max(due, windows.count - Self.maxCount)
        defer { windows.removeFirst(count) }
        return windows.prefix(count).map(\.window)
    }
}
