/// The decision whether a transfer with a peer may start, given the transfers in progress.
///
/// When a limit is reached, the slowest transfer that is old enough and below the minimum rate is ended; for a limit on
/// one program, the slowest such transfer of that program. Programs that read a byte now and then thus cannot lock out
/// others. If no transfer is slow, the new transfer is refused.
package struct TransferQuota: Sendable {
    /// The limits that can be reached.
    package enum Limit: Sendable, Hashable, CaseIterable {
        case programTransfers, programBytes, transfers, bytes

        var isOfProgram: Bool { self == .programTransfers || self == .programBytes }
        var isOfBytes: Bool { self == .programBytes || self == .bytes }
    }

    /// Bytes that are in memory only for transfers. Transfers that hold bytes with the same name share them.
    package struct Held: Sendable, Hashable {
        package let name: Int
        package let length: Int

        package init(name: Int, length: Int) {
            self.name = name
            self.length = length
        }
    }

    package struct Transfer: Sendable {
        /// The property through which the data passes, on the peer's window or on one of ours.
        package var id: SelectionOwner.Destination
        /// The peer; nil if it is unknown.
        package var program: ProgramID?
        package var started: ContinuousClock.Instant
        /// The number of bytes that have arrived.
        package var moved: Int
        package var held: [Held]
        /// True if the transfer may be ended for a new one. A request that waits for the bridge has its own short
        /// timeout.
        package var isEvictable: Bool

        package init(
            id: SelectionOwner.Destination, program: ProgramID?, started: ContinuousClock.Instant, moved: Int,
            held: [Held] = [], isEvictable: Bool = true
        ) {
            self.id = id
            self.program = program
            self.started = started
            self.moved = moved
            self.held = held
            self.isEvictable = isEvictable
        }
    }

    /// The transfers and bytes outside the state machine that decides.
    package struct OtherTransfers: Sendable {
        package var transfers: [Transfer]
        /// The bytes held for purposes other than transfers with peers.
        package var bytes: Int

        package init(transfers: [Transfer] = [], bytes: Int = 0) {
            self.transfers = transfers
            self.bytes = bytes
        }
    }

    package enum Decision: Sendable, Equatable {
        case admitted
        /// The given transfer must be ended first, because of the limit.
        case admittedEvicting(SelectionOwner.Destination, Limit)
        case refused(Limit)
    }

    private let limits: TransferLimits

    package init(_ limits: TransferLimits) {
        self.limits = limits
    }

    /// Decides whether a program may start a transfer.
    ///
    /// - Parameters:
    ///   - transfers: All transfers in progress.
    ///   - bytes: The bytes held for other purposes.
    package func decide(
        _ program: ProgramID?, among transfers: [Transfer], besides bytes: Int = 0, now: ContinuousClock.Instant
    ) -> Decision {
        guard let limit = reached(by: program, among: transfers, besides: bytes) else { return .admitted }
        let slowest = transfers.lazy
            .filter { $0.isEvictable && (!limit.isOfProgram || $0.program == program) }
            .filter { !limit.isOfBytes || !$0.held.isEmpty }
            .filter { isSlow($0, now: now) }
            // Ties are broken by age and then by destination, so that the choice is deterministic.
            .min {
                (rate($0, now: now), $0.started, $0.id.window.id, $0.id.property.id)
                    < (rate($1, now: now), $1.started, $1.id.window.id, $1.id.property.id)
            }
        guard let slowest else { return .refused(limit) }
        // Ending the slowest transfer may not be enough: the limits may have been lowered, and its bytes may be shared
        // with other transfers. A request that waits for an answer may use the same property, and still counts.
        let others = transfers.filter { $0.id != slowest.id || !$0.isEvictable }
        if let left = reached(by: program, among: others, besides: bytes) { return .refused(left) }
        return .admittedEvicting(slowest.id, limit)
    }

    /// Returns the number of bytes that may still be held for a transfer, and the limit that applies.
    package func room(
        for program: ProgramID?, among transfers: [Transfer], besides bytes: Int = 0
    ) -> (bytes: Int, limit: Limit) {
        let all = (bytes: max(limits.bytes - bytes - held(by: transfers), 0), limit: Limit.bytes)
        guard let program else { return all }
        let own = max(limits.programBytes - held(by: transfers.filter { $0.program == program }), 0)
        return own < all.bytes ? (own, .programBytes) : all
    }

    /// Returns the total of the bytes held; shared bytes count once.
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

    /// Returns the average rate in bytes per second.
    private func rate(_ transfer: Transfer, now: ContinuousClock.Instant) -> Double {
        Double(transfer.moved) / ((now - transfer.started) / .seconds(1))
    }

    /// Returns true if the transfer is old enough and below the minimum rate.
    private func isSlow(_ transfer: Transfer, now: ContinuousClock.Instant) -> Bool {
        let age = now - transfer.started
        return age >= limits.slowTransferAge
            && Double(transfer.moved) < Double(limits.minTransferRate) * (age / .seconds(1))
    }
}
