import Testing
import X11Bridge

@Suite struct OwnerReadSchedulerTests {
    private var scheduler = OwnerReadScheduler()
    private static let tickets = (0..<5).map { Ticket(number: $0) }

    private var now = ContinuousClock.now

    private mutating func start(
        _ number: Int, isCapture: Bool = false, isExclusive: Bool = false, of selection: String = "CLIPBOARD",
        timeout: Duration = .seconds(60)
    ) -> Bool {
        scheduler.start(
            Self.tickets[number], of: selection, isCapture: isCapture, isExclusive: isExclusive, timeout: timeout,
            now: now)
    }

    private mutating func finish(_ number: Int) -> [Int] {
        scheduler.finish(Self.tickets[number], now: now).map(\.number)
    }

    /// Lets time pass, and returns the readers that start then.
    private mutating func advance(_ time: Duration) -> [Int] {
        now += time
        return scheduler.expire(now: now).map(\.number)
    }

    @Test("Readers convert concurrently")
    mutating func readers() {
        #expect(start(0))
        #expect(start(1))
        #expect(finish(0) == [])
        #expect(finish(1) == [])
    }

    @Test("Readers wait for one conversion of a capture, and the capture waits for all readers")
    mutating func capture() {
        #expect(start(0, isCapture: true))
        #expect(!start(1))
        #expect(!start(2))
        #expect(scheduler.waiting(for: Self.tickets[0]).map(\.number) == [1, 2])
        #expect(finish(0) == [1, 2])
        #expect(!start(3, isCapture: true))
        #expect(start(4))
        #expect(scheduler.waiting(for: Self.tickets[4]).map(\.number) == [3])
        #expect(finish(1) == [])
        #expect(finish(2) == [])
        #expect(finish(4) == [3])
        #expect(finish(3) == [])
    }

    @Test("An exclusive owner's conversions of bytes run one at a time, with conversions of other targets in between")
    mutating func exclusive() {
        #expect(start(0))
        #expect(start(1, isExclusive: true))
        #expect(!start(2))
        #expect(!start(3, isExclusive: true))
        #expect(!start(4, isExclusive: true))
        #expect(scheduler.waiting(for: Self.tickets[1]).map(\.number) == [2, 3, 4])
        #expect(finish(0) == [])
        #expect(finish(1) == [2, 3])
        #expect(finish(2) == [])
        // If the owner does not answer, the next reader starts after a timeout.
        #expect(advance(.seconds(1)) == [4])
        #expect(finish(3) + finish(4) == [])
        #expect(scheduler.deadline == nil)
    }

    @Test("A reader waits for an exclusive owner as long as the owner sends")
    mutating func exclusiveSending() {
        #expect(start(0, isExclusive: true))
        #expect(!start(1, isExclusive: true))
        for _ in 0..<10 {
            scheduler.progress(Self.tickets[0], now: now)
            #expect(advance(.seconds(2)) == [])
        }
        #expect(advance(.seconds(1)) == [1])
    }

    @Test("A reader that is cancelled in the queue does not delay other readers")
    mutating func cancelled() {
        #expect(start(0, isCapture: true))
        #expect(!start(1))
        #expect(!start(2, isCapture: true))
        #expect(finish(1) == [])
        #expect(finish(0) == [2])
    }

    @Test("Selections are independent")
    mutating func selections() {
        #expect(start(0, isCapture: true))
        #expect(start(1, of: "PRIMARY"))
    }

    @Test("A cancelled conversion delays all others until its owner has sent it", arguments: [true, false])
    mutating func drained(isCapture: Bool) {
        #expect(start(0, isCapture: isCapture))
        scheduler.drain(Self.tickets[0])
        #expect(!start(1))
        #expect(!start(2, isCapture: true))
        #expect(finish(0) == [1])
        #expect(finish(1) == [2])
    }

    @Test(
        "A reader waits one second or half its timeout for a silent owner, and a capture waits longer"
    )
    mutating func unanswered() {
        #expect(start(0, isCapture: true))
        #expect(!start(1))
        #expect(!start(2, timeout: .seconds(1)))
        #expect(!start(3, isCapture: true))
        #expect(scheduler.deadline == now + .milliseconds(500))
        #expect(advance(.milliseconds(499)) == [])
        #expect(advance(.milliseconds(1)) == [2])
        #expect(advance(.milliseconds(499)) == [])
        #expect(advance(.milliseconds(1)) == [1])
        #expect(scheduler.deadline == nil)
        // The owner is still silent.
        #expect(start(4))
        #expect(finish(0) == [])
        #expect(finish(1) + finish(2) == [])
        #expect(finish(4) == [3])
    }

    @Test("A reader waits for a sending owner at most three seconds between two pieces, and five seconds in total")
    mutating func sending() {
        #expect(start(0, isCapture: true))
        scheduler.progress(Self.tickets[0], now: now)
        #expect(!start(1))
        #expect(advance(.milliseconds(2_999)) == [])
        scheduler.progress(Self.tickets[0], now: now)
        #expect(advance(.milliseconds(2_000)) == [])
        #expect(!start(2))
        #expect(advance(.milliseconds(1)) == [1])
        #expect(advance(.milliseconds(997)) == [])
        #expect(advance(.milliseconds(2)) == [2])
    }

    @Test("The former owner's conversions do not delay others, and the conversions in its queue are returned")
    mutating func ownerChanged() {
        #expect(start(0, isCapture: true))
        #expect(start(1, isCapture: true, of: "PRIMARY"))
        #expect(!start(2))
        #expect(scheduler.ownerChanged(of: "CLIPBOARD").map(\.number) == [2])
        #expect(start(3))
        #expect(finish(0) == [])
        #expect(finish(2) == [])
        #expect(!start(4, isCapture: true))
        #expect(finish(3) == [4])
        #expect(scheduler.deadline == nil)
    }

    @Test("An unknown ticket changes nothing")
    mutating func unknown() {
        #expect(start(0, isCapture: true))
        #expect(finish(4) == [])
        #expect(!start(1))
    }
}
