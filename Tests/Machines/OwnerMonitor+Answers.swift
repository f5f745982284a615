import SelectionProtocol

/// A cursor over the effects of a machine.
struct EffectReader {
    private var effects: ArraySlice<SelectionOwner.Effect>

    init(_ effects: [SelectionOwner.Effect]) { self.effects = effects[...] }

    var peek: SelectionOwner.Effect? { effects.first }

    mutating func next() -> SelectionOwner.Effect? { effects.popFirst() }
}

/// The checks of answers against the expected answers.
extension OwnerMonitor {
    /// Returns the next effect that does not concern the watching of windows.
    mutating func next(_ reader: inout EffectReader) throws(BrokenInvariant) -> Effect? {
        while true {
            switch reader.peek {
            case .watch(let window):
                watched.insert(window)
            case .unwatch(let window):
                try expect(watched.remove(window) != nil, "only a watched window is unwatched")
            default: return reader.next()
            }
            _ = reader.next()
        }
    }

    mutating func expectEnd(_ reader: inout EffectReader) throws(BrokenInvariant) {
        let left = try next(&reader)
        try expect(left == nil, "there is no further effect: \(left.map { "\($0)" } ?? "")")
    }

    /// Checks that a deferred request is refused when a new request for the same property arrives.
    mutating func expectSuperseding(_ request: SelectionRequest, _ reader: inout EffectReader) throws(BrokenInvariant) {
        let old = waiting.filter {
            $0.pairs == nil && $0.request.requestor == request.requestor
                && $0.request.destination == request.destination
        }
        waiting.removeAll { one in one.pairs == nil && old.contains { $0.request == one.request } }
        for one in old {
            try expect(
                try next(&reader) == .notify(one.request, property: .none), "a new request refuses the older one")
        }
    }

    /// Checks that the request is deferred, unless a limit forbids it.
    mutating func expectDeferral(
        _ request: SelectionRequest, pairs: [UInt32]?, _ awaited: [(target: Atom, property: Atom)],
        of offer: OfferTable, _ reader: inout EffectReader
    ) throws(BrokenInvariant) {
        guard !isLeaving, try admit(request.requestor, replacing: nil, &reader) else {
            return try expect(
                try next(&reader) == .notify(request, property: .none), "a request that cannot be deferred is refused")
        }
        let entries = awaited.compactMap { offer.entries[$0.target] }
        let timeout = entries.compactMap(\.waitTimeout).min() ?? .zero
        var one = Waiting(request: request, pairs: pairs, offer: offer.id, started: now, deadline: now + timeout)
        one.bodies = Set(entries.filter { !$0.isDone }.map(\.body))
        var made: Set<Int> = []
        var effects = awaited.filter { offer.entries[$0.target]?.isDone == true }[...]
        while let effect = try next(&reader) {
            switch effect {
            case .make(offer.id, let body):
                try expect(
                    one.bodies.contains(body) && made.insert(body).inserted, "each awaited body is generated once")
            case .perform(let effect):
                guard let expected = effects.popFirst() else {
                    throw BrokenInvariant("a side effect is performed only on request")
                }
                try expect(effect.number > performing, "every side effect has its own number")
                performing = effect.number
                try expect(
                    effect
                        == SideEffect(
                            number: effect.number, requestor: request.requestor, property: expected.property,
                            timeout: effect.timeout),
                    "the requested side effect is performed")
                one.pending[effect.number] = pairs == nil ? request.destination : expected.property
            default: throw BrokenInvariant("a deferred request is not answered yet: \(effect)")
            }
        }
        try expect(made == one.bodies && effects.isEmpty, "everything awaited is started")
        waiting.append(one)
    }

    /// Checks for a single answer: the values at their destinations, and a notify.
    ///
    /// - Parameter pairs: The list of a MULTIPLE; a list of odd length stands for a missing list.
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
        var used: Set<Atom> = [request.property]
        for (target, property) in pairs.pairs {
            let destination = Destination(window: request.requestor, property: property)
            let isPossible = property != .none && target != atoms.multiple && used.insert(property).inserted
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
            "a MULTIPLE's list reports the result of each pair")
    }

    /// Checks that a value is written to its destination, if the version offers it and the limits permit.
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
            "a target is answered from the version: \(effect.map { "\($0)" } ?? "nothing is written")")
        if started != nil {
            try expect(watched.contains(destination.window), "a window is watched before an INCR is written to it")
        }
        // A new request for the same property replaces the transfer to it.
        transfers[destination] = started
        return true
    }
}

extension OfferTable.Entry {
    fileprivate var isDone: Bool { if case .performed = availability { true } else { false } }
    fileprivate var waitTimeout: Duration? {
        switch availability {
        case .made(let timeout), .performed(let timeout): timeout
        case .ready, .failed: nil
        }
    }
    /// True if a request for this target is deferred.
    var waits: Bool { waitTimeout != nil }
}

extension [UInt32] {
    /// The list of a MULTIPLE as pairs.
    var pairs: [(Atom, Atom)] {
        stride(from: 0, to: count - 1, by: 2).map { (Atom(self[$0]), Atom(self[$0 + 1])) }
    }

    func isList(_ limits: TransferLimits) -> Bool { count.isMultiple(of: 2) && count / 2 <= limits.pairs }
}
