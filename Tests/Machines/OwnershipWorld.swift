package import SelectionProtocol
package import TestRandom

/// An operation on an ``OwnershipTracker``.
package enum OwnershipOperation: MachineOperation {
    /// The owner is set: to a peer's window by its number, to a version of the bridge by a negative number, or to none.
    case set(owner: Int, time: Int)
    case died(time: Int)
    case pause(milliseconds: Int)
    case expired

    package var kind: Int {
        switch self {
        case .set(let owner, _): owner.signum() + 1
        case .died: 3
        case .pause(let milliseconds): milliseconds < 10 ? 4 : 5
        case .expired: 6
        }
    }
}

/// The ownership of a selection, with owners that come and go in any order, and with repeated server times.
package struct OwnershipWorld: MachineWorld {
    package typealias Operation = OwnershipOperation
    package typealias Effect = OwnershipTracker.Change

    package static let name = "ownership"

    private var machine = OwnershipTracker(found: .none)
    private let injection: FaultInjection<Operation, Effect>?
    private var now = ContinuousClock.now

    /// The owner according to the events; none after a death.
    private var owner = OwnershipTracker.Owner.none
    /// A death that has not been reported yet: the time at which it is due, and its server time.
    private var death: (due: ContinuousClock.Instant, time: ServerTime)?
    private var lastReported: OwnershipTracker.Change?
    /// The last program that died, if no program has followed.
    private var dead: (owner: OwnershipTracker.Owner, time: ContinuousClock.Instant)?

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
    }

    package var phase: Int {
        let owner =
            switch owner {
            case .none: 0
            case .foreign, .compositor: 1
            case .ours: 2
            }
        return owner * 4 + (death == nil ? 0 : 2) + (lastReported?.isDeath == true ? 1 : 0)
    }

    package func random(using generator: inout SeededGenerator) -> Operation {
        let time = generator.pick([0, 1, 1, 1, 2, Int(UInt32.max)])
        return switch generator.number(0..<10) {
        case 0...3: .set(owner: generator.pick([-2, -1, 0, 0, 1, 1, 2]), time: time)
        case 4, 5: .died(time: time)
        case 6, 7: .pause(milliseconds: generator.pick([0, 1, 5, 9, 10, 11, 490, 60_000]))
        default: .expired
        }
    }

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let receives = injection?.receives(operation) ?? true
        switch operation {
        case .set(let number, let time):
            let new = Self.owner(number)
            let time = ServerTime(UInt32(truncatingIfNeeded: time))
            let changes = receives ? machine.handle(.ownerSet(new, acquired: time), now: now) : []
            // A death that is held back was the first half of this change.
            let isChange = new != .none || owner != .none || death != nil
            var change = OwnershipTracker.Change(owner: new, isDeath: false, acquired: time)
            change.followsDeath = death != nil
            if case .ours = owner { change.endsOurs = new == .none }
            if isChange { change.mayBeRefill = mayBeRefill(new) }
            (owner, death) = (new, nil)
            try expectReported(changes, isChange ? change : nil)
        case .died(let time):
            let time = ServerTime(UInt32(truncatingIfNeeded: time))
            let changes = receives ? machine.handle(.ownerDied(at: time), now: now) : []
            if owner != .none {
                if case .foreign = owner { dead = (owner, now) }
                owner = .none
                death = (due: now + .milliseconds(10), time: time)
            }
            try expectReported(changes, nil)
        case .pause(let milliseconds): now += .milliseconds(max(milliseconds, 0))
        case .expired: try expire(receives: receives)
        }
        try agree()
    }

    package mutating func finish() throws(BrokenInvariant) {
        if let deadline = machine.deadline { now = max(now, deadline) }
        try expire(receives: true)
        try expect(machine.deadline == nil && death == nil, "no death is held back forever")
        try agree()
    }

    private mutating func mayBeRefill(_ new: OwnershipTracker.Owner) -> Bool {
        if case .ours = new { return false }
        defer { dead = nil }
        guard case .foreign = new, let dead else { return false }
        return new != dead.owner && now - dead.time <= .milliseconds(500)
    }

    private mutating func expire(receives: Bool) throws(BrokenInvariant) {
        let changes = receives ? machine.expire(now: now) : []
        guard let (due, time) = death, due <= now else { return try expectReported(changes, nil) }
        death = nil
        try expectReported(changes, .init(owner: .none, isDeath: true, time: time))
    }

    private mutating func expectReported(
        _ changes: [Effect], _ expected: OwnershipTracker.Change?
    ) throws(BrokenInvariant) {
        var changes = changes
        injection?.effects(&changes)
        try expect(
            changes == (expected.map { [$0] } ?? []),
            "each change is reported once: \(changes) is not \(expected.map { "\($0)" } ?? "none")")
        lastReported = expected ?? lastReported
    }

    private func agree() throws(BrokenInvariant) {
        try expect(machine.owner == owner, "the owner is the one set last, unless it died")
        try expect(machine.deadline == death?.due, "a death is held back for ten milliseconds")
        let unfollowed = lastReported?.isDeath == true ? lastReported?.time : nil
        try expect(machine.unfollowedDeath == unfollowed, "a death without a following owner is known")
    }

    private static func owner(_ number: Int) -> OwnershipTracker.Owner {
        switch number.signum() {
        case 1: .foreign(WindowID(UInt32(truncatingIfNeeded: number)))
        case -1: .ours(OfferID(-number))
        default: .none
        }
    }
}
