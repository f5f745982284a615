import BridgeServer
import Testing

@Suite struct FairSchedulerTests {
    @Test("A program has its share of each round, and at least one call")
    func share() {
        var shares = FairScheduler(share: .milliseconds(10))
        #expect(shares.hasTime(for: 1))
        shares.spend(.milliseconds(9), for: 1)
        #expect(shares.hasTime(for: 1))
        shares.spend(.milliseconds(1), for: 1)
        #expect(!shares.hasTime(for: 1) && shares.hasTime(for: 2))
        shares.startRound()
        #expect(shares.hasTime(for: 1))
    }
}
