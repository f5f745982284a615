/// The owner's side of the quota, and the reports about its transfers and refusals.
extension SelectionOwner {
    /// Makes room for one more transfer to a window; returns nil if the transfer is refused.
    ///
    /// - Parameter replaced: The transfer that the new one replaces.
    mutating func admit(
        _ window: WindowID, replacing replaced: Destination? = nil, now: ContinuousClock.Instant
    ) -> [Effect]? {
        let others = quotaTransfers.filter { $0.id != replaced || !$0.isEvictable } + otherTransfers.transfers
        let decision = TransferQuota(limits).decide(
            limits.program(of: window), among: others, besides: otherTransfers.bytes, now: now)
        switch decision {
        case .admitted: return []
        case .refused(let limit): return note(.limit(limit))
        case .admittedEvicting(let destination, let limit):
            note(.evicted(limit))
            if transfers[destination] != nil { return abandon(destination) }
            otherTransfers.transfers.removeAll { $0.id == destination }
            return [.end(destination)]
        }
    }

    /// Drops a transfer to make room for a transfer of the other state machine.
    package mutating func end(_ destination: Destination) -> [Effect] {
        abandon(destination)
    }

    /// The transfers in progress, as counted by the quota.
    package var quotaTransfers: [TransferQuota.Transfer] {
        transfers.map { destination, transfer in
            TransferQuota.Transfer(
                id: destination, program: limits.program(of: destination.window), started: transfer.started,
                moved: transfer.acknowledged, held: retired[transfer.offer] ?? [])
        }
            + deferred.map { waiting in
                TransferQuota.Transfer(
                    id: Destination(window: waiting.request.requestor, property: waiting.request.destination),
                    program: limits.program(of: waiting.request.requestor), started: waiting.started, moved: 0,
                    held: retired[waiting.offer] ?? [], isEvictable: false)
            }
    }

    /// The transfers in progress, for reports.
    package var states: [TransferState] {
        transfers.map { destination, transfer in
            TransferState(
                direction: .sending, selection: transfer.selection, target: transfer.target,
                window: destination.window, moved: transfer.acknowledged, length: transfer.length,
                started: transfer.started, lastProgress: transfer.lastProgress)
        }
            + deferred.map { waiting in
                TransferState(
                    direction: .sending, selection: waiting.request.selection, target: waiting.request.target,
                    window: waiting.request.requestor, moved: 0, length: nil, started: waiting.started,
                    lastProgress: waiting.started)
            }
    }

    // MARK: Refusals

    /// Returns the counts of refused and dropped requests since the last call.
    package mutating func takeRefusals() -> [TransferRefusal: Int] {
        defer { refusals = [:] }
        return refusals
    }

    /// Counts a refusal. Returns nil, as the result of the operation that failed.
    @discardableResult
    mutating func note(_ refusal: TransferRefusal) -> [Effect]? {
        refusals[refusal, default: 0] += 1
        return nil
    }

    mutating func refuse(_ request: SelectionRequest, _ refusal: TransferRefusal) -> [Effect] {
        note(refusal)
        return [.notify(request, property: .none)]
    }
}
