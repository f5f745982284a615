import BridgeClient
import BridgeFixture
import Pasteboard
import PasteboardWire
import Testing

@Suite struct ConnectorTests {
    private func connector(of place: Place) -> Connector {
        .standard(environment: { [environment = place.environment] in environment }, timeout: .seconds(60))
    }

    @Test("A connection leads to the bridge of DISPLAY, and is not alive after that bridge has ended")
    func ended() throws {
        let place = try Place(display: ":7")
        var bridge: FakeBridge? = try place.bridge(":7", process: 7)
        let connection = try connector(of: place).connect(.never)
        let client = ClientConnection(socket: connection.socket)
        let count = try client.call(Methods.Count.self, .init(pasteboard: "general"), idleTimeout: nil).reply.count
        #expect(count == 7)
        withExtendedLifetime(bridge) {}
        bridge = nil
        #expect(!connection.isAlive())
    }

    @Test("Without a bridge, the error comes from the search for a bridge")
    func absent() throws {
        let place = try Place(display: ":7")
        let connector = connector(of: place)
        // The place removes its folder when it is released.
        let error = #expect(throws: PasteboardError.self) {
            try withExtendedLifetime(place) { try connector.connect(.never) }
        }
        #expect(error?.code == .unavailable, "\(error.debugDescription)")
        #expect(error?.message.contains(":7") == true, "\(error.debugDescription)")
    }

    @Test("A bridge appears in the user's runtime folder; if that is missing, there is no folder to watch")
    func folder() throws {
        let place = try Place(display: ":7")
        #expect(try connector(of: place).folder() == place.runtimeDirectory.folder)
        place.environment["XDG_RUNTIME_DIR"] = place.file("missing")
        #expect(connector(of: place).folder() == nil)
    }
}
