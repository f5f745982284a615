import SelectionProtocol
import TestRandom

/// A model of the requests and transfers of a ``SelectionOwner`` as its requestors see them, against which the machine
/// is checked.
struct OwnerMonitor {
    typealias Destination = SelectionOwner.Destination
    typealias Effect = SelectionOwner.Effect

    struct Transfer {
        var offer: OfferID
        var entry: OfferTable.Entry
        var length: Int
        var sent = 0
        /// The number of bytes that the requestor has taken: all except those of the last chunk.
        var acknowledged = 0
        var started: ContinuousClock.Instant
        var deadline: ContinuousClock.Instant
    }

    /// A request whose answer is deferred.
    struct Waiting {
        var request: SelectionRequest
        var pairs: [UInt32]?
        var offer: OfferID
        var bodies: Set<Int> = []
        var pending: [Int: Atom] = [:]
        var performed: Set<Atom> = []
        var started: ContinuousClock.Instant
        var deadline: ContinuousClock.Instant

        var isComplete: Bool { bodies.isEmpty && pending.isEmpty }
    }

    let atoms = OwnerCast.atoms
    let limits = OwnerCast.limits
    var now = ContinuousClock.now
    var offers: [OfferTable?] = (0..<OwnerCast.offers).map { OwnerCast.table($0) }
    var transfers: [Destination: Transfer] = [:]
    var waiting: [Waiting] = []
    var watched: Set<WindowID> = []
    var isLeaving = false
    /// The transfers in which the bridge is the requestor.
    var otherTransfers: [TransferQuota.Transfer] = []
    private var reads: UInt32 = 0
    /// The memory of versions that are no longer offered.
    var retired: [OfferID: [TransferQuota.Held]] = [:]
    /// The number of the last side effect that was started.
    var performing = 0

    var deadline: ContinuousClock.Instant? {
        (transfers.values.map(\.deadline) + waiting.map(\.deadline)).min()
    }

    func anyDestination(using generator: inout SeededGenerator) -> Destination? {
        guard !transfers.isEmpty else { return nil }
        // The iteration order of a dictionary differs between processes.
        let destinations = transfers.keys.sorted { ($0.window.id, $0.property.id) < ($1.window.id, $1.property.id) }
        return generator.pick(destinations)
    }

    /// Checks the invariants that hold after every step.
    func agree(with machine: SelectionOwner) throws(BrokenInvariant) {
        try expect(machine.deadline == deadline, "the machine's deadline is the earliest of all")
        try expect(machine.transferCount == transfers.count + waiting.count, "the transfers in progress are counted")
        try expect(transfers.count + waiting.count <= limits.transfers, "the transfers in progress are limited")
        try expect(waiting.allSatisfy { !$0.isComplete }, "a deferred request waits for something")
        try expect(watched == Set(transfers.keys.map(\.window)), "exactly the windows of transfers are watched")
        for offer in 1...OwnerCast.offers {
            let id = OfferID(offer)
            let isSending = transfers.values.contains { $0.offer == id } || waiting.contains { $0.offer == id }
            try expect(machine.isSending(id) == isSending, "the machine reports whether a version is being sent")
        }
    }

    // MARK: Events

    mutating func requested(
        _ request: SelectionRequest, offer: OfferTable?, _ effects: [Effect]
    ) throws(BrokenInvariant) {
        var reader = EffectReader(effects)
        if request.target == atoms.multiple, offer != nil, request.property != .none {
            try expect(try next(&reader) == .readPairs(request), "the list of a MULTIPLE is read first")
            return try expectEnd(&reader)
        }
        if offer != nil, request.target != atoms.multiple { try expectSuperseding(request, &reader) }
        if let offer, let entry = offer.entries[request.target], entry.waits {
            try expectDeferral(request, pairs: nil, [(request.target, request.property)], of: offer, &reader)
        } else {
            try answer(request, pairs: nil, from: offer, performed: [], &reader)
        }
        try expectEnd(&reader)
    }

    mutating func listed(
        _ request: SelectionRequest, pairs: [UInt32]?, offer: OfferTable?, _ effects: [Effect]
    ) throws(BrokenInvariant) {
        var reader = EffectReader(effects)
        var awaited: [(Atom, Atom)] = []
        if let offer, let pairs, pairs.isList(limits) {
            // A pair that cannot be answered is not waited for.
            var used: Set<Atom> = [.none, request.property]
            awaited = pairs.pairs.filter { $0.0 != atoms.multiple && used.insert($0.1).inserted }
                .filter { offer.entries[$0.0]?.waits == true }
        }
        if let offer, !awaited.isEmpty {
            try expectDeferral(request, pairs: pairs, awaited, of: offer, &reader)
        } else {
            try answer(request, pairs: .some(pairs ?? [0]), from: offer, performed: [], &reader)
        }
        try expectEnd(&reader)
    }

