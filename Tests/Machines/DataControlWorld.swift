package import DataControlProtocol
package import TestRandom
import WaylandWire

/// A client of data control, with a compositor whose seats, managers and other clients come and go, and which handles
/// requests late.
package struct DataControlWorld: MachineWorld {
    package typealias Operation = DataControlOperation
    package typealias Effect = DataControlClient.Effect

    package static let name = "data-control"

    private var machine = DataControlClient()
    private var model = CompositorModel()
    private var view = DataControlView()
    private let injection: FaultInjection<Operation, Effect>?
    private var hasStarted = false
    private var marker = 0

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        model.addManager(.wlr, version: 2)
        model.addSeat()
    }

    package var phase: Int {
        var phase = view.isAttached ? 1 : 0
        phase = phase * 4 + min(view.sources.count, 3)
        phase = phase * 4 + min(view.offers.count, 3)
        phase = phase * 3 + min(model.requests.count, 2)
        return phase * 3 + min(model.seats.count, 2)
    }

    // MARK: Random operations

    /// The kinds of operations, one character each, chosen in proportion to their counts.
    private static let kinds = Array("ssssssclyrrhhhhhhhhhhhhhhhhCCCCCCeepppppSDMdaf")

    package func random(using generator: inout SeededGenerator) -> Operation {
        let primary = generator.one(in: 3)
        let seat = generator.one(in: 3) ? generator.number(0..<3) : 0
        let count = generator.number(0..<CompositorModel.types.count + 1)
        switch generator.pick(Self.kinds) {
        case "s": return .set(primary: primary, types: count)
        case "c": return .cleared(primary: primary)
        case "l", "y": return .sync
        case "r": return .receive(back: generator.number(0..<3), type: generator.number(0..<4))
        case "h": return .handled(generator.one(in: 3) ? 50 : generator.number(1..<6))
        case "C": return .copy(seat: seat, primary: primary, types: count, isCopyOfOurs: generator.one(in: 4))
        case "e": return .emptied(seat: seat, primary: primary)
        case "p": return .paste(seat: seat, primary: primary, type: generator.number(0..<4))
        case "S": return .seatAdded
        case "D": return .seatRemoved(seat, isFinishedFirst: generator.one(in: 2))
        case "M": return .managerAdded(isExt: generator.one(in: 2), version: generator.number(1..<4))
        case "d": return .managerRemoved(generator.number(0..<2))
        case "a":
            return .habits(
                cancels: !generator.one(in: 3), cancelsFirst: !generator.one(in: 3), hasPrimary: !generator.one(in: 4))
        default: return generator.one(in: 3) ? .faulty(generator.number(0..<CompositorModel.faults)) : .handled(50)
        }
    }

    // MARK: Steps

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let receives = injection?.receives(operation) ?? true
        try startIfNeeded()
        switch operation {
        case .set(let primary, let types): if receives { try set(Self.selection(primary), types: types) }
        case .cleared(let primary): if receives { _ = try absorb(machine.clear(Self.selection(primary)).effects) }
        case .sync:
            let (id, effects) = receives ? machine.sync() : (nil, [])
            _ = try absorb(effects, sync: id)
        case .receive(let back, let type):
            let type = CompositorModel.types[abs(type % CompositorModel.types.count)]
            let offer = ForeignOfferID(view.lastOffer - back)
            let effect = machine.receive(offer, type: type, into: WireDescriptor(0))
            _ = try absorb(effect.map { [$0] } ?? [])
        case .handled(let count):
            for _ in 0..<min(max(count, 0), 100) {
                try model.handleRequest()
                try deliver(receives: receives)
            }
        case .copy(let seat, let primary, let types, let isCopyOfOurs):
            copy(seat: seat, Self.selection(primary), types: types, isCopyOfOurs: isCopyOfOurs)
        case .emptied(let seat, let primary):
            model.change(Self.selection(primary), of: seat, to: .none)
        case .paste(let seat, let primary, let type):
            let type = CompositorModel.types[abs(type % CompositorModel.types.count)]
            model.paste(Self.selection(primary), of: seat, type: type)
        case .seatAdded: if model.seats.count < 5 { model.addSeat() }
        case .seatRemoved(let index, let isFinishedFirst):
            model.removeSeat(index, isFinishedFirst: isFinishedFirst)
        case .managerAdded(let isExt, let version):
            guard model.managers.count < 5 else { break }
            model.addManager(isExt ? .ext : .wlr, version: UInt32(min(max(version, 1), 9)))
        case .managerRemoved(let index): model.removeManager(index)
        case .habits(let cancels, let cancelsFirst, let hasPrimary):
            (model.cancels, model.cancelsFirst, model.hasPrimary) = (cancels, cancelsFirst, hasPrimary)
        case .faulty(let kind): try breakProtocol(kind, receives: receives)
        }
        try deliver(receives: receives)
    }

    package mutating func finish() throws(BrokenInvariant) {
        try startIfNeeded()
        while !model.requests.isEmpty {
            try model.handleRequest()
            try deliver(receives: true)
        }
        try view.agree(with: model)
        try expect(machine.isAttached == view.isAttached, "the client knows whether it is attached to a seat")
        try expect(machine.waitingDescriptors == 0, "each descriptor is passed on or closed")
    }

    private static func selection(_ isPrimary: Bool) -> SeatSelection { isPrimary ? .primary : .clipboard }

    private mutating func startIfNeeded() throws(BrokenInvariant) {
        guard !hasStarted else { return }
        hasStarted = true
        _ = try absorb(machine.start())
    }

    private mutating func set(_ selection: SeatSelection, types count: Int) throws(BrokenInvariant) {
        let types = Array(CompositorModel.types.prefix(max(count, 0)))
        marker += 1
        let marker = "marker-\(marker)"
        let (id, effects) = machine.set(selection, types: types, marker: marker)
        guard let id else { return try expect(effects.isEmpty, "a source that is not set has no effects") }
        _ = try absorb(effects, setting: (id, selection, types + [marker]))
        try expect(view.sources[id] != nil, "a source that is set exists")
    }

    private mutating func copy(seat: Int, _ selection: SeatSelection, types count: Int, isCopyOfOurs: Bool) {
        guard model.seats.indices.contains(seat) else { return }
        var types = Array(CompositorModel.types.prefix(max(count, 0)))
        if isCopyOfOurs, case .source(let object) = model.seats[seat].contents[selection],
            case .source(_, let own, _) = model.objects[object]
        {
            types = own
        }
        model.change(selection, of: seat, to: .foreign(types))
    }

    private mutating func breakProtocol(_ kind: Int, receives: Bool) throws(BrokenInvariant) {
        let effects = receives ? machine.receive(model.fault(kind), descriptors: 0) : []
        guard case .fail = effects.last else { throw BrokenInvariant("a broken protocol ends the connection") }
        try expect(machine.receive([1, 2, 3], descriptors: 1).isEmpty, "nothing follows the end of the connection")
        self = DataControlWorld(injection: injection)
        try startIfNeeded()
    }

    /// Passes the compositor's events to the client.
    private mutating func deliver(receives: Bool) throws(BrokenInvariant) {
        while !model.events.isEmpty {
            let event = model.events.removeFirst()
            let expected = try view.expected(event.subject)
            let message = event.message
            let effects =
                receives ? machine.receive(message.bytes, descriptors: message.descriptors.count) : []
            let reports = try absorb(effects)
            try expect(reports == expected, "an event is reported once: \(reports) is not \(expected)")
            try view.check(after: event.subject)
        }
    }

    /// Records effects, and queues the requests among them for the compositor.
    private mutating func absorb(
        _ effects: [Effect], setting: (SourceID, SeatSelection, [String])? = nil, sync: SyncID? = nil
    ) throws(BrokenInvariant) -> [Effect] {
        var effects = effects
        injection?.effects(&effects)
        let (requests, reports) = try view.record(effects, setting: setting, sync: sync)
        model.requests += requests.map { ($0, setting?.0) }
        return reports
    }
}
