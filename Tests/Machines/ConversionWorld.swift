package import SelectionProtocol
package import TestRandom

/// An operation on a ``Conversion``.
package enum ConversionOperation: MachineOperation {
    /// The current conversion must end, and a new conversion starts with this timeout in milliseconds.
    case restarted(timeout: Int)
    /// An answer, which may be forged; a refusal if it has no property.
    case notified(isRefusal: Bool)
    case written
    /// The value read. The type is an index into a list that begins with none and INCR.
    case read(type: Int, format: Int, length: Int, word: Int?)
    case ownerGone
    case ownerReplaced
    case cancelled
    case evicted
    case pause(milliseconds: Int)
    /// Time passes until the deadline, plus the given milliseconds.
    case due(late: Int)
    case expired

    package var kind: Int {
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
        case .restarted: 9
        case .evicted: 10
        }
    }
}

/// The requestor's side of the protocol, with an owner that may do anything at any time.
package struct ConversionWorld: MachineWorld {
    package typealias Operation = ConversionOperation
    package typealias Effect = Conversion.Effect

    package static let name = "conversion"
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
    private let injection: FaultInjection<Operation, Effect>?

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        let start = ContinuousClock.now
        now = start
        let timeout = Duration.seconds(5)
        machine = Conversion(atoms: OwnerCast.atoms, limits: Self.limits, idleTimeout: timeout, now: start)
        monitor = ConversionMonitor(limits: Self.limits, timeout: timeout, started: start)
    }

    package var phase: Int { monitor.phase }

    /// The kinds of operations, one character each, chosen in proportion to their counts.
    private static let early = Array("nnnnnrwwRRRRRgxctttte")
    private static let late = Array("nrwwwwwRRRRRRRRRRRRRRgxctttttteee")

    package func random(using generator: inout SeededGenerator) -> Operation {
        if generator.one(in: monitor.isClosed ? 4 : 100) {
            return .restarted(timeout: generator.pick([1, 500, 5_000, 300_000]))
        }
        switch generator.pick(monitor.isIncremental ? Self.late : Self.early) {
        case "n": return .notified(isRefusal: false)
        case "r": return generator.one(in: 4) ? .notified(isRefusal: true) : .notified(isRefusal: false)
        case "w": return .written
        case "R":
            // Most values are valid: an INCR first, then chunks of one type.
            let type = generator.one(in: 4) ? generator.number(0..<4) : monitor.isIncremental ? 2 : 1
            let length = generator.pick([0, 1, 4, 4, 4, 100, 100, 999, 1_000, 1_001])
            let word = generator.pick([nil, 0, 4, 1_000, 1_001, Int(UInt32.max)])
            return .read(type: type, format: generator.one(in: 12) ? 32 : 8, length: length, word: word)
        case "g": return .ownerGone
        case "x": return .ownerReplaced
        case "c": return generator.one(in: 3) ? .evicted : .cancelled
        case "t":
            if generator.one(in: 3) { return .due(late: generator.pick([0, 0, -1, 1, 5_000])) }
            return .pause(milliseconds: generator.pick([0, 1, 1_000, 4_999, 5_000, 29_000, 86_400_000]))
        default: return .expired
        }
    }

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        switch operation {
        case .restarted(let milliseconds):
            try finish()
            let timeout = Duration.milliseconds(max(milliseconds, 1))
            machine = Conversion(atoms: OwnerCast.atoms, limits: Self.limits, idleTimeout: timeout, now: now)
            monitor = ConversionMonitor(limits: Self.limits, timeout: timeout, started: now)
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
                ? Conversion.Reading(type: .none, format: 0, length: 0)
                : Conversion.Reading(
                    type: type, format: format, length: max(length, 0),
                    firstWord: word.map { UInt32(truncatingIfNeeded: $0) })
            try handle(.read(reading), operation)
        case .ownerGone: try handle(.ownerGone, operation)
        case .ownerReplaced: try handle(.ownerReplaced, operation)
        case .cancelled: try handle(.cancelled, operation)
        case .evicted: try handle(.evicted, operation)
        }
        try monitor.agree(with: machine, now: now)
    }

    package mutating func finish() throws(BrokenInvariant) {
        // After a timeout, the conversion is drained or awaits its owner, until the owner is gone.
        for _ in 0..<2 {
            guard let deadline = machine.deadline else { break }
            now = max(now, deadline)
            try expire(.expired)
        }
        if !monitor.isClosed { try handle(.ownerGone, .ownerGone) }
        try expect(machine.deadline == nil && monitor.isClosed, "without further data a conversion ends")
        try expect(monitor.outcome != .open, "a conversion ends with a result or a failure")
    }

    private mutating func handle(_ event: Conversion.Event, _ operation: Operation) throws(BrokenInvariant) {
        let effects = injection?.receives(operation) ?? true ? machine.handle(event, now: now) : []
        try monitor.handled(event, injected(effects), now: now)
    }

    private mutating func expire(_ operation: Operation) throws(BrokenInvariant) {
        let effects = injection?.receives(operation) ?? true ? machine.expire(now: now) : []
        try monitor.expired(injected(effects), now: now)
        try expect(machine.deadline.map { $0 > now } ?? true, "nothing is overdue after the deadline was handled")
    }

    private func injected(_ effects: [Effect]) -> [Effect] {
        guard let injection else { return effects }
        var effects = effects
        injection.effects(&effects)
        return effects
    }
}
