import SelectionProtocol
import Testing

@Suite struct IdentifiersTests {
    @Test(
        "A time is within some milliseconds after another time, with wraparound",
        arguments: [
            (0, .max, 1, true), (.max, 0, 5, false), (5, 5, 0, true), (6, 5, 0, false), (4, 5, 1, false),
            (0x8000_0000, 1, 0x7FFF_FFFF, true), (0x8000_0000, 0, 0x7FFF_FFFF, false),
        ] as [(UInt32, UInt32, UInt32, Bool)])
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
