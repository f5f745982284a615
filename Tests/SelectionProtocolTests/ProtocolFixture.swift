import SelectionProtocol

/// Sample atoms, windows and offers for the tests of the state machines.
enum Sample {
    static let atoms = ProtocolAtoms(
        targets: Atom(301), multiple: Atom(302), timestamp: Atom(303), atomPair: Atom(304), incr: Atom(305))
    static let clipboard = Atom(310)
    static let utf8 = Atom(311)
    static let png = Atom(312)
    static let text = Atom(313)
    static let unknown = Atom(314)
    static let property = Atom(320)
    static let otherProperty = Atom(321)
    static let owner = WindowID(0x20_0001)
    static let peer = WindowID(0x40_0001)
    static let otherPeer = WindowID(0x40_0002)
    static let start = ContinuousClock.now

    static var limits: TransferLimits {
        var limits = TransferLimits()
        limits.chunk = 100
        return limits
    }

    /// Text of 5 bytes under two names, and an image of 250 bytes.
    static let offer = OfferTable(
        id: OfferID(7), acquired: ServerTime(1_234),
        entries: [
            (utf8, .init(type: utf8, body: 0, .ready(length: 5))),
            (text, .init(type: utf8, body: 0, .ready(length: 5))),
            (png, .init(type: png, body: 1, .ready(length: 250))),
        ])

    static func request(
        _ target: Atom, property: Atom = property, from requestor: WindowID = peer, time: ServerTime = ServerTime(99)
    ) -> SelectionRequest {
        SelectionRequest(
            owner: owner, requestor: requestor, selection: clipboard, target: target, property: property, time: time)
    }

    static func destination(_ property: Atom = property, of window: WindowID = peer) -> SelectionOwner.Destination {
        .init(window: window, property: property)
    }
}
