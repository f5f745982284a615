import SelectionProtocol

/// A second implementation of the quota, by counting.
extension OwnerMonitor {
    /// A transfer or request that counts toward the limits.
    private struct Place {
        var id: Destination
        var program: ProgramID?
        var age: Duration
        var moved: Int
        var held: [TransferQuota.Held]
        var isEvictable: Bool

        /// The average rate in bytes per second.
        var rate: Double { Double(moved) / (age / .seconds(1)) }
    }

    /// Returns true if there is room for a new transfer to a window, after ending a slow transfer if necessary.
    mutating func admit(
        _ window: WindowID, replacing replaced: Destination?, _ reader: inout EffectReader
    ) throws(BrokenInvariant) -> Bool {
        let places = places.filter { $0.id != replaced || !$0.isEvictable }
        let program = limits.program(of: window)
        let own = places.filter { $0.program == program }
        guard isFull(own, places) else { return true }
        let isOwn = isFullForProgram(own)
        let isOfBytes = isOwn ? own.count < limits.programTransfers : places.count < limits.transfers
        let slow = (isOwn ? own : places).filter {
            $0.isEvictable && $0.age >= limits.slowTransferAge && $0.rate < Double(limits.minTransferRate)
                && (!isOfBytes || !$0.held.isEmpty)
        }
        // Ties are broken by age and then by number.
        let slowest = slow.min {
            ($0.rate, $1.age, $0.id.window.id, $0.id.property.id) < (
                $1.rate, $0.age, $1.id.window.id, $1.id.property.id
            )
        }
        guard let slowest else { return false }
        let others = places.filter { $0.id != slowest.id || !$0.isEvictable }
        guard !isFull(others.filter { $0.program == program }, others) else { return false }
        if transfers[slowest.id] == nil {
            try expect(try next(&reader) == .end(slowest.id), "a slow transfer of the other machine is ended there")
            otherTransfers.removeAll { $0.id == slowest.id }
        }
        transfers[slowest.id] = nil
        return true
    }

    private var places: [Place] {
        transfers.map { id, one in
            Place(
                id: id, program: limits.program(of: id.window), age: now - one.started, moved: one.acknowledged,
                held: retired[one.offer] ?? [], isEvictable: true)
        }
            + waiting.map { one in
                Place(
                    id: Destination(window: one.request.requestor, property: one.request.destination),
                    program: limits.program(of: one.request.requestor), age: now - one.started, moved: 0,
                    held: retired[one.offer] ?? [], isEvictable: false)
            }
            + otherTransfers.map { one in
                Place(
                    id: one.id, program: one.program, age: now - one.started, moved: one.moved, held: one.held,
                    isEvictable: true)
            }
    }

    private func isFull(_ own: [Place], _ all: [Place]) -> Bool {
        isFullForProgram(own) || all.count >= limits.transfers || held(all) >= limits.bytes
    }

    private func isFullForProgram(_ own: [Place]) -> Bool {
        own.count >= limits.programTransfers || held(own) >= limits.programBytes
    }

    /// Returns the number of bytes held. Shared bytes count once.
    private func held(_ places: [Place]) -> Int {
        var lengths: [Int: Int] = [:]
        for one in places.flatMap(\.held) { lengths[one.name] = one.length }
        return lengths.values.reduce(0, +)
    }
}
