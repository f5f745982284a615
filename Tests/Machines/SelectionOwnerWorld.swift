package import SelectionProtocol
package import TestRandom

/// The owner's side of the protocol, with requestors that may do anything at any time.
package struct SelectionOwnerWorld: MachineWorld {
    package typealias Operation = SelectionOwnerOperation
    package typealias Effect = SelectionOwner.Effect

    package static let name = "selection-owner"

    private var machine = SelectionOwner(atoms: OwnerCast.atoms, limits: OwnerCast.limits)
    private var monitor = OwnerMonitor()
    private let injection: FaultInjection<Operation, Effect>?

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
    }

    package var phase: Int {
        let (transfers, waiting) = (monitor.transfers.count, monitor.waiting.count)
        return (transfers * 8 + waiting) * 2 + (monitor.isLeaving ? 1 : 0)
    }

    // MARK: Random operations

    /// The kinds of operations, one character each, chosen in proportion to their counts.
    private static let kinds = Array("rrrrrrrrrrrrmmmmddddddddddddddgaaauppppdtttttDxxxxqq")

    package func random(using generator: inout SeededGenerator) -> Operation {
        let window = generator.number(0..<OwnerCast.windows.count)
        let property = generator.number(0..<OwnerCast.properties.count)
        let offer = generator.number(0..<OwnerCast.offers)
        let time = generator.number(0..<3)
        switch generator.pick(Self.kinds) {
        case "r":
            return .request(
                offer: offer, window: window, target: generator.number(0..<OwnerCast.targets.count),
                property: property, time: time)
        case "m":
            return .multiple(
                offer: offer, window: window, property: property, time: time, pairs: pairs(using: &generator))
        case "d":
            // Most deletions are of properties with a transfer.
            if let destination = monitor.anyDestination(using: &generator), !generator.one(in: 5) {
                return .deleted(
                    window: OwnerCast.windows.firstIndex(of: destination.window) ?? 0,
                    property: OwnerCast.properties.firstIndex(of: destination.property) ?? 0,
                    early: generator.one(in: 3) ? generator.number(-2..<70) : 0)
            }
            return .deleted(window: window, property: property, early: 0)
        case "g": return .gone(window: window)
        case "a":
            return .made(
                offer: offer, body: generator.pick(OwnerCast.madeBodies), length: generator.pick(OwnerCast.lengths))
        case "u": return .unmade(offer: offer, body: generator.pick(OwnerCast.madeBodies))
        case "p":
            return .performed(
                number: max(monitor.performing - generator.number(0..<4), 0), isDone: !generator.one(in: 3))
        case "q":
            if generator.one(in: 3) {
                return .retired(offer: offer, length: generator.pick([0, 0, 300, 599, 600, 1_000]))
            }
            return generator.one(in: 4)
                ? .ended(window: window, property: property)
                : .reading(window: window, moved: generator.pick([nil, nil, 0, 50, 100_000]))
        case "D": return generator.one(in: 6) ? .leaving : .dropped(offer: offer)
        case "t":
            if generator.one(in: 2) { return .due(late: generator.pick([0, 0, 0, -1, 1, 5_000])) }
            return .pause(milliseconds: generator.pick([0, 1, 10, 300, 900, 3_000, 31_000, 86_400_000]))
        default: return .expired
        }
    }

    private func pairs(using generator: inout SeededGenerator) -> [Int]? {
        if generator.one(in: 12) { return nil }
        return (0..<generator.number(0..<2 * OwnerCast.limits.pairs + 3)).map { index in
            index.isMultiple(of: 2)
                ? generator.number(0..<OwnerCast.targets.count) : generator.number(0..<OwnerCast.properties.count)
        }
    }

    // MARK: Steps

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        machine.otherTransfers = .init(transfers: monitor.otherTransfers)
        _ = machine.takeRefusals()
        let receives = injection?.receives(operation) ?? true
        switch operation {
        case .request(let offer, let window, let target, let property, let time):
            let request = request(offer, window, OwnerCast.target(target), property, time)
            try convert(request, offer: monitor.offers[fitting: offer], receives: receives)
        case .multiple(let offer, let window, let property, let time, let indices):
            let request = request(offer, window, OwnerCast.atoms.multiple, property, time)
            // Without a property no list is read.
            guard request.property != .none else { return }
            try convert(request, pairs: indices, offer: monitor.offers[fitting: offer], receives: receives)
        case .deleted(let window, let property, let early):
            let destination = destination(window, property)
            let effects =
                receives ? machine.propertyDeleted(destination, now: monitor.now) { $2.upperBound - early } : []
            try monitor.deleted(destination, injected(effects))
        case .gone(let window):
            if receives { machine.windowGone(OwnerCast.window(window)) }
            monitor.gone(OwnerCast.window(window))
        case .made(let offer, let body, let length):
            try settle(offer, body, length.map { .ready(length: $0) } ?? .failed, receives: receives)
        case .unmade(let offer, let body):
            try settle(offer, body, nil, receives: receives)
        case .performed(let number, let isDone):
            let offers = monitor.offers
            let effects =
                receives ? machine.performed(number, isDone, now: monitor.now) { offers[fitting: $0.number - 1] } : []
            try monitor.performed(number, isDone, injected(effects))
        case .dropped(let offer): monitor.offers[offer % OwnerCast.offers] = nil
        case .retired(let offer, let length):
            let id = OfferID(offer % OwnerCast.offers + 1)
            monitor.retired[id] = length > 0 ? [.init(name: id.number, length: length)] : nil
            machine.retired = monitor.retired
        case .reading(let window, let moved):
            monitor.read(from: OwnerCast.window(window), moved: moved)
        case .ended(let window, let property):
            let destination = destination(window, property)
            let effects = receives ? machine.end(destination) : []
            try monitor.ended(destination, injected(effects))
        case .leaving:
            let effects = receives ? machine.refuseDeferred() : []
            try monitor.leaving(injected(effects))
        case .pause(let milliseconds): monitor.now += .milliseconds(max(milliseconds, 0))
        case .due(let late):
            if let due = monitor.deadline { monitor.now = max(monitor.now, due + .milliseconds(late)) }
            try expire(receives: receives)
        case .expired: try expire(receives: receives)
        }
        try monitor.agree(with: machine)
    }

    private mutating func convert(
        _ request: SelectionRequest, offer: OfferTable?, receives: Bool
    ) throws(BrokenInvariant) {
        let effects = receives ? machine.request(request, offer: offer, now: monitor.now) : []
        try monitor.requested(request, offer: offer, injected(effects))
        let refused = effects.count { if case .notify(_, property: .none) = $0 { true } else { false } }
        let counted = machine.takeRefusals().filter { !$0.key.isEnd }.values.reduce(0, +)
        try expect(counted == refused, "each refusal is counted once")
    }

    private mutating func convert(
        _ request: SelectionRequest, pairs indices: [Int]?, offer: OfferTable?, receives: Bool
    ) throws(BrokenInvariant) {
        let pairs = indices?.enumerated().map { place, index in
            place.isMultiple(of: 2) ? OwnerCast.target(index).id : OwnerCast.property(index).id
        }
        let effects = receives ? machine.multiple(request, pairs: pairs, offer: offer, now: monitor.now) : []
        try monitor.listed(request, pairs: pairs, offer: offer, injected(effects))
    }

    package mutating func finish() throws(BrokenInvariant) {
        // Every pass ends at least one wait, and an end starts only operations that waited for it.
        for _ in 0..<4 * OwnerCast.limits.transfers {
            guard let deadline = machine.deadline else { break }
            monitor.now = max(monitor.now, deadline)
            machine.otherTransfers = .init(transfers: monitor.otherTransfers)
            try expire(receives: true)
        }
        try expect(machine.deadline == nil, "everything ends by the passage of time")
        try expect(machine.transferCount == 0, "no transfer is left at the end")
        try monitor.agree(with: machine)
    }

    private mutating func settle(
        _ offer: Int, _ body: Int, _ availability: OfferTable.Availability?, receives: Bool
    ) throws(BrokenInvariant) {
        let index = offer % OwnerCast.offers
        guard var table = monitor.offers[index] else { return }
        let body = body % OwnerCast.bodies
        if let availability { table.settle(body, availability) }
        monitor.offers[index] = table
        let effects = receives ? machine.settled(table, body: body, now: monitor.now) : []
        try monitor.settled(table, body: body, injected(effects))
    }

    private mutating func expire(receives: Bool) throws(BrokenInvariant) {
        let offers = monitor.offers
        let effects = receives ? machine.expire(now: monitor.now) { offers[fitting: $0.number - 1] } : []
        try monitor.expired(injected(effects))
        try expect(
            machine.deadline.map { $0 > monitor.now } ?? true, "nothing is overdue after the deadline was handled")
    }

    private func injected(_ effects: [Effect]) -> [Effect] {
        guard let injection else { return effects }
        var effects = effects
        injection.effects(&effects)
        return effects
    }

    private func destination(_ window: Int, _ property: Int) -> SelectionOwner.Destination {
        SelectionOwner.Destination(window: OwnerCast.window(window), property: OwnerCast.property(property))
    }

    private func request(
        _ offer: Int, _ window: Int, _ target: Atom, _ property: Int, _ time: Int
    ) -> SelectionRequest {
        SelectionRequest(
            owner: WindowID(0x20_0000 + UInt32(offer % OwnerCast.offers)), requestor: OwnerCast.window(window),
            selection: Atom(310), target: target, property: OwnerCast.property(property),
            time: ServerTime(UInt32(truncatingIfNeeded: time)))
    }
}

extension TransferRefusal {
    /// True if the refusal is the end of another transfer.
    fileprivate var isEnd: Bool { if case .evicted = self { true } else { false } }
}
