package import PasteboardWire

/// How often something was refused, by reason, and when last. Never of what content.
package struct Refusals: Sendable, Equatable {

    package init() {}
    /// Raw values are what `xpb status` tells.
    package enum Reason: String, Sendable, CaseIterable {
        // To programs of X11.
        case unknownTarget = "target not on offer"
        case notReady = "promised bytes not there in time"
        case retired = "version not on offer any more"
        case badList = "MULTIPLE without a usable list"
        case unreadable = "bytes that could not be read any more"
        case ownWindow = "request in the bridge's own name"
        case transfers = "too many transfers"
        case programTransfers = "too many transfers of one program"
        case flood = "more events than can be kept: the X server was left for a moment"
        case drip = "transfer ended since it dripped"
        case stalled = "transfer ended since the other side was silent"
        // Of what programs of X11 give, and names for them.
        case transferBytes = "too many bytes in transfers"
        case programBytes = "too many bytes in transfers of one program"
        case typeName = "name of a type too long"
        case atoms = "too many names for the X server"
        // To clients.
        case clients = "too many clients"
        case programClients = "too many clients of one process"
        case otherUser = "connection of another user"
        case badMessage = "message against the rules of the wire"
        case incoming = "too many bytes in messages that are not whole, or wait"
        case programIncoming = "too many bytes in such messages of one process"
        case unread = "client that does not read"
        case slowWatcher = "watcher slower than the changes"
        case handles = "too many uploads and downloads of a client"
        case programHandles = "too many uploads and downloads of one process"
        case descriptors = "no descriptor left for bytes"

        /// The name of the limit that it is for, where it is one.
        package var setting: String? {
            switch self {
            case .transfers: "limit-transfers"
            case .programTransfers: "limit-program-transfers"
            case .transferBytes: "limit-transfer-bytes"
            case .programBytes: "limit-program-bytes"
            case .typeName: "limit-type-name"
            case .atoms: "limit-atoms"
            case .drip: "limit-drip-rate"
            case .clients: "limit-clients"
            case .programClients: "limit-program-clients"
            case .slowWatcher: "limit-watch-queue"
            case .handles: "limit-handles"
            case .programHandles: "limit-program-handles"
            case .incoming: "limit-incoming"
            case .programIncoming: "limit-program-incoming"
            default: nil
            }
        }
    }

    private struct Tally: Sendable, Equatable {
        var count = 0
        var last = 0
    }

    private var tallies: [Reason: Tally] = [:]

    /// - Parameter time: In milliseconds of the Unix epoch.
    package mutating func note(_ reason: Reason, at time: Int = UnixTime.now) {
        tallies[reason, default: Tally()].count += 1
        tallies[reason, default: Tally()].last = time
    }

    package func count(of reason: Reason) -> Int { tallies[reason]?.count ?? 0 }

    /// Both together.
    package func merging(_ other: Refusals) -> Refusals {
        var result = self
        for (reason, counters) in other.tallies {
            let own = result.tallies[reason] ?? Tally()
            result.tallies[reason] = Tally(count: own.count + counters.count, last: max(own.last, counters.last))
        }
        return result
    }

    /// Those that happened, in the order above.
    package var all: [WireRefusal] {
        Reason.allCases.compactMap { reason in
            tallies[reason].map { WireRefusal(reason: reason.rawValue, count: $0.count, last: $0.last) }
        }
    }
}
