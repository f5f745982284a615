import Testing
import X11Bridge

@Suite("Refusals")
struct RefusalsTests {
    @Test("Each reason has its own count and time")
    func counts() {
        var refusals = Refusals()
        refusals.note(.clients, at: 5)
        refusals.note(.unknownTarget, at: 6)
        refusals.note(.clients, at: 7)
        #expect(
            refusals.all == [
                Refusals.Record(reason: .unknownTarget, count: 1, last: 6),
                Refusals.Record(reason: .clients, count: 2, last: 7),
            ])
    }

    @Test("The refusals of two threads add up, and the later time counts")
    func merging() {
        var one = Refusals()
        var other = Refusals()
        one.note(.slowTransfer, at: 9)
        other.note(.slowTransfer, at: 4)
        other.note(.atoms, at: 2)
        let both = one.merging(other)
        #expect(both.count(of: .slowTransfer) == 2 && both.count(of: .atoms) == 1)
        #expect(both.all.first { $0.reason == .slowTransfer }?.last == 9)
    }
}
