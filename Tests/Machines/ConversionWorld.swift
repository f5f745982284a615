import SelectionProtocol
import TestRandom

/// What happens to a ``Conversion``.
enum ConversionOperation: MachineOperation {
    /// The one before has to come to its end, and another begins.
    case begun(silence: Int)
    /// An answer, or a forged one; a refusal where there is no property.
    case notified(isRefusal: Bool)
    case written
    /// What was read: the type by its place in a list, none at first and INCR next.
    case read(type: Int, format: Int, length: Int, word: Int?)
    case ownerGone
    case ownerReplaced
    case cancelled
    case ended
    case pause(milliseconds: Int)
    /// Time passes until something is due, or so long after.
    case due(late: Int)
    case expired

    var kind: Int {
        switch self {
        case .notified(let isRefusal): isRefusal ? 0 : 1
        case .written: 2
        case .read(let type, _, let length, let word):
            20 + (min(type, 3) * 3 + min(length, 2)) * 2 + (word == nil ? 0 : 1)
        case .ownerGone: 3
        case .ownerReplaced: 4
        case .cancelled: 5
        case .pause: 6
        case .due: 7
        case .expired: 8
        case .begun: 9
        case .ended: 10
        }
    }
}

/// The requestor's half of the protocol, with an owner that does anything at any time.
struct ConversionWorld: MachineWorld {
    typealias Operation = ConversionOperation
    typealias Effect = Conversion.Effect

    static let name = "conversion"
    private static let types = [Atom.none, OwnerCast.atoms.incr, Atom(401), Atom(402)]

    private static var limits: TransferLimits {
        var limits = TransferLimits()
        limits.incoming = 1_000
        limits.drain = .seconds(30)
        limits.maxDrain = .seconds(100)
        return limits
    }

    private var now: ContinuousClock.Instant
    private var machine: Conversion
    private var monitor: ConversionMonitor
    private let spoiling: Spoiling<Operation, Effect>?

    init(spoiling: Spoiling<Operation, Effect>?) {
        self.spoiling = spoiling
        let start = ContinuousClock.now
        now = start
        let silence = Duration.seconds(5)
        machine = Conversion(atoms: OwnerCast.atoms, limits: Self.limits, silence: silence, now: start)
        monitor = ConversionMonitor(limits: Self.limits, silence: silence, started: start)
    }

    var phase: Int { monitor.phase }

    /// Each character is a kind of operation: how often it stands there is how often it comes.
    private static let early = Array("nnnnnrwwRRRRRgxctttte")
    private static let late = Array("nrwwwwwRRRRRRRRRRRRRRgxctttttteee")

    func random(using generator: inout SeededGenerator) -> Operation {
        if generator.one(in: monitor.isClosed ? 4 : 100) {
            return .begun(silence: generator.pick([1, 500, 5_000, 300_000]))
        }
        switch generator.pick(monitor.isIncremental ? Self.late : Self.early) {
        case "n": return .notified(isRefusal: false)
        case "r": return generator.one(in: 4) ? .notified(isRefusal: true) : .notified(isRefusal: false)
        case "w": return .written
        case "R":
            // Most of it is as it should be: an INCR at first, then pieces of one type.
            let type = generator.one(in: 4) ? generator.number(0..<4) : monitor.isIncremental ? 2 : 1
            let length = generator.pick([0, 1, 4, 4, 4, 100, 100, 999, 1_000, 1_001])
            let word = generator.pick([nil, 0, 4, 1_000, 1_001, Int(UInt32.max)])
            return .read(type: type, format: generator.one(in: 12) ? 32 : 8, length: length, word: word)
        case "g": return .ownerGone
        case "x": return .ownerReplaced
        case "c": return generator.one(in: 3) ? .ended : .cancelled
        case "t":
            if generator.one(in: 3) { return .due(late: generator.pick([0, 0, -1, 1, 5_000])) }
            return .pause(milliseconds: generator.pick([0, 1, 1_000, 4_999, 5_000, 29_000, 86_400_000]))
        default: return .expired
        }
    }

    mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        switch operation {
        case .begun(let silence):
            try finish()
            let silence = Duration.milliseconds(max(silence, 1))
            machine = Conversion(atoms: OwnerCast.atoms, limits: Self.limits, silence: silence, now: now)
            monitor = ConversionMonitor(limits: Self.limits, silence: silence, started: now)
        case .pause(let milliseconds): now += .milliseconds(max(milliseconds, 0))
        case .due(let late):
            if let due = machine.deadline { now = max(now, due + .milliseconds(late)) }
            try expire(operation)
        case .expired: try expire(operation)
        case .notified(let isRefusal): try handle(.notified(property: isRefusal ? .none : Atom(501)), operation)
        case .written: try handle(.propertyWritten, operation)
        case .read(let type, let format, let length, let word):
            let type = Self.types[fitting: type]
            let reading =
                type == .none
                ? Conversion.Reading.absent
                : Conversion.Reading(
                    type: type, format: format, length: max(length, 0),
                    firstWord: word.map { UInt32(truncatingIfNeeded: $0) })
            try handle(.read(reading), operation)
        case .ownerGone: try handle(.ownerGone, operation)
        case .ownerReplaced: try handle(.ownerReplaced, operation)
        case .cancelled: try handle(.cancelled, operation)
        case .ended: try handle(.ended, operation)
        }
        try monitor.agree(with: machine, now: now)
    }

    mutating func finish() throws(BrokenInvariant) {
        // It falls silent, and then it is drained; or it is awaited, until it ends.
        for _ in 0..<2 {
            guard let deadline = machine.deadline else { break }
            now = max(now, deadline)
            try expire(.expired)
        }
        if !monitor.isClosed { try handle(.ownerGone, .ownerGone) }
        try expect(machine.deadline == nil && monitor.isClosed, "an owner that is silent for good ends it")
        try expect(monitor.outcome != .open, "it has ended well or badly")
    }

    private mutating func handle(_ event: Conversion.Event, _ operation: Operation) throws(BrokenInvariant) {
        let effects = spoiling?.isTold(operation) ?? true ? machine.handle(event, now: now) : []
        try monitor.handled(event, spoiled(effects), now: now)
    }

    private mutating func expire(_ operation: Operation) throws(BrokenInvariant) {
        let effects = spoiling?.isTold(operation) ?? true ? machine.expire(now: now) : []
        try monitor.expired(spoiled(effects), now: now)
        try expect(machine.deadline.map { $0 > now } ?? true, "nothing is due any more once it expired")
    }

    private func spoiled(_ effects: [Effect]) -> [Effect] {
        guard let spoiling else { return effects }
        var effects = effects
        spoiling.effects(&effects)
        return effects
    }
}
