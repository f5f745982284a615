import DataControlProtocol
import Testing
import WaylandWire

/// Compositors that break the protocol.
@Suite struct FaultsTests {
    private func expectFault(
        _ fault: Client.Fault, limits: DataControlLimits = DataControlLimits(),
        at location: SourceLocation = #_sourceLocation, _ body: (inout Session) throws -> [Client.Effect]
    ) throws {
        var session = try Session.attached(limits: limits)
        #expect(try body(&session).last == .fail(fault), sourceLocation: location)
        #expect(try session.select(nil) == [], "an effect followed a fault", sourceLocation: location)
        #expect(session.client.set(.clipboard, types: [], marker: "m").source == nil, sourceLocation: location)
        #expect(session.client.sync().effects == [], sourceLocation: location)
    }

    @Test("The fault for an error of the compositor names the interface of its object")
    func error() throws {
        let event = WlDisplay.Event.error(
            objectID: id(6), code: 1, message: try #require(WireString("used source")))
        let fault = Client.Fault.error(interface: "zwlr_data_control_device_v1", code: 1, message: "used source")
        try expectFault(fault) { try $0.event(event, of: 1) }
        #expect(
            fault.description == "the compositor reported error 1 of zwlr_data_control_device_v1: used source")
    }

    @Test("An event of an object that never existed ends the connection")
    func unknownObject() throws {
        try expectFault(.unknownObject(id(99))) { try $0.event(DataControlSource.Event.cancelled, of: 99) }
        try expectFault(.unknownObject(id(offerNumber(0)))) {
            try $0.event(DataControlSource.Event.cancelled, of: offerNumber(0))
        }
        try expectFault(.unknownObject(id(.max))) { try $0.event(DataControlSource.Event.cancelled, of: .max) }
    }

    @Test("An unknown event or an event with wrong arguments ends the connection, even for a destroyed object")
    func malformed() throws {
        try expectFault(.malformed(interface: "wl_seat", .unknownOpcode(2))) {
            $0.client.receive(frame(5, opcode: 2), descriptors: 0)
        }
        try expectFault(.malformed(interface: "wl_seat", .truncated)) {
            $0.client.receive(frame(5, opcode: 0), descriptors: 0)
        }
        try expectFault(.malformed(interface: "wl_callback", .trailing(4))) {
            _ = $0.client.sync()
            return $0.client.receive(frame(3, opcode: 0, 1, 2), descriptors: 0)
        }
        try expectFault(.malformed(interface: "zwlr_data_control_manager_v1", .unknownOpcode(0))) {
            $0.client.receive(frame(4, opcode: 0), descriptors: 0)
        }
        try expectFault(.malformed(interface: "zwlr_data_control_offer_v1", .unknownOpcode(1))) {
            _ = try $0.offer(offerNumber(0), [])
            _ = try $0.select(offerNumber(0))
            _ = try $0.select(nil)
            return $0.client.receive(frame(offerNumber(0), opcode: 1), descriptors: 0)
        }
    }

    @Test("Bytes that are not a message end the connection")
    func stream() throws {
        try expectFault(.stream(.size(4))) { $0.client.receive(wireBytes([1, 4 << 16]), descriptors: 0) }
        try expectFault(.stream(.noObject)) { $0.client.receive(wireBytes([0, 8 << 16]), descriptors: 0) }
    }

    @Test("A request for contents without a descriptor ends the connection, and so do too many descriptors")
    func descriptors() throws {
        let event = DataControlSource.Event.send(mimeType: try #require(WireString("a")), fd: WireDescriptor(0))
        try expectFault(.malformed(interface: "zwlr_data_control_source_v1", .noDescriptor)) {
            _ = $0.client.set(.clipboard, types: ["a"], marker: "m")
            return try $0.event(event, of: 3, descriptors: 0)
        }
        try expectFault(.stream(.tooManyDescriptors(limit: 256))) { $0.client.receive([], descriptors: 257) }
    }

    @Test("Confirming the deletion of an object that was not destroyed ends the connection")
    func deleted() throws {
        for number in [0, 1, 4, 99, 0xff00_0000] as [UInt32] {
            try expectFault(.deletedObject(number)) { try $0.event(WlDisplay.Event.deleteID(id: number), of: 1) }
        }
    }

    @Test("A new offer must have the next number in the compositor's range, or a free number")
    func created() throws {
        for number in [1, 3, 0xfeff_ffff, offerNumber(1), .max] {
            try expectFault(.createdObject(id(number))) { try $0.offer(number, []) }
        }
        try expectFault(.createdObject(id(offerNumber(0)))) {
            _ = try $0.offer(offerNumber(0), [])
            return try $0.offer(offerNumber(0), [])
        }
    }

    @Test("A selection must be an offer that was introduced and is not the other selection")
    func notAnOffer() throws {
        try expectFault(.notAnOffer(id(4))) { try $0.select(4) }
        try expectFault(.notAnOffer(id(offerNumber(3)))) { try $0.select(.primary, offerNumber(3)) }
        try expectFault(.offerOfBothSelections(id(offerNumber(0)))) {
            _ = try $0.offer(offerNumber(0), [])
            _ = try $0.select(offerNumber(0))
            return try $0.select(.primary, offerNumber(0))
        }
    }

    @Test("Announcing a global twice ends the connection")
    func globals() throws {
        try expectFault(.globalTwice(2)) { try $0.global(2, "wl_seat", 7) }
        try expectFault(.globalTwice(1)) { try $0.global(1, "wl_seat", 7) }
    }

    @Test("Offers, seats and unconfirmed objects have limits")
    func limits() throws {
        var limits = DataControlLimits()
        limits.offers = 2
        limits.seats = 2
        limits.objects = 10
        try expectFault(.tooManyOffers(limit: 2), limits: limits) { session in
            try (0..<3).flatMap { try session.offer(offerNumber($0), []) }
        }
        try expectFault(.tooManyGlobals(limit: 2), limits: limits) { session in
            try (10..<12).flatMap { try session.global($0, "wl_seat", 7) }
        }
        try expectFault(.tooManyObjects(limit: 10), limits: limits) { session in
            (0..<6).flatMap { _ in session.client.sync().effects }
        }
    }

    @Test("Every fault has a description")
    func descriptions() {
        let faults: [Client.Fault] = [
            .stream(.truncated), .malformed(interface: "wl_seat", .null), .unknownObject(id(3)), .deletedObject(4),
            .createdObject(id(5)), .notAnOffer(id(6)), .offerOfBothSelections(id(7)), .globalTwice(8),
            .tooManyOffers(limit: 9), .tooManyGlobals(limit: 10), .tooManyObjects(limit: 11),
        ]
        #expect(Set(faults.map(\.description)).count == faults.count)
        #expect(faults.allSatisfy { $0.description.hasPrefix("the compositor ") })
    }

    private func frame(_ object: UInt32, opcode: UInt32, _ arguments: UInt32...) -> [UInt8] {
        wireBytes([object, UInt32(8 + 4 * arguments.count) << 16 | opcode] + arguments)
    }
}

/// Returns words as bytes, in the byte order of the machine.
func wireBytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word.littleEndian >> (8 * $0)) } }
}
