import SelectionProtocol

/// What was refused to programs of X11 and ended for them, over all displays that this bridge had.
final class DisplayTally {
    private(set) var refusals = Refusals()
    /// Transfers that ended since they dripped, by the limit that a newcomer met.
    private(set) var ended: [TransferQuota.Limit: Int] = [:]

    func refused(_ reason: Refusals.Reason) {
        refusals.note(reason)
    }

    func note(_ refusal: TransferRefusal) {
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

    func note(_ refusals: [TransferRefusal: Int]) {
        for (refusal, count) in refusals {
            for _ in 0..<count { note(refusal) }
        }
    }
}

extension TransferQuota.Limit {
    var reason: Refusals.Reason {
        switch self {
        case .transfers: .transfers
        case .programTransfers: .programTransfers
        case .bytes: .transferBytes
        case .programBytes: .programBytes
        }
    }

    /// The setting that says how much may be.
    var key: String {
        reason.setting ?? ""
    }
}
