import DataControlProtocol
import Testing
import WaylandWire

/// Globals that come and go, and the devices of their seats.
@Suite struct GlobalsTests {
    private func bind(_ name: UInt32, _ interface: String, _ version: UInt32, _ object: UInt32) throws -> Client.Request
    {
        .registry(
            id(2), .bind(name: name, interface: try #require(WireString(interface)), version: version, id: id(object)))
    }

    @Test("A connection begins with the registry and a callback")
    func start() {
        var session = Session()
        #expect(
            session.client.start() == [
                .request(.display(.getRegistry(registry: id(2)))), .request(.display(.sync(callback: id(3)))),
            ])
    }

    @Test("Nothing is bound before the list of globals is complete, and then all at once")
    func listed() throws {
        var session = Session()
        _ = session.client.start()
        #expect(try session.global(1, "wl_seat", 7) == [])
        #expect(try session.global(2, "wl_shm", 1) == [])
        #expect(try session.global(3, "zwlr_data_control_manager_v1", 2) == [])
        #expect(
            try session.done(3) == [
                .request(bind(3, "zwlr_data_control_manager_v1", 2, 4)),
                .request(bind(1, "wl_seat", 5, 5)),
                .request(.manager(id(4), .getDataDevice(id: id(6), seat: id(5)))),
                .attached(.wlr, version: 2),
                .request(.display(.sync(callback: id(7)))),
                .request(.display(.sync(callback: id(8)))),
            ])
    }

    @Test("ext is preferred to wlr, in whatever order they are announced", arguments: [false, true])
    func preference(extFirst: Bool) throws {
        var session = Session()
        _ = session.client.start()
        if extFirst { _ = try session.global(1, "ext_data_control_manager_v1", 1) }
        _ = try session.global(2, "zwlr_data_control_manager_v1", 2)
        if !extFirst { _ = try session.global(1, "ext_data_control_manager_v1", 1) }
        _ = try session.global(3, "wl_seat", 9)
        let effects = try session.done(3)
        #expect(effects.requests.first == (try bind(1, "ext_data_control_manager_v1", 1, 4)))
        #expect(effects.reports == [.attached(.ext, version: 1)])
    }

    @Test("A manager of a later version is bound with the version that the client supports")
    func laterVersion() throws {
        var session = Session()
        _ = session.client.start()
        _ = try session.global(1, "ext_data_control_manager_v1", 7)
        #expect(try session.done(3).requests.first == bind(1, "ext_data_control_manager_v1", 1, 4))
    }

    @Test("After the device is created, its first selections are reported, and then the session is settled")
    func settled() throws {
        var session = Session()
        _ = session.client.start()
        _ = try session.global(1, "ext_data_control_manager_v1", 1)
        _ = try session.global(2, "wl_seat", 7)
        _ = try session.done(3)
        _ = try session.event(WlSeat.Event.name(name: #require(WireString("seat7"))), of: 5)
        _ = try session.offer(offerNumber(0), ["text/plain"])
        #expect(
            try session.select(offerNumber(0)) == [
                .changed(.clipboard, .foreign(ForeignOfferID(1), types: ["text/plain"]))
            ])
        #expect(try session.select(.primary, nil) == [.changed(.primary, .nobody)])
        #expect(try session.done(7) == [.settled(seat: "seat7", hasPrimary: true)])
        #expect(try session.done(8) == [])
    }

    @Test("wlr version 1 has no primary selection")
    func firstVersion() throws {
        var session = Session()
        _ = session.client.start()
        _ = try session.global(1, "zwlr_data_control_manager_v1", 1)
        _ = try session.global(2, "wl_seat", 1)
        #expect(try session.done(3).requests.first == bind(1, "zwlr_data_control_manager_v1", 1, 4))
        #expect(!session.client.canSet(.primary))
        _ = try session.select(nil)
        #expect(try session.done(7) == [.settled(seat: nil, hasPrimary: false)])
        #expect(session.client.canSet(.clipboard) && !session.client.canSet(.primary))
        #expect(session.client.set(.primary, types: ["text/plain"], marker: "m").source == nil)
        let fault = Client.Fault.malformed(interface: "zwlr_data_control_device_v1", .unknownOpcode(3))
        #expect(try session.select(.primary, nil) == [.fail(fault)])
    }

    @Test("The primary selection cannot be set if the compositor never reports it")
    func noPrimary() throws {
        let session = try Session.attached(hasPrimary: false)
        #expect(session.client.canSet(.clipboard) && !session.client.canSet(.primary))
    }

    @Test("A lack of data control is reported once, and the client attaches if a manager appears later")
    func late() throws {
        var session = Session()
        _ = session.client.start()
        _ = try session.global(1, "wl_seat", 7)
        #expect(try session.done(3).requests == [bind(1, "wl_seat", 5, 4), .display(.sync(callback: id(5)))])
        #expect(try session.done(5) == [.unavailable(.noDataControl)])
        let effects = try session.global(8, "zwlr_data_control_manager_v1", 2)
        #expect(effects.reports == [.attached(.wlr, version: 2)])
        #expect(
            effects.requests == [
                try bind(8, "zwlr_data_control_manager_v1", 2, 3),
                .manager(id(3), .getDataDevice(id: id(5), seat: id(4))),
                .display(.sync(callback: id(6))),
            ])
    }

