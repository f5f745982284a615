import BridgeClient
import BridgeFixture
import PasteboardWire
import Synchronization
import Testing

@Suite struct BridgeFinderTests {
    private func connect(
        _ place: Place, display: String? = nil, start: BridgeFinder.Start = .never
    ) throws -> BridgeClient {
        try BridgeClient.connect(
            display: display, environment: place.environment, timeout: .seconds(60), start: start)
    }

    private func count(_ client: BridgeClient) throws -> Int {
        try client.call(Methods.Count.self, .init(pasteboard: "general")).reply.count
    }

    private func failure(_ body: () throws -> BridgeClient) -> BridgeClientError? {
        #expect(throws: BridgeClientError.self) { _ = try body() }
    }

    @Test("DISPLAY, in any spelling, leads to its bridge, and an option takes precedence")
    func display() throws {
        let place = try Place(display: "unix:7.1")
        let seven = try place.bridge(":7", process: 7)
        let eight = try place.bridge(":8", process: 8)
        let counts = try withExtendedLifetime((seven, eight)) {
            [try count(connect(place)), try count(connect(place, display: ":8.0"))]
        }
        #expect(counts == [7, 8])
    }

    @Test("The client's X authority, if there is one, is sent to the bridge without delaying the client")
    func authority() throws {
        let place = try Place(display: ":7.0")
        let attachments = Mutex<[Methods.Attach.Parameters]>([])
        let bridge = try place.bridge(":7") {
            { call, connection in
                if call.isCall(of: Methods.Attach.self) {
                    if call.oneway, let parameters = try? call.parameters(Methods.Attach.Parameters.self) {
                        attachments.withLock { $0.append(parameters) }
                    }
                    connection.reply(NoParameters())
                } else {
                    connection.reply(Methods.Count.Reply(count: 7))
                }
            }
        }
        let counts = try withExtendedLifetime(bridge) {
            let without = try count(connect(place))
            #expect(attachments.withLock { $0.isEmpty })
            place.environment["XAUTHORITY"] = "/somewhere"
            return [without, try count(connect(place))]
        }
        #expect(counts == [7, 7])
        #expect(attachments.withLock { $0.map(\.authority) } == ["/somewhere"])
        #expect(attachments.withLock { $0.map(\.display) } == [":7.0"])
    }

    @Test("Without DISPLAY, the user's only bridge is found, even if it listens on several sockets")
    func only() throws {
        let place = try Place()
        let sockets = [try place.bridge("none", process: 5), try place.bridge(":5", process: 5)]
        let found = try withExtendedLifetime(sockets) { try count(connect(place)) }
        #expect(found == 5)
    }

    @Test("Without DISPLAY, several bridges are an error that names them")
    func several() throws {
        let place = try Place()
        let bridges = [try place.bridge(":5", process: 5), try place.bridge(":6", process: 6)]
        withExtendedLifetime(bridges) {
            let error = failure { try connect(place) }
            #expect(error?.code == .unavailable && error?.context.cause == .severalBridges)
            #expect(error?.message.contains(":5, :6") == true)
        }
    }

    @Test("Without DISPLAY, a bridge that is just closing its connection does not count")
    func closing() throws {
        let place = try Place()
        let closing = try place.bridge(":5") { { _, _ in throw HangUp() } }
        let found = try withExtendedLifetime((closing, try place.bridge(":6", process: 6))) {
            try count(connect(place))
        }
        #expect(found == 6)
    }

    @Test("Without DISPLAY and without a bridge, the message says what to set")
    func nothing() throws {
        let error = failure { try connect(try Place(), start: .forDisplay) }
        #expect(error?.code == .unavailable && error?.context.cause == .noDisplay)
        #expect(error?.message.contains("neither DISPLAY nor WAYLAND_DISPLAY is set") == true)
    }

    @Test("The message names a malformed display, and whether DISPLAY or an option gave it")
    func badName() throws {
        let fromVariable = failure { try connect(try Place(display: "nowhere")) }
        #expect(fromVariable?.message.contains("DISPLAY is 'nowhere'") == true)
        let fromOption = failure { try connect(try Place(display: ":1"), display: "there") }
        #expect(fromOption?.message.contains("'there'") == true)
        #expect(fromOption?.message.contains("DISPLAY") == false)
    }

    @Test("A socket without a listener counts as absent")
    func stale() throws {
        let place = try Place(display: ":9")
        var bridge: FakeBridge? = try place.bridge(":9", process: 1)
        let found = try withExtendedLifetime(bridge) { try count(connect(place)) }
        #expect(found == 1)
        bridge = nil
        #expect(failure { try connect(place) }?.code == .unavailable)
    }

    @Test("A bridge without a display is attached to the client's display")
    func attach() throws {
        let place = try Place(display: ":3.0")
        place.environment["XAUTHORITY"] = "/a/file"
        let bridge = try place.bridge("none") {
            { call, connection in
                if call.isCall(of: Methods.Attach.self) {
                    let parameters = try call.parameters(Methods.Attach.Parameters.self)
                    guard parameters.display == ":3.0", parameters.authority == "/a/file" else { throw HangUp() }
                    connection.reply(NoParameters())
                } else {
                    connection.reply(Methods.Count.Reply(count: 33))
                }
            }
        }
        let found = try withExtendedLifetime(bridge) { try count(connect(place, start: .forDisplay)) }
        #expect(found == 33)
    }

    @Test("The message names a display that a bridge cannot open, and the value of DISPLAY")
    func cannotAttach() throws {
        let place = try Place(display: ":3")
        let bridge = try place.bridge("none") {
            { _, connection in connection.fail(BridgeError(.displayUnavailable, "nobody listens")) }
        }
        withExtendedLifetime(bridge) {
            let error = failure { try connect(place, start: .forDisplay) }
            #expect(error?.code == .unavailable)
            #expect(error?.message == "DISPLAY, which is ':3', cannot be used: nobody listens")
        }
    }

    @Test("A bridge that refuses a second display is not used")
    func refusesAttach() throws {
        let place = try Place(display: ":3")
        let bridge = try place.bridge("none") { { _, connection in connection.fail(BridgeError(.refused, "no")) } }
        withExtendedLifetime(bridge) {
            #expect(failure { try connect(place) }?.context.cause == .noBridge)
        }
    }
}
