/// Who may begin a transfer with a peer, seen what is under way.
///
/// At a limit the slowest transfer ends that is old and drips, at a program's own limit one of that program's, so that
/// programs which take a byte now and then lock nobody out. Where none drips, the newcomer is refused.
package struct TransferQuota: Sendable {
    /// What is reached.
    package enum Limit: Sendable, Hashable, CaseIterable {
        case programTransfers, programBytes, transfers, bytes

        var isOfProgram: Bool { self == .programTransfers || self == .programBytes }
        var isOfBytes: Bool { self == .programBytes || self == .bytes }
    }

    /// Bytes that are in memory for transfers alone. Transfers that name the same share them.
    package struct Held: Sendable, Hashable {
        package let name: Int
        package let length: Int

        package init(name: Int, length: Int) {
            self.name = name
            self.length = length
        }
    }

    package struct Transfer: Sendable {
        /// The property it goes through, on the peer's window or on one of ours.
        package var id: SelectionOwner.Destination
        /// Nil where it is not known.
        package var program: ProgramID?
        package var started: ContinuousClock.Instant
        /// In bytes, those that came.
        package var moved: Int
        package var held: [Held]
        /// Whether it may end for a newcomer. What waits for an answer of ours has a short time of its own.
        package var canEnd: Bool

        package init(
            id: SelectionOwner.Destination, program: ProgramID?, started: ContinuousClock.Instant, moved: Int,
            held: [Held] = [], canEnd: Bool = true
        ) {
            self.id = id
            self.program = program
            self.started = started
            self.moved = moved
            self.held = held
            self.canEnd = canEnd
        }
    }

    /// What there is besides the transfers that decide.
    package struct Elsewhere: Sendable {
        package var transfers: [Transfer]
        /// Held for other reasons than a transfer with a peer.
        package var bytes: Int

        package init(transfers: [Transfer] = [], bytes: Int = 0) {
            self.transfers = transfers
            self.bytes = bytes
        }
    }

    package enum Decision: Sendable, Equatable {
        case admitted
        /// That one is to end first, for that limit.
        case admittedFor(SelectionOwner.Destination, Limit)
        case refused(Limit)
    }

    private let limits: TransferLimits

    package init(_ limits: TransferLimits) {
        self.limits = limits
    }

    /// - Parameters:
    ///   - program: The newcomer's.
    ///   - transfers: All that are under way.
    ///   - bytes: Held besides.
    package func decide(
        _ program: ProgramID?, among transfers: [Transfer], besides bytes: Int = 0, now: ContinuousClock.Instant
    ) -> Decision {
        guard let limit = reached(by: program, among: transfers, besides: bytes) else { return .admitted }
        let slowest = transfers.lazy
            .filter { $0.canEnd && (!limit.isOfProgram || $0.program == program) }
            .filter { !limit.isOfBytes || !$0.held.isEmpty }
            .filter { drips($0, now: now) }
            // Of those that are as slow the oldest, so that it is one for sure.
            .min {
                (rate($0, now: now), $0.started, $0.id.window.id, $0.id.property.id)
                    < (rate($1, now: now), $1.started, $1.id.window.id, $1.id.property.id)
            }
        guard let slowest else { return .refused(limit) }
        // The limits may have become lower since, and what it holds may be shared.
        // A request may wait for an answer at the same property.
        let others = transfers.filter { $0.id != slowest.id || !$0.canEnd }
        if let left = reached(by: program, among: others, besides: bytes) { return .refused(left) }
        return .admittedFor(slowest.id, limit)
    }

    /// How many more bytes may be held for a transfer, and what stands against more.
    package func room(
        for program: ProgramID?, among transfers: [Transfer], besides bytes: Int = 0
    ) -> (bytes: Int, limit: Limit) {
        let all = (bytes: max(limits.bytes - bytes - held(by: transfers), 0), limit: Limit.bytes)
        guard let program else { return all }
        let own = max(limits.programBytes - held(by: transfers.filter { $0.program == program }), 0)
        return own < all.bytes ? (own, .programBytes) : all
    }

    /// In all, what is shared once.
    package func held(by transfers: [Transfer]) -> Int {
        Set(transfers.lazy.flatMap(\.held)).reduce(0) { $0 + $1.length }
    }

    private func reached(by program: ProgramID?, among transfers: [Transfer], besides bytes: Int) -> Limit? {
        if let program {
            let own = transfers.filter { $0.program == program }
            if own.count >= limits.programTransfers { return .programTransfers }
            if held(by: own) >= limits.programBytes { return .programBytes }
        }
        if transfers.count >= limits.transfers { return .transfers }
        return bytes + held(by: transfers) >= limits.bytes ? .bytes : nil
    }

    /// In bytes a second, over its whole age.
    private func rate(_ transfer: Transfer, now: ContinuousClock.Instant) -> Double {
        Double(transfer.moved) / ((now - transfer.started) / .seconds(1))
    }

    /// One that begins in this moment has moved nothing too slowly.
    private func drips(_ transfer: Transfer, now: ContinuousClock.Instant) -> Bool {
        let age = now - transfer.started
        return age >= limits.dripAge && Double(transfer.moved) < Double(limits.dripRate) * (age / .seconds(1))
    }
}
