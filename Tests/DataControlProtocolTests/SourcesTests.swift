import DataControlProtocol
import Testing
import WaylandWire

@Suite struct SourcesTests {
    private func text(_ name: String) throws -> WireString { try #require(WireString(name)) }

    @Test("A source is created, filled and set at once, with its marker as its last type")
    func set() throws {
        var session = try Session.attached()
        let (source, effects) = session.client.set(.clipboard, types: ["text/plain", "text/html"], marker: "mark")
        #expect(source == SourceID(1))
        #expect(
            effects == [
                .request(.manager(id(4), .createDataSource(id: id(3)))),
                .request(.source(id(3), .offer(mimeType: try text("text/plain")))),
                .request(.source(id(3), .offer(mimeType: try text("text/html")))),
                .request(.source(id(3), .offer(mimeType: try text("mark")))),
                .request(.device(id(6), .setSelection(source: id(3)))),
                .request(.display(.sync(callback: id(7)))),
            ])
        #expect(
            session.client.set(.primary, types: [], marker: "other").effects.requests.contains(
                .device(id(6), .setPrimarySelection(source: id(8)))))
    }

    @Test("Types that are repeated, empty or too long are left out")
    func types() throws {
        var limits = DataControlLimits()
        limits.typeName = 6
        var session = try Session.attached(limits: limits)
        let types = ["a", "a", "", "1234567", "nul\0", "b"]
        let requests = session.client.set(.clipboard, types: types, marker: "m").effects.requests
        #expect(
            requests.dropFirst().prefix(3) == [
                .source(id(3), .offer(mimeType: try text("a"))), .source(id(3), .offer(mimeType: try text("b"))),
                .source(id(3), .offer(mimeType: try text("m"))),
            ])
    }

    @Test("The marker is recognized even beyond the limit on types, so the selection is ours")
    func manyTypes() throws {
        var limits = DataControlLimits()
        limits.types = 2
        var session = try Session.attached(limits: limits)
        let source = try #require(session.client.set(.clipboard, types: ["a", "b", "c"], marker: "m").source)
        _ = try session.offer(offerNumber(0), ["a", "b", "c", "m"])
        #expect(try session.select(offerNumber(0)).reports == [.changed(.clipboard, .ours(source))])
        // A name beyond the limit that is not a source's marker is left out.
        _ = try session.offer(offerNumber(1), ["a", "b", "c", "n"])
        #expect(
            try session.select(offerNumber(1)).reports.last
                == .changed(.clipboard, .foreign(ForeignOfferID(2), types: ["a", "b"])))
    }

    @Test("The first selection with the marker is ours, and the next selection with it is another client's copy")
    func marker() throws {
        var session = try Session.attached()
        let source = try #require(session.client.set(.clipboard, types: ["a"], marker: "m").source)
        // Another client was faster.
        _ = try session.offer(offerNumber(0), ["a"])
        #expect(
            try session.select(offerNumber(0)).reports
                == [.changed(.clipboard, .foreign(ForeignOfferID(1), types: ["a"]))])
        _ = try session.offer(offerNumber(1), ["a", "m"])
        #expect(try session.select(offerNumber(1)).reports == [.changed(.clipboard, .ours(source))])
        #expect(try session.done(7) == [])
        _ = try session.offer(offerNumber(0), ["a", "m"])
        #expect(
            try session.select(offerNumber(0)).reports
                == [
                    .ended(source, .replaced), .changed(.clipboard, .foreign(ForeignOfferID(3), types: ["a", "m"])),
                ])
        #expect(try session.event(DataControlSource.Event.cancelled, of: 3) == [])
    }

    @Test("A marker that was set on one selection does not count on the other selection")
    func markerOfOther() throws {
        var session = try Session.attached()
        _ = session.client.set(.clipboard, types: ["a"], marker: "m")
        _ = try session.offer(offerNumber(0), ["a", "m"])
        #expect(
            try session.select(.primary, offerNumber(0)).reports
                == [.changed(.primary, .foreign(ForeignOfferID(1), types: ["a", "m"]))])
    }

    @Test("A source that another client replaces is destroyed and ended")
    func cancelled() throws {
        var session = try Session.attached()
        let source = try #require(session.client.set(.clipboard, types: ["a"], marker: "m").source)
        #expect(
            try session.event(DataControlSource.Event.cancelled, of: 3)
                == [.request(.source(id(3), .destroy)), .ended(source, .replaced)])
        #expect(try session.event(DataControlSource.Event.cancelled, of: 3) == [])
    }

    @Test("A source that the client replaces stays until the compositor cancels it")
    func superseded() throws {
        var session = try Session.attached()
        let first = try #require(session.client.set(.clipboard, types: ["a"], marker: "1").source)  // 3, 7
        let second = session.client.set(.clipboard, types: ["a"], marker: "2")  // 8, 9
        #expect(!second.effects.requests.contains(.source(id(3), .destroy)))
        let send = DataControlSource.Event.send(mimeType: try text("a"), fd: WireDescriptor(0))
        #expect(try session.event(send, of: 3) == [.write(first, type: "a", to: WireDescriptor(0))])
        #expect(
            try session.event(DataControlSource.Event.cancelled, of: 3)
                == [.request(.source(id(3), .destroy)), .ended(first, .superseded)])
    }

    @Test("A source that was never the selection ends with the callback of the next source")
    func neverSelected() throws {
        var session = try Session.attached()
        let first = try #require(session.client.set(.clipboard, types: ["a"], marker: "1").source)  // 3, 7
        _ = session.client.set(.clipboard, types: ["a"], marker: "2")  // 8, 9
        #expect(try session.done(7) == [])
        _ = try session.offer(offerNumber(0), ["2"])
        _ = try session.select(offerNumber(0))
        #expect(try session.done(9) == [.request(.source(id(3), .destroy)), .ended(first, .superseded)])
    }

    @Test("A source ends with the next selection, whether the compositor cancels it or not")
    func notCancelled() throws {
        var session = try Session.attached()
        let first = try #require(session.client.set(.clipboard, types: ["a"], marker: "1").source)  // 3, 7
        let second = try #require(session.client.set(.clipboard, types: ["a"], marker: "2").source)  // 8, 9
        _ = try session.offer(offerNumber(0), ["1"])
        _ = try session.select(offerNumber(0))
        #expect(try session.done(7) == [])
        _ = try session.offer(offerNumber(1), ["2"])
        #expect(
            try session.select(offerNumber(1)).reports
                == [.ended(first, .superseded), .changed(.clipboard, .ours(second))])
        #expect(try session.done(9) == [])
    }

    @Test("A source that the compositor ignores is refused")
    func refused() throws {
        var session = try Session.attached()
        let source = try #require(session.client.set(.primary, types: ["a"], marker: "m").source)
        #expect(try session.done(7) == [.request(.source(id(3), .destroy)), .ended(source, .refused)])
    }

    @Test("Clearing a selection ends its source")
    func clear() throws {
        var session = try Session.attached()
        let source = try #require(session.client.set(.clipboard, types: ["a"], marker: "m").source)
        _ = try session.offer(offerNumber(0), ["a", "m"])
        _ = try session.select(offerNumber(0))
        _ = try session.done(7)
        let (number, effects) = session.client.clear(.clipboard)
        #expect(number == SourceID(source.number + 1))
        #expect(
            effects == [
                .request(.device(id(6), .setSelection(source: nil))), .request(.display(.sync(callback: id(7)))),
            ])
        #expect(
            try session.event(DataControlSource.Event.cancelled, of: 3).reports == [.ended(source, .superseded)])
        #expect(try session.select(nil).reports == [.changed(.clipboard, .nobody)])
    }

    @Test("Each descriptor is written to, or closed if its source has ended or does not have the type")
    func send() throws {
        var session = try Session.attached()
        let source = try #require(session.client.set(.clipboard, types: ["a"], marker: "m").source)
        let known = DataControlSource.Event.send(mimeType: try text("a"), fd: WireDescriptor(0))
        let unknown = DataControlSource.Event.send(mimeType: try text("b"), fd: WireDescriptor(0))
        #expect(try session.event(known, of: 3) == [.write(source, type: "a", to: WireDescriptor(0))])
        #expect(try session.event(unknown, of: 3) == [.close(WireDescriptor(1))])
        _ = try session.event(DataControlSource.Event.cancelled, of: 3)
        #expect(try session.event(known, of: 3) == [.close(WireDescriptor(2))])
        #expect(session.client.waitingDescriptors == 0)
    }

    @Test("Nothing can be set without a seat")
    func withoutSeat() {
        var session = Session()
        _ = session.client.start()
        #expect(session.client.set(.clipboard, types: ["a"], marker: "m").source == nil)
        let (number, effects) = session.client.clear(.clipboard)
        #expect(number == nil && effects == [])
    }
}