    @Test("A client with a seat's name waits for that seat and leaves other seats alone")
    func namedSeat() throws {
        var session = Session(seat: "seat1")
        _ = session.client.start()
        _ = try session.global(1, "zwlr_data_control_manager_v1", 2)
        _ = try session.global(2, "wl_seat", 7)
        #expect(try session.done(3).reports == [])
        #expect(try session.event(WlSeat.Event.name(name: #require(WireString("seat0"))), of: 5) == [])
        #expect(try session.done(6) == [.unavailable(.noSeat(names: ["seat0"]))])
        _ = try session.global(3, "wl_seat", 7)
        let effects = try session.event(WlSeat.Event.name(name: #require(WireString("seat1"))), of: 3)
        #expect(effects.requests.first == .manager(id(4), .getDataDevice(id: id(6), seat: id(3))))
        #expect(effects.reports == [.attached(.wlr, version: 2)])
    }

    @Test("When a seat goes away, its objects are destroyed and the next seat takes its place")
    func seatGone() throws {
        var session = try Session.attached()
        _ = try session.global(9, "wl_seat", 7)  // 3
        _ = try session.offer(offerNumber(0), ["text/plain"])
        _ = try session.select(offerNumber(0))
        let source = try #require(session.client.set(.primary, types: ["text/html"], marker: "m").source)  // 7, 8
        #expect(
            try session.event(DataControlDevice.Event.finished, of: 6) == [
                .request(.source(id(7), .destroy)), .ended(source, .detached),
                .request(.offer(id(offerNumber(0)), .destroy)),
                .request(.device(id(6), .destroy)), .detached(.seatGone),
                .request(.manager(id(4), .getDataDevice(id: id(9), seat: id(3)))), .attached(.wlr, version: 2),
                .request(.display(.sync(callback: id(10)))),
            ])
        // The compositor also removes the global.
        #expect(
            try session.event(WlRegistry.Event.globalRemove(name: 2), of: 2) == [.request(.seat(id(5), .release))])
    }

    @Test("The client does not attach to a finished seat again until the seat's global is announced again")
    func finished() throws {
        var session = try Session.attached()
        #expect(
            try session.event(DataControlDevice.Event.finished, of: 6)
                == [.request(.device(id(6), .destroy)), .detached(.seatGone)])
        #expect(!session.client.isAttached && !session.client.canSet(.clipboard))
        _ = try session.event(WlRegistry.Event.globalRemove(name: 2), of: 2)
        #expect(try session.global(2, "wl_seat", 7).reports == [.attached(.wlr, version: 2)])
    }

    @Test("A seat without a destructor stays, and its events are ignored")
    func oldSeat() throws {
        var session = Session()
        _ = session.client.start()
        _ = try session.global(1, "wl_seat", 4)
        _ = try session.done(3)
        #expect(try session.event(WlRegistry.Event.globalRemove(name: 1), of: 2) == [])
        #expect(try session.event(WlSeat.Event.capabilities(capabilities: 0), of: 4) == [])
        #expect(try session.event(WlSeat.Event.name(name: #require(WireString("x"))), of: 4) == [])
        #expect(session.client.seatNames == [])
    }

    @Test("A manager that goes away is replaced by the other protocol's manager")
    func managerGone() throws {
        var session = Session()
        _ = session.client.start()
        _ = try session.global(1, "ext_data_control_manager_v1", 1)
        _ = try session.global(2, "zwlr_data_control_manager_v1", 2)
        _ = try session.global(3, "wl_seat", 7)
        _ = try session.done(3)
        let effects = try session.event(WlRegistry.Event.globalRemove(name: 1), of: 2)
        #expect(effects.reports == [.detached(.managerGone), .attached(.wlr, version: 2)])
        #expect(
            effects.requests.prefix(3) == [
                .device(id(6), .destroy), .manager(id(4), .destroy), try bind(2, "zwlr_data_control_manager_v1", 2, 3),
            ])
    }

    @Test("An offer that arrives after its device was destroyed is destroyed")
    func crossing() throws {
        var session = try Session.attached()
        _ = try session.event(DataControlDevice.Event.finished, of: 6)
        #expect(try session.offer(offerNumber(0), ["a"]) == [.request(.offer(id(offerNumber(0)), .destroy))])
        #expect(try session.select(offerNumber(0)) == [])
        #expect(try session.event(DataControlDevice.Event.finished, of: 6) == [])
    }

    @Test("Object numbers are reused once the compositor has confirmed the deletion of their objects")
    func numbers() throws {
        var session = try Session.attached()
        #expect(session.client.sync().effects == [.request(.display(.sync(callback: id(3))))])
        #expect(session.client.sync().effects == [.request(.display(.sync(callback: id(7))))])
        #expect(try session.event(WlCallback.Event.done(callbackData: 0), of: 3) == [.synced(SyncID(1))])
        #expect(session.client.sync().effects == [.request(.display(.sync(callback: id(8))))])
        _ = try session.event(WlDisplay.Event.deleteID(id: 3), of: 1)
        #expect(session.client.sync().effects == [.request(.display(.sync(callback: id(3))))])
    }
}
