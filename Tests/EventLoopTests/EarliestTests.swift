import EventLoop
import Testing

struct EarliestTests {
    @Test("The earlier of two times is taken, or the only time")
    func earlier() {
        let now: ContinuousClock.Instant? = .now
        let later = now.map { $0 + .seconds(1) }
        #expect(now.orEarlier(later) == now)
        #expect(later.orEarlier(now) == now)
        #expect(now.orEarlier(nil) == now)
        #expect(ContinuousClock.Instant?.none.orEarlier(now) == now)
        #expect(ContinuousClock.Instant?.none.orEarlier(nil) == nil)
    }
}
