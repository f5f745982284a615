import PasteboardWire
import Testing

@testable import Bridge
@testable import X11Bridge
@testable import FormatConversion

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
                WireRefusal(reason: "target not on offer", count: 1, last: 6),
                WireRefusal(reason: "too many clients", count: 2, last: 7),
            ])
    }

    @Test("Those of two threads add up, and the later time counts")
    func merging() {
        var one = Refusals()
        var other = Refusals()
        one.note(.drip, at: 9)
        other.note(.drip, at: 4)
        other.note(.atoms, at: 2)
        let both = one.merging(other)
        #expect(both.count(of: .drip) == 2 && both.count(of: .atoms) == 1)
        #expect(both.all.first { $0.reason == Refusals.Reason.drip.rawValue }?.last == 9)
    }
}
