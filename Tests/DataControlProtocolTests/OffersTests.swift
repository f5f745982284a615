import DataControlProtocol
import Testing
import WaylandWire

@Suite struct OffersTests {
    @Test("An offer's types keep their order, and the previous offer of the selection is destroyed")
    func order() throws {
        var session = try Session.attached()
        _ = try session.offer(offerNumber(0), ["text/html", "text/plain", "image/png"])
        #expect(
            try session.select(offerNumber(0)) == [
                .changed(.clipboard, .foreign(ForeignOfferID(1), types: ["text/html", "text/plain", "image/png"]))
            ])
        _ = try session.offer(offerNumber(1), [])
        #expect(
            try session.select(offerNumber(1)) == [
                .request(.offer(id(offerNumber(0)), .destroy)),
                .changed(.clipboard, .foreign(ForeignOfferID(2), types: [])),
            ])
        #expect(
            try session.select(nil) == [
                .request(.offer(id(offerNumber(1)), .destroy)), .changed(.clipboard, .nobody),
            ])
    }

    @Test("Each selection has its own offer")
    func both() throws {
        var session = try Session.attached()
        _ = try session.offer(offerNumber(0), ["a"])
        _ = try session.offer(offerNumber(1), ["b"])
        #expect(
            try session.select(.primary, offerNumber(0)).reports
                == [.changed(.primary, .foreign(ForeignOfferID(1), types: ["a"]))])
        #expect(
            try session.select(.clipboard, offerNumber(1)).requests == [])
        #expect(
            try session.select(.primary, nil).requests == [.offer(id(offerNumber(0)), .destroy)])
    }

    @Test("Names that are repeated, too long, not UTF-8, or too many are left out")
    func names() throws {
        var limits = DataControlLimits()
        limits.types = 3
        limits.typeName = 5
        var session = try Session.attached(limits: limits)
        _ = try session.offer(offerNumber(0), ["a", "a", "123456", "12345"])
        let invalid = try #require(WireString(bytes: [0xff]))
        _ = try session.event(DataControlOffer.Event.offer(mimeType: invalid), of: offerNumber(0))
        for type in ["b", "c"] {
            _ = try session.event(
                DataControlOffer.Event.offer(mimeType: #require(WireString(type))), of: offerNumber(0))
        }
        #expect(
            try session.select(offerNumber(0)).reports
                == [.changed(.clipboard, .foreign(ForeignOfferID(1), types: ["a", "12345", "b"]))])
    }

    @Test("A type that is announced after its offer became a selection is ignored")
    func late() throws {
        var session = try Session.attached()
        _ = try session.offer(offerNumber(0), ["a"])
        _ = try session.select(offerNumber(0))
        let event = DataControlOffer.Event.offer(mimeType: try #require(WireString("b")))
        #expect(try session.event(event, of: offerNumber(0)) == [])
        #expect(session.client.receive(ForeignOfferID(1), type: "b", into: WireDescriptor(4)) == nil)
    }

    @Test("The same offer reported again is not a change")
    func repeated() throws {
        var session = try Session.attached()
        _ = try session.offer(offerNumber(0), ["a"])
        _ = try session.select(offerNumber(0))
        #expect(try session.select(offerNumber(0)) == [])
    }

    @Test("An empty selection reported again is a change")
    func emptyAgain() throws {
        var session = try Session.attached()
        #expect(try session.select(nil) == [.changed(.clipboard, .nobody)])
    }

    @Test("An offer can be read in any of its types while it is a selection")
    func receive() throws {
        var session = try Session.attached()
        _ = try session.offer(offerNumber(0), ["text/plain"])
        _ = try session.select(offerNumber(0))
        let text = try #require(WireString("text/plain"))
        let offer = ForeignOfferID(1)
        #expect(
            session.client.receive(offer, type: "text/plain", into: WireDescriptor(12))
                == .request(.offer(id(offerNumber(0)), .receive(mimeType: text, fd: WireDescriptor(12)))))
        #expect(session.client.receive(offer, type: "text/html", into: WireDescriptor(12)) == nil)
        _ = try session.select(nil)
        #expect(session.client.receive(offer, type: "text/plain", into: WireDescriptor(12)) == nil)
    }

    @Test("The compositor may reuse the number of a destroyed offer, whose late events are ignored")
    func reuse() throws {
        var session = try Session.attached()
        _ = try session.offer(offerNumber(0), ["a"])
        _ = try session.select(offerNumber(0))
        _ = try session.select(nil)
        let event = DataControlOffer.Event.offer(mimeType: try #require(WireString("late")))
        #expect(try session.event(event, of: offerNumber(0)) == [])
        _ = try session.offer(offerNumber(0), ["b"])
        #expect(
            try session.select(offerNumber(0))
                == [.changed(.clipboard, .foreign(ForeignOfferID(2), types: ["b"]))])
    }
}
