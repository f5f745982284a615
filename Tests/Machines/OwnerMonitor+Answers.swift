import SelectionProtocol

/// What a machine did, from the beginning.
struct EffectReader {
    private var effects: ArraySlice<SelectionOwner.Effect>

    init(_ effects: [SelectionOwner.Effect]) { self.effects = effects[...] }

    var peek: SelectionOwner.Effect? { effects.first }

    mutating func next() -> SelectionOwner.Effect? { effects.popFirst() }
}

/// Whether an answer is the one there has to be.
extension OwnerMonitor {
    /// The next effect that is no watching of windows.
    mutating func next(_ reader: inout EffectReader) throws(BrokenInvariant) -> Effect? {
        while true {
            switch reader.peek {
            case .watch(let window):
                watched.insert(window)
            case .unwatch(let window):
                try expect(watched.remove(window) != nil, "only what is watched is watched no longer")
            default: return reader.next()
            }
            _ = reader.next()
        }
    }

    mutating func end(_ reader: inout EffectReader) throws(BrokenInvariant) {
        let left = try next(&reader)
        try expect(left == nil, "nothing is done that nobody asked for: \(left.map { "\($0)" } ?? "")")
    }

    /// A request that waits for an answer in the same place is refused when another comes for it.
    mutating func supersede(_ request: SelectionRequest, _ reader: inout EffectReader) throws(BrokenInvariant) {
        let old = waiting.filter {
            $0.pairs == nil && $0.request.requestor == request.requestor
                && $0.request.destination == request.destination
        }
        waiting.removeAll { one in one.pairs == nil && old.contains { $0.request == one.request } }
        for one in old {
            try expect(
                try next(&reader) == .notify(one.request, property: .none), "who asks anew does not wait any longer")
        }
    }

    /// The request has to wait, unless too many wait already.
    mutating func delay(
        _ request: SelectionRequest, pairs: [UInt32]?, _ awaited: [(target: Atom, property: Atom)],
        of offer: OfferTable, _ reader: inout EffectReader
    ) throws(BrokenInvariant) {
        guard !isLeaving, try admit(request.requestor, replacing: nil, &reader) else {
            return try expect(
                try next(&reader) == .notify(request, property: .none), "a request that cannot wait is refused")
        }
        let entries = awaited.compactMap { offer.entries[$0.target] }
        let patience = entries.compactMap(\.patienceOfWaiting).min() ?? .zero
        var one = Waiting(request: request, pairs: pairs, offer: offer.id, started: now, deadline: now + patience)
        one.bodies = Set(entries.filter { !$0.isDone }.map(\.body))
        var made: Set<Int> = []
        var effects = awaited.filter { offer.entries[$0.target]?.isDone == true }[...]
        while let effect = try next(&reader) {
            switch effect {
            case .make(offer.id, let body):
                try expect(one.bodies.contains(body) && made.insert(body).inserted, "what is awaited is made, once")
            case .perform(let effect):
                guard let expected = effects.popFirst() else {
                    throw BrokenInvariant("nothing is brought about that was not asked for")
                }
                try expect(effect.number > performing, "every side effect has a number of its own")
                performing = effect.number
                try expect(
                    effect
                        == SideEffect(
                            number: effect.number, offer: offer.id, target: expected.target,
                            requestor: request.requestor, property: expected.property),
                    "what is brought about is what was asked for")
                one.pending[effect.number] = pairs == nil ? request.destination : expected.property
            default: throw BrokenInvariant("a request that waits is not answered: \(effect)")
            }
        }
        try expect(made == one.bodies && effects.isEmpty, "all that is awaited is begun")
        waiting.append(one)
    }

