import Machines
import TestRandom
import X11Bridge

/// An operation on the ``OwnerReadScheduler``, for numbered conversions of two selections.
enum OwnerReadSchedulerOperation: MachineOperation {
    case start(ticket: Int, selection: Int, isCapture: Bool, timeout: Int)
    case progress(ticket: Int)
    case drain(ticket: Int)
    case finish(ticket: Int)
    case ownerChanged(selection: Int)
    case pause(milliseconds: Int)
    case expired

    var kind: Int {
        switch self {
        case .start(_, _, let isCapture, _): isCapture ? 0 : 1
        case .progress: 2
        case .drain: 3
        case .finish: 4
        case .ownerChanged: 5
        case .pause: 6
        case .expired: 7
        }
    }
}

/// A scheduler with readers and captures that arrive, end and wait in any order.
struct OwnerReadSchedulerWorld: MachineWorld {
    typealias Operation = OwnerReadSchedulerOperation
    typealias Effect = Ticket

    static let name = "owner-read-scheduler"
    private static let tickets = 8
    private static let selections = ["CLIPBOARD", "PRIMARY"]
    private static let maxWait = Duration.seconds(5)

    private struct Conversion {
        var selection: String
        var isCapture: Bool
        /// True if no other conversion starts while this one runs, except a reader after its timeout.
        var isExclusive: Bool
        /// False while the conversion is in the queue.
        var isStarted = false
        var since: ContinuousClock.Instant
    }

    private var machine = OwnerReadScheduler()
    private let injection: FaultInjection<Operation, Effect>?
    private var now = ContinuousClock.now
    private var conversions: [Ticket: Conversion] = [:]

