import EventLoop
import Testing

@Suite struct TimerQueueTests {
    private let timers = TimerQueue()
    private let now = ContinuousClock.now

    @Test("Due timers are returned once, earliest first")
    func order() {
        var called: [Int] = []
        for second in [3, 1, 2, 5] { _ = timers.set(now + .seconds(second)) { called.append(second) } }
        #expect(timers.earliest == now + .seconds(1))
        for body in timers.takeDue(at: now) { body() }
        #expect(called == [])
        for body in timers.takeDue(at: now + .seconds(3)) { body() }
        #expect(called == [1, 2, 3])
        #expect(timers.earliest == now + .seconds(5))
        #expect(timers.takeDue(at: now + .seconds(4)).isEmpty)
    }

    @Test("A cancelled timer is not due, and only a timer that is set can be cancelled")
    func cancelled() {
        let first = timers.set(now) { Issue.record("the timer was cancelled") }
        let second = timers.set(now) {}
        #expect(timers.cancel(first))
        #expect(!timers.cancel(first))
        #expect(timers.takeDue(at: now).count == 1)
        #expect(!timers.cancel(second))
        #expect(timers.earliest == nil)
    }
}
