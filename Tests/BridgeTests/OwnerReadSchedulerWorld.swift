import TestRandom

@testable import Bridge
@testable import FormatConversion
@testable import Machines
@testable import X11Bridge

/// What happens to the ``OwnerReadScheduler``: conversions by their numbers, of one of two selections.
enum ReadingTurnsOperation: MachineOperation {
    case begin(ticket: Int, selection: Int, isCapture: Bool, patience: Int)
    case progress(ticket: Int)
    case drain(ticket: Int)
    case end(ticket: Int)
    case ownerChanged(selection: Int)
    case pause(milliseconds: Int)
    case expired

    var kind: Int {
        switch self {
        case .begin(_, _, let isCapture, _): isCapture ? 0 : 1
        case .progress: 2
        case .drain: 3
        case .end: 4
        case .ownerChanged: 5
        case .pause: 6
        case .expired: 7
        }
    }
}

/// Readers and captures that come, go and wait in any order.
struct ReadingTurnsWorld: MachineWorld {
    typealias Operation = ReadingTurnsOperation
    typealias Effect = Ticket

    static let name = "reading-turns"
    private static let tickets = 8
    private static let selections = ["CLIPBOARD", "PRIMARY"]
    /// How long a reader waits at most.
    private static let longest = Duration.seconds(5)

    private struct Conversion {
        var selection: String
        var isCapture: Bool
        /// Nothing begins beside it unless a reader has waited long enough.
        var isAlone: Bool
        /// Nil while it waits.
        var begun = false
        var since: ContinuousClock.Instant
    }

    private var machine = OwnerReadScheduler()
    private let spoiling: Spoiling<Operation, Effect>?
    private var now = ContinuousClock.now
    private var conversions: [Ticket: Conversion] = [:]

    init(spoiling: Spoiling<Operation, Effect>?) {
        self.spoiling = spoiling
    }

    var phase: Int {
        let counts = (
            conversions.values.count { $0.begun && $0.isAlone }, conversions.values.count { $0.begun && !$0.isAlone },
            conversions.values.count { !$0.begun }
        )
        return min(counts.0, 3) * 16 + min(counts.1, 3) * 4 + min(counts.2, 3)
    }

    func random(using generator: inout SeededGenerator) -> Operation {
        let ticket = generator.number(0..<Self.tickets)
        return switch generator.number(0..<20) {
        case 0...5:
            .begin(
                ticket: ticket, selection: generator.one(in: 4) ? 1 : 0, isCapture: generator.one(in: 3),
                patience: generator.pick([0, 1_000, 5_000, 60_000]))
        case 6, 7: .progress(ticket: ticket)
        case 8, 9: .drain(ticket: ticket)
        case 10...13: .end(ticket: ticket)
        case 14: generator.one(in: 5) ? .ownerChanged(selection: generator.number(0..<2)) : .expired
        case 15...17: .pause(milliseconds: generator.pick([0, 1, 499, 500, 1_000, 2_999, 5_000, 60_000]))
        default: .expired
        }
    }

    mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let isTold = spoiling?.isTold(operation) ?? true
        switch operation {
        case .begin(let number, let selection, let isCapture, let patience):
            try begin(ticket(number), selection, isCapture: isCapture, patience: patience, isTold: isTold)
        case .progress(let number): if isTold { machine.progress(ticket(number), now: now) }
        case .drain(let number):
            if isTold { machine.drain(ticket(number)) }
            if conversions[ticket(number)]?.begun == true { conversions[ticket(number)]?.isAlone = true }
        case .end(let number):
            let begun = isTold ? machine.finish(ticket(number), now: now) : []
            let ended = conversions.removeValue(forKey: ticket(number))
            try begin(spoiled(begun), of: ended?.selection)
        case .ownerChanged(let selection):
            let selection = Self.selections[fitting: selection]
            let told = spoiled(isTold ? machine.ownerChanged(of: selection) : [])
            let waiting = conversions.filter { $0.value.selection == selection && !$0.value.begun }.map(\.key)
            try expect(
                told.count == waiting.count && Set(told) == Set(waiting), "who waited for the former owner is told")
            conversions = conversions.filter { $0.value.selection != selection }
        case .pause(let milliseconds): now += .milliseconds(max(milliseconds, 0))
        case .expired:
            let begun = spoiled(isTold ? machine.expire(now: now) : [])
            try expect(begun.allSatisfy { conversions[$0]?.isCapture == false }, "only readers begin beside a capture")
            for ticket in begun { try begin(ticket) }
            try expect(machine.deadline.map { $0 > now } ?? true, "nothing is due any more once it expired")
        }
        try agree()
    }

    /// All that runs comes to an end, one after the other: everybody has had a turn then.
    mutating func finish() throws(BrokenInvariant) {
        for _ in 0..<2 * Self.tickets {
            let running = conversions.filter(\.value.begun).map(\.key.number)
            guard let next = running.min() else { break }
            try step(.end(ticket: next))
        }
        try expect(conversions.isEmpty, "everybody has had a turn in the end")
        for index in Self.selections.indices {
            try step(.begin(ticket: index, selection: index, isCapture: true, patience: 0))
            try expect(conversions[ticket(index)]?.begun == true, "nothing is in the way when all have ended")
        }
    }

    // MARK: Turns

    private mutating func begin(
        _ ticket: Ticket, _ selection: Int, isCapture: Bool, patience: Int, isTold: Bool
    ) throws(BrokenInvariant) {
        // Each conversion has a number of its own.
        guard conversions[ticket] == nil else { return }
        let selection = Self.selections[fitting: selection]
        let patience = Duration.milliseconds(max(patience, 0))
        let begins =
            isTold
            && machine.start(ticket, of: selection, isCapture: isCapture, timeout: patience, now: now)
        conversions[ticket] = Conversion(selection: selection, isCapture: isCapture, isAlone: isCapture, since: now)
        if begins { try begin(ticket) }
    }

    /// They begin now that another has ended.
    private mutating func begin(_ tickets: [Ticket], of selection: String?) throws(BrokenInvariant) {
        for ticket in tickets {
            try expect(conversions[ticket]?.selection == selection, "an end concerns its own selection alone")
            try begin(ticket)
        }
    }

    private mutating func begin(_ ticket: Ticket) throws(BrokenInvariant) {
        guard let one = conversions[ticket], !one.begun else {
            throw BrokenInvariant("who does not wait does not begin")
        }
        if one.isCapture {
            try expect(
                !conversions.values.contains { $0.begun && $0.selection == one.selection },
                "no capture begins beside another conversion")
        }
        conversions[ticket]?.begun = true
    }

    private func agree() throws(BrokenInvariant) {
        var readersWait = false
        for (ticket, one) in conversions where !one.begun {
            let running = conversions.values.filter { $0.begun && $0.selection == one.selection }
            try expect(!running.isEmpty, "nobody waits for nothing")
            guard !one.isCapture else { continue }
            readersWait = true
            try expect(running.contains { $0.isAlone }, "readers do not wait for one another")
            try expect(
                machine.deadline.map { $0 <= one.since + Self.longest } ?? false,
                "reader \(ticket.number) waits for five seconds at most")
        }
        try expect((machine.deadline != nil) == readersWait, "something is due when a reader waits, and only then")
        for (ticket, one) in conversions where one.begun {
            let waiting = conversions.filter { $0.value.selection == one.selection && !$0.value.begun }.map(\.key)
            try expect(Set(machine.waiting(for: ticket)) == Set(waiting), "it is known who waits for whom")
        }
    }

    private func ticket(_ number: Int) -> Ticket { Ticket(number: number % Self.tickets) }

    private func spoiled(_ tickets: [Ticket]) -> [Ticket] {
        var tickets = tickets
        spoiling?.effects(&tickets)
        return tickets
    }
}
