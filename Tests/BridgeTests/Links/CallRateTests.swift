import Bridge
import Testing

@Suite struct CallRateTests {
    @Test("After a burst, calls are allowed at the rate")
    func rate() {
        var rate = CallRate()
        let start = ContinuousClock.now
        var allowed = 0
        for _ in 0..<5_000 where rate.take(at: start) { allowed += 1 }
        #expect(allowed == CallRate.burst)
        allowed = 0
        for _ in 0..<5_000 where rate.take(at: start + .milliseconds(500)) { allowed += 1 }
        #expect(allowed == CallRate.callsPerSecond / 2)
        allowed = 0
        for _ in 0..<5_000 where rate.take(at: start + .seconds(3_600)) { allowed += 1 }
        #expect(allowed == CallRate.burst)
    }
}
