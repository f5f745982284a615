package import SelectionProtocol

/// What was refused to programs of X11 and ended for them, over all displays that this bridge had.
package final class DisplayCounters {
    package private(set) var refusals = Refusals()
    /// Transfers that ended since they dripped, by the limit that a newcomer met.
    package private(set) var ended: [TransferQuota.Limit: Int] = [:]

    package init(refusals: Refusals = Refusals(), ended: [TransferQuota.Limit: Int] = [:]) {
        self.refusals = refusals
        self.ended = ended
    }

    package func refused(_ reason: Refusals.Reason) {
        refusals.note(reason)
    }

    package func note(_ refusal: TransferRefusal) {
        switch refusal {
        case .unknownTarget: refused(.unknownTarget)
        case .notReady: refused(.notReady)
        case .retired: refused(.retired)
        case .badList: refused(.badList)
        case .stalled: refused(.stalled)
        case .limit(let limit): refused(limit.reason)
        case .ended(let limit):
            ended[limit, default: 0] += 1
            refused(.drip)
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

    /// The setting that says how much may be.
    package var key: String {
        reason.setting ?? ""
    }
}