    mutating func deleted(_ destination: Destination, _ effects: [Effect]) throws(BrokenInvariant) {
        var reader = EffectReader(effects)
        guard var transfer = transfers[destination] else {
            return try expect(effects.isEmpty, "a deletion without a transfer has no effect")
        }
        guard
            case .write(destination, let type, .slice(transfer.offer, transfer.entry.body, let chunk)) =
                try next(&reader)
        else { throw BrokenInvariant("a deletion is answered by the next chunk of the same transfer") }
        try expect(type == transfer.entry.type, "every chunk has the type of the whole")
        try expect(chunk.lowerBound == transfer.sent, "a chunk begins where the previous one ended")
        try expect(chunk.count <= limits.chunk, "no chunk exceeds the limit")
        try expect(chunk.upperBound <= transfer.length, "no more than the announced length is sent")
        if transfer.sent == transfer.length {
            transfers[destination] = nil
        } else {
            try expect(!chunk.isEmpty, "only the last chunk is empty")
            transfer.acknowledged = transfer.sent
            transfer.sent = chunk.upperBound
            transfer.deadline = now + limits.requestorTimeout
            transfers[destination] = transfer
        }
        try expectEnd(&reader)
    }

    mutating func gone(_ window: WindowID) {
        transfers = transfers.filter { $0.key.window != window }
        waiting.removeAll { $0.request.requestor == window }
        watched.remove(window)
    }

    mutating func ended(_ destination: Destination, _ effects: [Effect]) throws(BrokenInvariant) {
        transfers[destination] = nil
        var reader = EffectReader(effects)
        try expectEnd(&reader)
    }

    mutating func read(from window: WindowID, moved: Int?) {
        guard let moved else {
            if !otherTransfers.isEmpty { otherTransfers.removeFirst() }
            return
        }
        reads += 1
        otherTransfers.append(
            TransferQuota.Transfer(
                id: Destination(window: WindowID(0x20_1000 + reads), property: Atom(500)),
                program: limits.program(of: window), started: now, moved: moved,
                held: [.init(name: 1_000 + Int(reads), length: min(moved, 100))]))
    }

    mutating func settled(_ offer: OfferTable, body: Int, _ effects: [Effect]) throws(BrokenInvariant) {
        for index in waiting.indices where waiting[index].offer == offer.id { waiting[index].bodies.remove(body) }
        try answerWaiting(effects)
    }

    mutating func performed(_ number: Int, _ isDone: Bool, _ effects: [Effect]) throws(BrokenInvariant) {
        if let index = waiting.firstIndex(where: { $0.pending[number] != nil }),
            let property = waiting[index].pending.removeValue(forKey: number), isDone
        {
            waiting[index].performed.insert(property)
        }
        try answerWaiting(effects)
    }

    mutating func leaving(_ effects: [Effect]) throws(BrokenInvariant) {
        isLeaving = true
        let refused = waiting
        waiting = []
        var reader = EffectReader(effects)
        for one in refused {
            try expect(
                try next(&reader) == .notify(one.request, property: .none), "deferred requests are refused at shutdown")
        }
        try expectEnd(&reader)
    }

    mutating func expired(_ effects: [Effect]) throws(BrokenInvariant) {
        transfers = transfers.filter { $0.value.deadline > now }
        try answerWaiting(effects, due: now)
    }

    /// Checks the answers to the deferred requests that are complete, or that are due at the given time.
    private mutating func answerWaiting(
        _ effects: [Effect], due time: ContinuousClock.Instant? = nil
    ) throws(BrokenInvariant) {
        func isDue(_ one: Waiting) -> Bool { time.map { one.deadline <= $0 } ?? one.isComplete }
        let due = waiting.filter(isDue)
        waiting.removeAll(where: isDue)
        var reader = EffectReader(effects)
        for one in due {
            try answer(
                one.request, pairs: one.pairs.map { $0 }, from: offers[fitting: one.offer.number - 1],
                performed: one.performed, &reader)
        }
        try expectEnd(&reader)
    }
}
