/// The owner's side of the quota, and what is told of its transfers and refusals.
extension SelectionOwner {
    /// Makes room for one more transfer to that window, or refuses it with nil.
    ///
    /// - Parameter replaced: What it takes the place of.
    mutating func admit(
        _ window: WindowID, replacing replaced: Destination? = nil, now: ContinuousClock.Instant
    ) -> [Effect]? {
        let others = quotaTransfers.filter { $0.id != replaced || !$0.canEnd } + elsewhere.transfers
        let decision = TransferQuota(limits).decide(
            limits.program(of: window), among: others, besides: elsewhere.bytes, now: now)
        switch decision {
        case .admitted: return []
        case .refused(let limit): return note(.limit(limit))
        case .admittedFor(let destination, let limit):
            note(.ended(limit))
            if transfers[destination] != nil { return abandon(destination) }
            elsewhere.transfers.removeAll { $0.id == destination }
            return [.end(destination)]
        }
    }

    /// Drops a transfer for a newcomer elsewhere.
    package mutating func end(_ destination: Destination) -> [Effect] {
        abandon(destination)
    }

    /// What is under way, as the quota counts it.
    package var quotaTransfers: [TransferQuota.Transfer] {
        transfers.map { destination, transfer in
            TransferQuota.Transfer(
                id: destination, program: limits.program(of: destination.window), started: transfer.started,
                moved: transfer.taken, held: retired[transfer.offer] ?? [])
        }
            + deferred.map { kept in
                TransferQuota.Transfer(
                    id: Destination(window: kept.request.requestor, property: kept.request.destination),
                    program: limits.program(of: kept.request.requestor), started: kept.started, moved: 0,
                    held: retired[kept.offer] ?? [], canEnd: false)
            }
    }

    /// What is under way, to be told.
    package var states: [TransferState] {
        transfers.map { destination, transfer in
            TransferState(
                direction: .sending, selection: transfer.selection, target: transfer.target,
                window: destination.window, moved: transfer.taken, length: transfer.length,
                started: transfer.started, touched: transfer.touched)
        }
            + deferred.map { kept in
                TransferState(
                    direction: .sending, selection: kept.request.selection, target: kept.request.target,
                    window: kept.request.requestor, moved: 0, length: nil, started: kept.started,
                    touched: kept.started)
            }
    }

    // MARK: Refusals

    /// What was refused or dropped since this was called last.
    package mutating func takeRefusals() -> [TransferRefusal: Int] {
        defer { refusals = [:] }
        return refusals
    }

    /// - Returns: nil, for what fails with it.
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
