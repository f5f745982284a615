import EventLoop
import Testing
import WaylandBridge

@Suite struct IdleTimerTests {
    @Test("If the deadline after progress has also passed, the timer fires again")
    func again() {
        let timers = TimerQueue()
        var timer: IdleTimer?
        var count = 0
        timer = IdleTimer(.zero, on: timers) {
            count += 1
            if count == 1 { timer?.noteProgress() } else { timer?.stop() }
        }
        for _ in 0..<2 {
            for body in timers.takeDue(at: .now) { body() }
        }
        #expect(count == 2)
        #expect(timers.earliest == nil)
    }
}