    init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
    }

    var phase: Int {
        let counts = (
            conversions.values.count { $0.isStarted && $0.isExclusive },
            conversions.values.count { $0.isStarted && !$0.isExclusive },
            conversions.values.count { !$0.isStarted }
        )
        return min(counts.0, 3) * 16 + min(counts.1, 3) * 4 + min(counts.2, 3)
    }

    func random(using generator: inout SeededGenerator) -> Operation {
        let ticket = generator.number(0..<Self.tickets)
        return switch generator.number(0..<20) {
        case 0...5:
            .start(
                ticket: ticket, selection: generator.one(in: 4) ? 1 : 0, isCapture: generator.one(in: 3),
                timeout: generator.pick([0, 1_000, 5_000, 60_000]))
        case 6, 7: .progress(ticket: ticket)
        case 8, 9: .drain(ticket: ticket)
        case 10...13: .finish(ticket: ticket)
        case 14: generator.one(in: 5) ? .ownerChanged(selection: generator.number(0..<2)) : .expired
        case 15...17: .pause(milliseconds: generator.pick([0, 1, 499, 500, 1_000, 2_999, 5_000, 60_000]))
        default: .expired
        }
    }

    mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let receives = injection?.receives(operation) ?? true
        switch operation {
        case .start(let number, let selection, let isCapture, let timeout):
            try add(ticket(number), selection, isCapture: isCapture, timeout: timeout, receives: receives)
        case .progress(let number): if receives { machine.progress(ticket(number), now: now) }
        case .drain(let number):
            if receives { machine.drain(ticket(number)) }
            if conversions[ticket(number)]?.isStarted == true { conversions[ticket(number)]?.isExclusive = true }
        case .finish(let number):
            let started = receives ? machine.finish(ticket(number), now: now) : []
            let ended = conversions.removeValue(forKey: ticket(number))
            try start(injected(started), of: ended?.selection)
        case .ownerChanged(let selection):
            let selection = Self.selections[selection % Self.selections.count]
            let returned = injected(receives ? machine.ownerChanged(of: selection) : [])
            let waiting = conversions.filter { $0.value.selection == selection && !$0.value.isStarted }.map(\.key)
            try expect(
                returned.count == waiting.count && Set(returned) == Set(waiting),
                "the queue of the former owner is returned")
            conversions = conversions.filter { $0.value.selection != selection }
        case .pause(let milliseconds): now += .milliseconds(max(milliseconds, 0))
        case .expired:
            let started = injected(receives ? machine.expire(now: now) : [])
            try expect(
                started.allSatisfy { conversions[$0]?.isCapture == false }, "only readers start during a capture")
            for ticket in started { try start(ticket) }
            try expect(machine.deadline.map { $0 > now } ?? true, "nothing is due after an expiry")
        }
        try agree()
    }

    /// Finishes all conversions one after another, so that each of them starts.
    mutating func finish() throws(BrokenInvariant) {
        for _ in 0..<2 * Self.tickets {
            let running = conversions.filter(\.value.isStarted).map(\.key.number)
            guard let next = running.min() else { break }
            try step(.finish(ticket: next))
        }
        try expect(conversions.isEmpty, "all conversions start in the end")
        for index in Self.selections.indices {
            try step(.start(ticket: index, selection: index, isCapture: true, timeout: 0))
            try expect(
                conversions[ticket(index)]?.isStarted == true, "a capture starts at once when all others have ended")
        }
    }

    // MARK: Starts

    private mutating func add(
        _ ticket: Ticket, _ selection: Int, isCapture: Bool, timeout: Int, receives: Bool
    ) throws(BrokenInvariant) {
        // Each conversion has its own number.
        guard conversions[ticket] == nil else { return }
        let selection = Self.selections[selection % Self.selections.count]
        let timeout = Duration.milliseconds(max(timeout, 0))
        let startsNow =
            receives
            && machine.start(ticket, of: selection, isCapture: isCapture, timeout: timeout, now: now)
        conversions[ticket] = Conversion(selection: selection, isCapture: isCapture, isExclusive: isCapture, since: now)
        if startsNow { try start(ticket) }
    }

    /// Starts conversions after the end of another conversion.
    private mutating func start(_ tickets: [Ticket], of selection: String?) throws(BrokenInvariant) {
        for ticket in tickets {
            try expect(conversions[ticket]?.selection == selection, "an end affects only its own selection")
            try start(ticket)
        }
    }

    private mutating func start(_ ticket: Ticket) throws(BrokenInvariant) {
        guard let one = conversions[ticket], !one.isStarted else {
            throw BrokenInvariant("only a waiting conversion starts")
        }
        if one.isCapture {
            try expect(
                !conversions.values.contains { $0.isStarted && $0.selection == one.selection },
                "no capture starts during another conversion")
        }
        conversions[ticket]?.isStarted = true
    }

    private func agree() throws(BrokenInvariant) {
        var readersWait = false
        for (ticket, one) in conversions where !one.isStarted {
            let running = conversions.values.filter { $0.isStarted && $0.selection == one.selection }
            try expect(!running.isEmpty, "a conversion waits only for another conversion")
            guard !one.isCapture else { continue }
            readersWait = true
            try expect(running.contains { $0.isExclusive }, "a reader waits only for an exclusive conversion")
            try expect(
                machine.deadline.map { $0 <= one.since + Self.maxWait } ?? false,
                "reader \(ticket.number) waits for at most five seconds")
        }
        try expect((machine.deadline != nil) == readersWait, "there is a deadline exactly while a reader waits")
        for (ticket, one) in conversions where one.isStarted {
            let waiting = conversions.filter { $0.value.selection == one.selection && !$0.value.isStarted }.map(\.key)
            try expect(Set(machine.waiting(for: ticket)) == Set(waiting), "the queue after a conversion is known")
        }
    }

    private func ticket(_ number: Int) -> Ticket { Ticket(number: number % Self.tickets) }

    private func injected(_ tickets: [Ticket]) -> [Ticket] {
        var tickets = tickets
        injection?.effects(&tickets)
        return tickets
    }
}
