import LinuxSystem
package import SelectionProtocol

/// The numbers of refusals by reason, with the time of the latest refusal. Contents are never recorded.
package struct Refusals: Sendable, Equatable {
    /// The reason of a refusal. The raw value is the text that `xpb status` shows.
    package enum Reason: String, Sendable, CaseIterable {
        // To X11 programs.
        case unknownTarget = "target not on offer"
        case notReady = "promised bytes not provided in time"
        case notSaved = "contents that a program asked to save when it ended"
        case retired = "version no longer on offer"
        case badList = "MULTIPLE without a usable list"
        case unreadable = "bytes no longer readable"
        case ownWindow = "request in the bridge's own name"
        case transfers = "too many transfers"
        case programTransfers = "too many transfers of one program"
        case flood = "more events than can be kept: the X connection was closed for a moment"
        case slowTransfer = "slow transfer ended to make room for another"
        case stalled = "transfer ended after the idle timeout"
        // Contents of X11 programs, and names on X11.
        case transferBytes = "too many bytes in transfers"
        case programBytes = "too many bytes in transfers of one program"
        case typeName = "name of a type too long"
        case targets = "targets left out of a list that is too long"
        case atoms = "too many names for the X server"
        // To clients.
        case clients = "too many clients"
        case programClients = "too many clients of one process"
        case otherUser = "connection of another user"
        case badMessage = "invalid message"
        case longMessage = "message too long"
        case incoming = "too many bytes in incomplete and queued messages"
        case programIncoming = "too many bytes in incomplete and queued messages of one process"
        case unread = "client that does not read"
        case slowWatcher = "watcher slower than the changes"
        case handles = "too many uploads and downloads of a client"
        case programHandles = "too many uploads and downloads of one process"
        case descriptors = "no descriptor left for bytes"

        /// True for refusals in normal operation: a requestor may try any target, its request may cross a change, and a
        /// program that ends may have nothing to save, or a secret.
        package var isRoutine: Bool { [.unknownTarget, .retired, .notSaved].contains(self) }

        /// The setting of the limit that was reached; nil for reasons without a limit.
        package var setting: String? {
            switch self {
            case .transfers: "limit-transfers"
            case .programTransfers: "limit-program-transfers"
            case .transferBytes: "limit-transfer-bytes"
            case .programBytes: "limit-program-bytes"
            case .typeName: "limit-type-name"
            case .atoms: "limit-atoms"
            case .slowTransfer: "limit-drip-rate"
            case .clients: "limit-clients"
            case .programClients: "limit-program-clients"
            case .slowWatcher: "limit-watch-queue"
            case .handles: "limit-handles"
            case .programHandles: "limit-program-handles"
            case .longMessage: "limit-message"
            case .incoming: "limit-incoming"
            case .programIncoming: "limit-program-incoming"
            default: nil
            }
        }
    }

    /// The refusals for one reason.
    package struct Record: Sendable, Equatable {
        package let reason: Reason
        package var count = 0
        /// The time of the latest refusal, in milliseconds since the Unix epoch.
        package var last = 0

        package init(reason: Reason, count: Int = 0, last: Int = 0) {
            self.reason = reason
            self.count = count
            self.last = last
        }
    }

    private var records: [Reason: Record] = [:]

    package init() {}

    /// Adds a refusal.
    ///
    /// - Parameter time: The time in milliseconds since the Unix epoch.
    package mutating func note(_ reason: Reason, at time: Int = UnixTime.now) {
        records[reason, default: Record(reason: reason)].count += 1
        records[reason, default: Record(reason: reason)].last = time
    }

    package func count(of reason: Reason) -> Int { records[reason]?.count ?? 0 }

    /// Returns the sum of these and other refusals.
    package func merging(_ other: Refusals) -> Refusals {
        var result = self
        for (reason, added) in other.records {
            let own = result.records[reason] ?? Record(reason: reason)
            result.records[reason] = Record(
                reason: reason, count: own.count + added.count, last: max(own.last, added.last))
        }
        return result
    }

    /// The refusals that occurred, in the order of the reasons.
    package var all: [Record] { Reason.allCases.compactMap { records[$0] } }
}

/// The counters of requests that were refused to X11 programs, and of transfers that were ended, over all displays that
/// the bridge has served.
package final class DisplayCounters {
    package private(set) var refusals = Refusals()
    /// The number of slow transfers that were ended for a new transfer, by the limit that the new transfer had reached.
    package private(set) var evicted: [TransferQuota.Limit: Int] = [:]

    package init(refusals: Refusals = Refusals(), evicted: [TransferQuota.Limit: Int] = [:]) {
        self.refusals = refusals
        self.evicted = evicted
    }

    package func refused(_ reason: Refusals.Reason) {
        refusals.note(reason)
    }

    package func note(_ refusal: TransferRefusal) {
        switch refusal {
        case .unknownTarget: refused(.unknownTarget)
        case .notReady: refused(.notReady)
        case .notSaved: refused(.notSaved)
        case .retired: refused(.retired)
        case .badList: refused(.badList)
        case .stalled: refused(.stalled)
        case .limit(let limit): refused(limit.reason)
        case .evicted(let limit):
            evicted[limit, default: 0] += 1
            refused(.slowTransfer)
        }
    }

    package func note(_ refusals: [TransferRefusal: Int]) {
        for (refusal, count) in refusals {
            for _ in 0..<count { note(refusal) }
        }
    }
}

extension TransferQuota.Limit {
    package var reason: Refusals.Reason {
        switch self {
        case .transfers: .transfers
        case .programTransfers: .programTransfers
        case .bytes: .transferBytes
        case .programBytes: .programBytes
        }
    }

    /// The name of the setting.
    package var key: String {
        reason.setting ?? ""
    }
}
