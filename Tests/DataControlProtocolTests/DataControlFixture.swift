import DataControlProtocol
import Testing
import WaylandWire

typealias Client = DataControlClient

/// A protocol state machine, with the compositor's side of its connection played by the test.
struct Session {
    var client: Client

    init(seat: String? = nil, limits: DataControlLimits = DataControlLimits()) {
        client = Client(seat: seat, limits: limits)
    }

    /// Sends an event to the state machine.
    mutating func event(_ event: some WaylandMessage, of object: UInt32, descriptors: Int? = nil) throws -> [Client
        .Effect]
    {
        let encoded = try event.encoded(to: try #require(ObjectID(object)))
        return client.receive(encoded.bytes, descriptors: descriptors ?? encoded.descriptors.count)
    }

    mutating func global(_ name: UInt32, _ interface: String, _ version: UInt32) throws -> [Client.Effect] {
        let event = WlRegistry.Event.global(
            name: name, interface: try #require(WireString(interface)), version: version)
        return try self.event(event, of: 2)
    }

    mutating func done(_ callback: UInt32) throws -> [Client.Effect] {
        let effects = try event(WlCallback.Event.done(callbackData: 0), of: callback)
        return effects + (try event(WlDisplay.Event.deleteID(id: callback), of: 1))
    }

    /// Introduces an offer with types.
    mutating func offer(_ offer: UInt32, _ types: [String], of device: UInt32 = 6) throws -> [Client.Effect] {
        var effects = try event(DataControlDevice.Event.dataOffer(id: id(offer)), of: device)
        for type in types {
            effects += try event(DataControlOffer.Event.offer(mimeType: #require(WireString(type))), of: offer)
        }
        return effects
    }

    /// Makes an offer the clipboard.
    mutating func select(_ offer: UInt32?) throws -> [Client.Effect] { try select(.clipboard, offer) }

    mutating func select(
        _ selection: SeatSelection, _ offer: UInt32?, of device: UInt32 = 6
    ) throws -> [Client.Effect] {
        let offer = offer.map(id)
        switch selection {
        case .clipboard: return try event(DataControlDevice.Event.selection(id: offer), of: device)
        case .primary: return try event(DataControlDevice.Event.primarySelection(id: offer), of: device)
        }
    }

    /// Returns a session with version 2 of the wlr protocol, whose device, 6, has reported empty selections. The
    /// registry is 2, the manager 4, the seat 5; the next numbers are 3, 7 and 8.
    static func attached(
        limits: DataControlLimits = DataControlLimits(), hasPrimary: Bool = true
    ) throws -> Session {
        var session = Session(limits: limits)
        _ = session.client.start()
        _ = try session.global(1, "zwlr_data_control_manager_v1", 2)
        _ = try session.global(2, "wl_seat", 7)
        _ = try session.done(3)
        _ = try session.event(WlSeat.Event.name(name: #require(WireString("seat0"))), of: 5)
        _ = try session.select(nil)
        if hasPrimary { _ = try session.select(.primary, nil) }
        _ = try session.done(7)
        _ = try session.done(8)
        return session
    }
}

/// Returns an object's number, which must not be zero.
func id(_ number: UInt32) -> ObjectID {
    guard let object = ObjectID(number) else { preconditionFailure("an object's number is not zero") }
    return object
}

/// Returns the number of an offer, counted from 0.
func offerNumber(_ index: UInt32) -> UInt32 { 0xff00_0000 + index }

extension [Client.Effect] {
    /// The requests among the effects.
    var requests: [Client.Request] {
        compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    /// The effects that are not requests.
    var reports: [Client.Effect] {
        filter { if case .request = $0 { false } else { true } }
    }
}
