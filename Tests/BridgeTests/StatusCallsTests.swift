import Bridge
import BridgeServer
import BridgeState
import Configuration
import Glibc
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct StatusCallsTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture(display: ":0", environment: ["XPB_LIMIT_TRANSFERS": "7", "XPB_LIMIT_ATOMS": "3"])
        client = try fixture.client()
    }

    private func status() throws -> Methods.Status.Reply? {
        try client.call(Methods.Status.self, .init())
        fixture.succeed()
        return try client.replies(to: Methods.Status.self).first
    }

    @Test("The status lists the refusals of both threads, and each limit with its use")
    func both() throws {
        var traffic = DisplayTraffic()
        for _ in 0..<3 { traffic.refusals.note(.transfers, at: 5) }
        traffic.refusals.note(.unknownTarget, at: 4)
        traffic.refusals.note(.atoms, at: 6)
        traffic.evicted = [.transfers: 2]
        (traffic.use.transfers, traffic.use.bytes, traffic.use.atoms) = (6, 1_000, 3)
        fixture.traffic = traffic
        fixture.service.quotas.refusals.note(.clients, at: 7)
        let status = try #require(try status())
        #expect(
            status.refusals == [
                WireRefusal(reason: "target not on offer", count: 1, last: 4, routine: true),
                WireRefusal(reason: "too many transfers", count: 3, last: 5),
                WireRefusal(reason: "too many names for the X server", count: 1, last: 6),
                WireRefusal(reason: "too many clients", count: 1, last: 7),
            ])
        func limit(_ name: String) -> WireLimit? { status.limits.first { $0.name == name } }
        #expect(limit("limit-transfers") == WireLimit(name: "limit-transfers", limit: 7, used: 6, refused: 3, ended: 2))
        #expect(limit("limit-atoms") == WireLimit(name: "limit-atoms", limit: 3, used: 3, refused: 1))
        #expect(limit("limit-transfer-bytes")?.used == 1_000)
        #expect(limit("limit-clients")?.refused == 1)
    }

    @Test("The status lists every limit of the settings under its key, and then the limit on descriptors")
    func complete() throws {
        let names = try #require(try status()).limits.map(\.name)
        // The age and the rate of a slow transfer are not limits.
        let keys = ConfigurationKey.all.map(\.name).filter { $0.hasPrefix("limit-") && !$0.hasPrefix("limit-drip") }
        #expect(names == keys + ["descriptors"])
    }

    @Test("The status names the program of each transfer")
    func program() throws {
        fixture.traffic?.transfers = [
            DisplayTraffic.Transfer(
                direction: .sending, selection: "CLIPBOARD", target: "TEXT", process: getpid(), bytes: 1,
                age: .milliseconds(2), idleTime: .milliseconds(3)),
            DisplayTraffic.Transfer(
                direction: .draining, selection: "CLIPBOARD", target: "TEXT", bytes: 1, age: .milliseconds(2),
                idleTime: .milliseconds(3)),
        ]
        let underway = try #require(try status()).underway
        #expect(underway.count == 2)
        #expect(underway[0].program?.isEmpty == false)
        #expect(underway[1].program == nil)
    }

    @Test("A status does not wait long for the X server, and then reports the last known transfers")
    func blockedServer() throws {
        fixture.traffic?.use.transfers = 5
        _ = try status()
        fixture.traffic = nil
        #expect(try status() == nil)
        fixture.expire()
        let status = try #require(try client.replies(to: Methods.Status.self).first)
        #expect(status.limits.first?.used == 5)
    }

    @Test("The X thread gets the limits of the settings at the start")
    func start() {
        fixture.service.applySettings()
        fixture.succeed()
        #expect(fixture.limits?.transfers == 7)
        #expect(fixture.limits?.atoms == 3)
    }

    @Test("A write to a pasteboard with a name beyond limit-atoms fails, and the error names the setting")
    func nameless() throws {
        fixture.isOutOfNames = true
        try client.set(.text(on: "com.example.new"))
        fixture.succeed()
        let error = #expect(throws: BridgeError.self) { try client.replies(to: Methods.Set.self) }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("limit-atoms") == true)
        #expect(fixture.pasteboard("com.example.new")?.version == nil)
    }

    @Test("A list waits for the X server once, even if many windows own pasteboards")
    func list() throws {
        let fixture = try ServiceFixture(display: ":0")
        let client = try fixture.client()
        for (number, selection) in ["CLIPBOARD", "PRIMARY", "SECONDARY"].enumerated() {
            let window = WindowID(UInt32(number + 1))
            fixture.report(.changed(selection: selection, .init(owner: .foreign(window), isDeath: false)))
        }
        try client.call(Methods.List.self, .init())
        fixture.catchUp()
        fixture.expire()
        #expect(try client.replies(to: Methods.List.self).first?.boards.map(\.owner.window) == [2, 1, 3])
    }
}
