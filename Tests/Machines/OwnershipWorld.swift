import SelectionProtocol
import TestRandom

/// What happens to an ``OwnershipTracker``.
enum OwnershipOperation: MachineOperation {
    /// A window of a peer's by its number, a version of ours by a negative one, or nobody.
    case set(owner: Int, time: Int)
    case died(time: Int)
    case pause(milliseconds: Int)
    case expired

    var kind: Int {
        switch self {
        case .set(let owner, _): owner.signum() + 1
        case .died: 3
        case .pause(let milliseconds): milliseconds < 10 ? 4 : 5
        case .expired: 6
        }
    }
}

/// Who owns a selection, with owners that come and go in any order, and with times of the server that repeat.
struct OwnershipWorld: MachineWorld {
    typealias Operation = OwnershipOperation
    typealias Effect = OwnershipTracker.Change

    static let name = "ownership"

    private var machine = OwnershipTracker(found: .none)
    private let spoiling: Spoiling<Operation, Effect>?
    private var now = ContinuousClock.now

    /// Who has it, as the events say; a dead owner has it no longer.
    private var owner = OwnershipTracker.Owner.none
    /// A death that nobody was told of yet: when it is to be told, and the time of the server.
    private var death: (due: ContinuousClock.Instant, time: ServerTime)?
    private var lastTold: OwnershipTracker.Change?

    init(spoiling: Spoiling<Operation, Effect>?) {
        self.spoiling = spoiling
    }

    var phase: Int {
        let owner =
            switch owner {
            case .none: 0
            case .foreign: 1
            case .ours: 2
            }
        return owner * 4 + (death == nil ? 0 : 2) + (lastTold?.byDeath == true ? 1 : 0)
    }

    func random(using generator: inout SeededGenerator) -> Operation {
        let time = generator.pick([0, 1, 1, 1, 2, Int(UInt32.max)])
        return switch generator.number(0..<10) {
        case 0...3: .set(owner: generator.pick([-2, -1, 0, 0, 1, 1, 2]), time: time)
        case 4, 5: .died(time: time)
        case 6, 7: .pause(milliseconds: generator.pick([0, 1, 5, 9, 10, 11, 60_000]))
        default: .expired
        }
    }

    mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let isTold = spoiling?.isTold(operation) ?? true
        switch operation {
        case .set(let number, let time):
            let new = Self.owner(number)
            let time = ServerTime(UInt32(truncatingIfNeeded: time))
            let changes = isTold ? machine.handle(.ownerSet(new, acquired: time), now: now) : []
            // A death of a moment ago was the first half of this.
            let isNews = new != .none || owner != .none || death != nil
            (owner, death) = (new, nil)
            try told(changes, isNews ? .init(owner: new, byDeath: false, acquired: time) : nil)
        case .died(let time):
            let time = ServerTime(UInt32(truncatingIfNeeded: time))
            let changes = isTold ? machine.handle(.ownerDied(at: time), now: now) : []
            if owner != .none {
                owner = .none
                death = (due: now + .milliseconds(10), time: time)
            }
            try told(changes, nil)
        case .pause(let milliseconds): now += .milliseconds(max(milliseconds, 0))
        case .expired: try expire(isTold: isTold)
        }
        try agree()
    }

    mutating func finish() throws(BrokenInvariant) {
        if let deadline = machine.deadline { now = max(now, deadline) }
        try expire(isTold: true)
        try expect(machine.deadline == nil && death == nil, "no death is held back for good")
        try agree()
    }

    private mutating func expire(isTold: Bool) throws(BrokenInvariant) {
        let changes = isTold ? machine.expire(now: now) : []
        guard let (due, time) = death, due <= now else { return try told(changes, nil) }
        death = nil
        try told(changes, .init(owner: .none, byDeath: true, time: time))
    }

    private mutating func told(
        _ changes: [Effect], _ expected: OwnershipTracker.Change?
    ) throws(BrokenInvariant) {
        var changes = changes
        spoiling?.effects(&changes)
        try expect(
            changes == (expected.map { [$0] } ?? []),
            "each change is told once: \(changes) is not \(expected.map { "\($0)" } ?? "none")")
        lastTold = expected ?? lastTold
    }

    private func agree() throws(BrokenInvariant) {
        try expect(machine.owner == owner, "who owns it is who set it last and lives")
        try expect(machine.deadline == death?.due, "a death is held back for ten milliseconds")
        let unfollowed = lastTold?.byDeath == true ? lastTold?.time : nil
        try expect(machine.unfollowedDeath == unfollowed, "a death that nobody came after is known")
    }

    private static func owner(_ number: Int) -> OwnershipTracker.Owner {
        switch number.signum() {
        case 1: .foreign(WindowID(UInt32(truncatingIfNeeded: number)))
        case -1: .ours(OfferID(-number))
        default: .none
        }
    }
}
