import SelectionProtocol
import TestRandom

/// What a requestor, and somebody who looks over its shoulder, know of a ``SelectionOwner``: what was asked and not yet
/// answered, and what goes where by INCR.
struct OwnerMonitor {
    typealias Destination = SelectionOwner.Destination
    typealias Effect = SelectionOwner.Effect

    struct Transfer {
        var offer: OfferID
        var entry: OfferTable.Entry
        var length: Int
        var sent = 0
        /// What the requestor has taken: all but the last piece.
        var taken = 0
        var started: ContinuousClock.Instant
        var deadline: ContinuousClock.Instant
    }

    /// A request whose answer has to wait.
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
    /// What the bridge reads from others.
    var elsewhere: [TransferQuota.Transfer] = []
    private var reads: UInt32 = 0
    /// What versions hold that are not offered any more.
    var retired: [OfferID: [TransferQuota.Held]] = [:]
    /// The number of the last side effect that was begun.
    var performing = 0

    var deadline: ContinuousClock.Instant? {
        (transfers.values.map(\.deadline) + waiting.map(\.deadline)).min()
    }

    func anyDestination(using generator: inout SeededGenerator) -> Destination? {
        guard !transfers.isEmpty else { return nil }
        // The order of a dictionary is another in each process.
        let destinations = transfers.keys.sorted { ($0.window.id, $0.property.id) < ($1.window.id, $1.property.id) }
        return generator.pick(destinations)
    }

    /// What must hold after each step, whatever it was.
    func agree(with machine: SelectionOwner) throws(BrokenInvariant) {
        try expect(machine.deadline == deadline, "the earliest of all deadlines is the machine's")
        try expect(machine.transferCount == transfers.count + waiting.count, "what is under way is counted")
        try expect(transfers.count + waiting.count <= limits.transfers, "what is under way is bounded")
        try expect(waiting.allSatisfy { !$0.isComplete }, "no request waits for nothing")
        try expect(watched == Set(transfers.keys.map(\.window)), "the windows that something goes to are watched")
        for offer in 1...OwnerCast.offers {
            let id = OfferID(offer)
            let isSending = transfers.values.contains { $0.offer == id } || waiting.contains { $0.offer == id }
            try expect(machine.isSending(id) == isSending, "what is still being sent is told")
        }
    }

    // MARK: What happened

    mutating func requested(
        _ request: SelectionRequest, offer: OfferTable?, _ effects: [Effect]
    ) throws(BrokenInvariant) {
        var reader = EffectReader(effects)
        if request.target == atoms.multiple, offer != nil, request.property != .none {
            try expect(try next(&reader) == .readPairs(request), "the list of a MULTIPLE is read first")
            return try end(&reader)
        }
        if offer != nil, request.target != atoms.multiple { try supersede(request, &reader) }
        if let offer, let entry = offer.entries[request.target], entry.waits {
            try delay(request, pairs: nil, [(request.target, request.property)], of: offer, &reader)
        } else {
            try answer(request, pairs: nil, from: offer, performed: [], &reader)
        }
        try end(&reader)
    }

    mutating func listed(
        _ request: SelectionRequest, pairs: [UInt32]?, offer: OfferTable?, _ effects: [Effect]
    ) throws(BrokenInvariant) {
        var reader = EffectReader(effects)
        var awaited: [(Atom, Atom)] = []
        if let offer, let pairs, pairs.isList(limits) {
            // Nothing is waited for that can have no answer.
            var taken: Set<Atom> = [.none, request.property]
            awaited = pairs.pairs.filter { $0.0 != atoms.multiple && taken.insert($0.1).inserted }
                .filter { offer.entries[$0.0]?.waits == true }
        }
        if let offer, !awaited.isEmpty {
            try delay(request, pairs: pairs, awaited, of: offer, &reader)
        } else {
            try answer(request, pairs: .some(pairs ?? [0]), from: offer, performed: [], &reader)
        }
        try end(&reader)
    }

    mutating func deleted(_ destination: Destination, _ effects: [Effect]) throws(BrokenInvariant) {
        var reader = EffectReader(effects)
        guard var transfer = transfers[destination] else {
            return try expect(effects.isEmpty, "nothing is written where nothing goes")
        }
        guard
            case .write(destination, let type, .slice(transfer.offer, transfer.entry.body, let piece)) =
                try next(&reader)
        else { throw BrokenInvariant("a property that was deleted gets the next piece of its own transfer") }
        try expect(type == transfer.entry.type, "every piece has the type of the whole")
        try expect(piece.lowerBound == transfer.sent, "a piece begins where the last one ended")
        try expect(piece.count <= limits.chunk, "no piece is longer than may be")
        try expect(piece.upperBound <= transfer.length, "no more is sent than was announced")
        if transfer.sent == transfer.length {
            transfers[destination] = nil
        } else {
            try expect(!piece.isEmpty, "an empty piece comes at the end only")
            transfer.taken = transfer.sent
            transfer.sent = piece.upperBound
            transfer.deadline = now + limits.requestorTimeout
            transfers[destination] = transfer
        }
        try end(&reader)
    }

    mutating func gone(_ window: WindowID) {
        transfers = transfers.filter { $0.key.window != window }
        waiting.removeAll { $0.request.requestor == window }
        watched.remove(window)
    }

    mutating func ended(_ destination: Destination, _ effects: [Effect]) throws(BrokenInvariant) {
        transfers[destination] = nil
        var reader = EffectReader(effects)
        try end(&reader)
    }

    mutating func read(from window: WindowID, moved: Int?) {
        guard let moved else {
            if !elsewhere.isEmpty { elsewhere.removeFirst() }
            return
        }
        reads += 1
        elsewhere.append(
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
            try expect(try next(&reader) == .notify(one.request, property: .none), "who leaves refuses all who wait")
        }
        try end(&reader)
    }

    mutating func expired(_ effects: [Effect]) throws(BrokenInvariant) {
        transfers = transfers.filter { $0.value.deadline > now }
        try answerWaiting(effects, due: now)
    }

    /// Those are answered that wait for nothing any more, or that have waited long enough by then.
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
        try end(&reader)
    }
}
