package import SelectionProtocol

/// The requestor's side of the quota, and what is told of its conversions.
extension SelectionRequestor {
    /// What is under way, as the quota counts it.
    var quotaTransfers: [TransferQuota.Transfer] {
        transfers.filter { !$0.value.machine.isAwaitingOwner }.map { window, transfer in
            TransferQuota.Transfer(
                id: .init(window: window, property: property), program: limits.program(of: transfer.owner),
                started: transfer.started, moved: transfer.moved, held: transfer.held)
        }
    }

    /// What is under way, to be told.
    package var states: [TransferState] {
        transfers.values.filter { !$0.machine.isAwaitingOwner }.map { transfer in
            TransferState(
                direction: transfer.isReported ? .draining : .receiving, selection: transfer.selection,
                target: transfer.target, window: transfer.owner, moved: transfer.moved, length: nil,
                started: transfer.started, touched: transfer.touched)
        }
    }

    /// Gives a transfer up for a newcomer: nothing more is taken.
    package func end(_ id: SelectionOwner.Destination) {
        handle(.ended, on: id.window, now: .now)
    }

    /// Makes room for one more conversion by that owner, or tells what stands against it.
    package func admit(_ owner: WindowID, now: ContinuousClock.Instant) -> TransferQuota.Limit? {
        let others = elsewhere()
        let decision = TransferQuota(limits).decide(
            limits.program(of: owner), among: quotaTransfers + others.transfers, besides: others.bytes, now: now)
        switch decision {
        case .admitted: return nil
        case .refused(let limit): return limit
        case .admittedFor(let id, let limit):
            counters.note(.ended(limit))
            if transfers[id.window] == nil { endElsewhere(id) } else { end(id) }
            return nil
        }
    }

    package func room(for transfer: Transfer) -> (bytes: Int, limit: TransferQuota.Limit) {
        let others = elsewhere()
        return TransferQuota(limits).room(
            for: limits.program(of: transfer.owner), among: quotaTransfers + others.transfers, besides: others.bytes)
    }
}

extension SelectionRequestor.Transfer {
    /// The bytes that are there by now.
    fileprivate var held: [TransferQuota.Held] {
        kept > 0 ? [.init(name: Int(bitPattern: ObjectIdentifier(self)), length: kept)] : []
    }
}
