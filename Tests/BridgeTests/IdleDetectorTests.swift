import Bridge
import Testing

struct IdleDetectorTests {
    private let start = ContinuousClock.now
    private var detector = IdleDetector()

    private mutating func works(_ seconds: Int) { detector.noteWork(at: start + .seconds(seconds)) }

    private mutating func begins(_ seconds: Int) -> Bool { detector.becomesIdle(at: start + .seconds(seconds)) }

    @Test("Idle time begins after a while without work, and is reported once")
    mutating func once() {
        works(0)
        #expect(detector.deadline == start + .seconds(5))
        let begun = [begins(4), begins(5)]
        #expect(begun == [false, true])
        works(5)
        #expect(detector.deadline == nil)
        let again = begins(60)
        #expect(!again)
    }

    @Test("Work delays idle time, but sets no earlier deadline")
    mutating func work() {
        for second in 0..<4 { works(second) }
        #expect(detector.deadline == start + .seconds(5))
        let early = begins(5)
        #expect(!early)
        works(5)
        #expect(detector.deadline == start + .seconds(8))
        let begun = begins(8)
        #expect(begun)
    }

    @Test("Idle time is reported again after new work")
    mutating func again() {
        works(0)
        let first = begins(9)
        works(9)
        works(70)
        #expect(detector.deadline == start + .seconds(75))
        let second = begins(75)
        #expect(first && second)
    }
}
