import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

@Suite struct ReadingTurnsTests {
    private var turns = OwnerReadScheduler()
    private static let tickets = (0..<5).map { Ticket(number: $0) }

    private var now = ContinuousClock.now

    private mutating func begin(
        _ number: Int, isCapture: Bool = false, isExclusive: Bool = false, of selection: String = "CLIPBOARD",
        timeout: Duration = .seconds(60)
    ) -> Bool {
        turns.start(
            Self.tickets[number], of: selection, isCapture: isCapture, isExclusive: isExclusive, timeout: timeout,
            now: now)
    }

    private mutating func end(_ number: Int) -> [Int] { turns.finish(Self.tickets[number], now: now).map(\.number) }

    /// Those that begin for having waited so much longer.
    private mutating func pass(_ time: Duration) -> [Int] {
        now += time
        return turns.expire(now: now).map(\.number)
    }

    @Test("Readers do not wait for one another")
    mutating func readers() {
        #expect(begin(0))
        #expect(begin(1))
        #expect(end(0) == [])
        #expect(end(1) == [])
    }

    @Test("Readers wait for the conversion that a capture is in, and the capture for all readers")
    mutating func capture() {
        #expect(begin(0, isCapture: true))
        #expect(!begin(1))
        #expect(!begin(2))
        #expect(turns.waiting(for: Self.tickets[0]).map(\.number) == [1, 2])
        #expect(end(0) == [1, 2])
        #expect(!begin(3, isCapture: true))
        #expect(begin(4))
        #expect(turns.waiting(for: Self.tickets[4]).map(\.number) == [3])
        #expect(end(1) == [])
        #expect(end(2) == [])
        #expect(end(4) == [3])
        #expect(end(3) == [])
    }

    @Test("Of an owner that serves one alone bytes are read by one after the other, and the rest is asked between two")
    mutating func alone() {
        #expect(begin(0))
        #expect(begin(1, isExclusive: true))
        #expect(!begin(2))
        #expect(!begin(3, isExclusive: true))
        #expect(!begin(4, isExclusive: true))
        #expect(turns.waiting(for: Self.tickets[1]).map(\.number) == [2, 3, 4])
        #expect(end(0) == [])
        #expect(end(1) == [2, 3])
        #expect(end(2) == [])
        // The owner does not send what it was asked for: the next does not wait for ever.
        #expect(pass(.seconds(1)) == [4])
        #expect(end(3) + end(4) == [])
        #expect(turns.deadline == nil)
    }

    @Test("A reader waits for an owner that serves one alone as long as that sends")
    mutating func aloneSending() {
        #expect(begin(0, isExclusive: true))
        #expect(!begin(1, isExclusive: true))
        for _ in 0..<10 {
            turns.progress(Self.tickets[0], now: now)
            #expect(pass(.seconds(2)) == [])
        }
        #expect(pass(.seconds(1)) == [1])
    }

    @Test("Who goes while it waits leaves the turn to the others")
    mutating func goes() {
        #expect(begin(0, isCapture: true))
        #expect(!begin(1))
        #expect(!begin(2, isCapture: true))
        #expect(end(1) == [])
        #expect(end(0) == [2])
    }

    @Test("Selections have turns of their own")
    mutating func selections() {
        #expect(begin(0, isCapture: true))
        #expect(begin(1, of: "PRIMARY"))
    }

    @Test("What was given up is in everybody's way as long as its owner sends it", arguments: [true, false])
    mutating func drained(isCapture: Bool) {
        #expect(begin(0, isCapture: isCapture))
        turns.drain(Self.tickets[0])
        #expect(!begin(1))
        #expect(!begin(2, isCapture: true))
        #expect(end(0) == [1])
        #expect(end(1) == [2])
    }

    @Test(
        "A reader waits a second for an owner that does not answer, or half as long as it has time, and no capture does"
    )
    mutating func unanswered() {
        #expect(begin(0, isCapture: true))
        #expect(!begin(1))
        #expect(!begin(2, timeout: .seconds(1)))
        #expect(!begin(3, isCapture: true))
        #expect(turns.deadline == now + .milliseconds(500))
        #expect(pass(.milliseconds(499)) == [])
        #expect(pass(.milliseconds(1)) == [2])
        #expect(pass(.milliseconds(499)) == [])
        #expect(pass(.milliseconds(1)) == [1])
        #expect(turns.deadline == nil)
        // The owner is as silent as before.
        #expect(begin(4))
        #expect(end(0) == [])
        #expect(end(1) + end(2) == [])
        #expect(end(4) == [3])
    }

    @Test("A reader waits for an owner that sends, three seconds from one piece to the next and five in all")
    mutating func sending() {
        #expect(begin(0, isCapture: true))
        turns.progress(Self.tickets[0], now: now)
        #expect(!begin(1))
        #expect(pass(.milliseconds(2_999)) == [])
        turns.progress(Self.tickets[0], now: now)
        #expect(pass(.milliseconds(2_000)) == [])
        #expect(!begin(2))
        #expect(pass(.milliseconds(1)) == [1])
        #expect(pass(.milliseconds(997)) == [])
        #expect(pass(.milliseconds(2)) == [2])
    }

    @Test("What the former owner sends is in nobody's way, and who waits for it is told")
    mutating func ownerChanged() {
        #expect(begin(0, isCapture: true))
        #expect(begin(1, isCapture: true, of: "PRIMARY"))
        #expect(!begin(2))
        #expect(turns.ownerChanged(of: "CLIPBOARD").map(\.number) == [2])
        #expect(begin(3))
        #expect(end(0) == [])
        #expect(end(2) == [])
        #expect(!begin(4, isCapture: true))
        #expect(end(3) == [4])
        #expect(turns.deadline == nil)
    }

    @Test("What never asked for a turn ends none")
    mutating func unknown() {
        #expect(begin(0, isCapture: true))
        #expect(end(4) == [])
        #expect(!begin(1))
    }
}
