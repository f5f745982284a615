import SelectionProtocol
import Testing

@Suite struct IdentifiersTests {
    private static let comparisons: [(UInt32, UInt32, Bool)] = [
        (1, 0, true), (0, 1, false), (5, 5, false), (0, .max, true), (.max, 0, false),
        (1 << 31, 1, true), (1 << 31, 0, false), ((1 << 31) - 1, 0, true),
    ]

    @Test("Times are compared with wraparound", arguments: comparisons)
    func later(time: UInt32, other: UInt32, isLater: Bool) {
        #expect(ServerTime(time).isLater(than: ServerTime(other)) == isLater)
    }

    @Test(
        "A time is within some milliseconds after another time, with wraparound",
        arguments: [(0, .max, 1, true), (.max, 0, 5, false), (5, 5, 0, true), (6, 5, 0, false), (4, 5, 1, false)]
            as [(UInt32, UInt32, UInt32, Bool)])
    func within(time: UInt32, other: UInt32, milliseconds: UInt32, isWithin: Bool) {
        #expect(ServerTime(time).isWithin(milliseconds, after: ServerTime(other)) == isWithin)
    }

    @Test("A target that is offered twice counts once, with its first entry")
    func offeredTwice() {
        let offer = OfferTable(
            id: OfferID(1), acquired: ServerTime(1),
            entries: [
                (Sample.utf8, .init(type: Sample.utf8, body: 0, .ready(length: 1))),
                (Sample.utf8, .init(type: Sample.utf8, body: 1, .ready(length: 2))),
            ])
        #expect(offer.order == [Sample.utf8])
        #expect(offer.entries[Sample.utf8]?.body == 0)
    }
}