    /// One answer: the values, each where it belongs, and a notify.
    ///
    /// - Parameter pairs: The list of a MULTIPLE; a list of a length that cannot be stands for one that was not there.
    mutating func answer(
        _ request: SelectionRequest, pairs: [UInt32]?, from offer: OfferTable?, performed: Set<Atom>,
        _ reader: inout EffectReader
    ) throws(BrokenInvariant) {
        var isAnswered = false
        if let offer, let pairs {
            if pairs.isList(limits) {
                try answer(request, pairs, from: offer, performed: performed, &reader)
                isAnswered = true
            }
        } else if let offer {
            let destination = Destination(window: request.requestor, property: request.destination)
            isAnswered = try convert(request.target, to: destination, from: offer, performed: performed, &reader)
        }
        let expected = isAnswered ? request.destination : Atom.none
        let effect = try next(&reader)
        try expect(
            effect == .notify(request, property: expected),
            "each request is answered once, by \(expected.id): \(effect.map { "\($0)" } ?? "not at all")")
    }

    private mutating func answer(
        _ request: SelectionRequest, _ pairs: [UInt32], from offer: OfferTable, performed: Set<Atom>,
        _ reader: inout EffectReader
    ) throws(BrokenInvariant) {
        var list: [UInt32] = []
        var taken: Set<Atom> = [request.property]
        for (target, property) in pairs.pairs {
            let destination = Destination(window: request.requestor, property: property)
            let isPossible = property != .none && target != atoms.multiple && taken.insert(property).inserted
            var isAnswered = false
            if isPossible {
                isAnswered = try convert(target, to: destination, from: offer, performed: performed, &reader)
            }
            list += [target.id, isAnswered ? property.id : Atom.none.id]
        }
        let place = Destination(window: request.requestor, property: request.property)
        transfers[place] = nil
        try expect(
            try next(&reader) == .write(place, type: atoms.atomPair, .words(list)),
            "a MULTIPLE's list tells what became of each pair")
    }

    /// One value is written where it belongs, if the version has it and it may be sent.
    private mutating func convert(
        _ target: Atom, to destination: Destination, from offer: OfferTable, performed: Set<Atom>,
        _ reader: inout EffectReader
    ) throws(BrokenInvariant) -> Bool {
        let expected: (type: Atom, content: SelectionOwner.Content)
        var started: Transfer?
        if target == atoms.targets {
            let converting = offer.order.filter { offer.entries[$0]?.availability != .failed }
            expected = (.atom, .words(([target, atoms.timestamp, atoms.multiple] + converting).map(\.id)))
        } else if target == atoms.timestamp {
            expected = (.integer, .words([offer.acquired.milliseconds]))
        } else {
            guard let entry = offer.entries[target] else { return false }
            switch entry.availability {
            case .failed, .made: return false
            case .performed:
                guard performed.contains(destination.property) else { return false }
                expected = (entry.type, .words([]))
            case .ready(let length) where length <= limits.chunk:
                expected = (entry.type, .slice(offer.id, body: entry.body, 0..<length))
            case .ready(let length):
                guard length < 1 << 32 else { return false }
                guard try admit(destination.window, replacing: destination, &reader) else { return false }
                expected = (atoms.incr, .words([UInt32(length)]))
                started = Transfer(
                    offer: offer.id, entry: entry, length: length, started: now,
                    deadline: now + limits.requestorTimeout)
            }
        }
        let effect = try next(&reader)
        try expect(
            effect == .write(destination, type: expected.type, expected.content),
            "a target is answered by what the version has: \(effect.map { "\($0)" } ?? "nothing is written")")
        if started != nil {
            try expect(watched.contains(destination.window), "a window is watched before an INCR is written to it")
        }
        // Who asks anew for the same property has given up what was going there.
        transfers[destination] = started
        return true
    }
}

extension OfferTable.Entry {
    fileprivate var isDone: Bool { if case .performed = availability { true } else { false } }
    fileprivate var patienceOfWaiting: Duration? {
        switch availability {
        case .made(let patience), .performed(let patience): patience
        case .ready, .failed: nil
        }
    }
    /// Whether who asks for it has to wait.
    var waits: Bool { patienceOfWaiting != nil }
}

extension [UInt32] {
    /// As the list of a MULTIPLE.
    var pairs: [(Atom, Atom)] {
        stride(from: 0, to: count - 1, by: 2).map { (Atom(self[$0]), Atom(self[$0 + 1])) }
    }

    func isList(_ limits: TransferLimits) -> Bool { count.isMultiple(of: 2) && count / 2 <= limits.pairs }
}
