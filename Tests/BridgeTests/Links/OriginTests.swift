import Bridge
import BridgeState
import LinuxSystem
import PasteboardModel
import PasteboardStore
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

/// Changes that links bring from other machines, under their origins.
@Suite struct OriginTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        client = try fixture.client()
    }

    private var pasteboard: PasteboardState? { fixture.pasteboard("general") }

    private func origin(_ time: Int, _ machine: String = "other") -> WireOrigin {
        WireOrigin(machine: machine, time: time)
    }

    @discardableResult
    private func set(_ origin: WireOrigin?) throws -> Int {
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.origin = origin
        try client.set(parameters)
        fixture.succeed()
        return try #require(try client.replies(to: Methods.Set.self).first?.counts.first)
    }

    private func clear(_ origin: WireOrigin?) throws -> Int {
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"], origin: origin))
        fixture.succeed()
        return try #require(try client.replies(to: Methods.Clear.self).first?.counts.first)
    }

    private func code(_ body: () throws -> Void) -> BridgeError.Code? {
        #expect(throws: BridgeError.self) { try body() }?.code
    }

    @Test("A later change is applied once, under its origin, and an earlier change is not applied")
    func order() throws {
        #expect(try set(origin(1_000)) == 1)
        #expect(pasteboard?.origin == ContentsOrigin(time: 1_000, machine: "other"))
        #expect(try set(origin(1_000)) == 1)
        #expect(code { _ = try set(origin(999)) } == .superseded)
        #expect(try set(origin(1_000, "zebra")) == 2)
        #expect(code { _ = try set(origin(1_000)) } == .superseded)
        #expect(try clear(origin(1_001)) == 3)
        #expect(pasteboard?.origin == ContentsOrigin(time: 1_001, machine: "other"))
        #expect(pasteboard?.isEmpty == true)
        #expect(try clear(origin(1_001)) == 3)
        #expect(code { _ = try clear(origin(1_000)) } == .superseded)
    }

    @Test("Clearing an empty pasteboard is not a step, but the origin of the clear is reported and kept")
    func emptyClear() throws {
        let watcher = try fixture.client()
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["general"], origins: true), more: true)
        #expect(try clear(origin(1_000)) == 0)
        let replies = try watcher.replies(to: Methods.Monitor.self)
        #expect(replies.map(\.count) == [0] && replies.map(\.origin?.time) == [1_000])
        #expect(code { _ = try set(origin(999)) } == .superseded)
        #expect(try set(origin(1_001)) == 1)
    }

    @Test("A local change is later than every change before it")
    func local() throws {
        let ahead = UnixTime.microseconds + 60_000_000
        try set(origin(ahead))
        try set(nil)
        let origin = try #require(pasteboard?.origin)
        #expect(origin.time > ahead && origin.machine == fixture.service.origins.machine)
        fixture.copy(.text("a"))
        #expect(try #require(pasteboard?.origin) > origin)
        #expect(code { _ = try set(self.origin(ahead)) } == .superseded)
    }

    @Test("Contents that the bridge finds when it attaches to a display are a local change")
    func found() throws {
        let watcher = try fixture.client()
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["general"], origins: true), more: true)
        #expect(try clear(origin(1_000)) == 0)
        fixture.report(.found(selection: "CLIPBOARD", .foreign(WindowID(7))))
        #expect(pasteboard?.count == 0 && pasteboard?.isEmpty == false)
        #expect(pasteboard?.origin.machine == fixture.service.origins.machine)
        #expect(code { _ = try set(origin(2_000)) } == .superseded)
        #expect(code { _ = try clear(origin(2_000)) } == .superseded)
        // A link that was already watching gets a report.
        let replies = try watcher.replies(to: Methods.Monitor.self)
        #expect(replies.map(\.origin?.machine) == ["other", fixture.service.origins.machine])
    }

    @Test("A program that copies while a copy or clear arrives from another machine keeps the selection")
    func unseen() throws {
        let ahead = UnixTime.microseconds + 60_000_000
        try set(origin(ahead))
        fixture.unseen = .foreign(WindowID(7))
        #expect(code { _ = try set(origin(ahead + 1_000_000)) } == .superseded)
        #expect(pasteboard?.count == 2 && pasteboard?.isEmpty == false && pasteboard?.version == nil)
        // The local copy counts as later, even though the other machine's clock is ahead.
        #expect(try #require(pasteboard?.origin) > ContentsOrigin(time: ahead + 1_000_000, machine: "other"))
        try set(nil)
        fixture.unseen = .foreign(WindowID(7))
        #expect(code { _ = try clear(origin(ahead + 9_000_000)) } == .superseded)
        #expect(pasteboard?.count == 4 && pasteboard?.isEmpty == false && pasteboard?.version == nil)
        #expect(try #require(pasteboard?.origin) > ContentsOrigin(time: ahead + 9_000_000, machine: "other"))
        // The same window may copy again.
        fixture.unseen = .foreign(WindowID(7))
        #expect(code { _ = try set(origin(ahead + 20_000_000)) } == .superseded)
        #expect(pasteboard?.count == 5 && pasteboard?.version == nil)
        #expect(try set(origin(ahead + 30_000_000)) == 6)
    }

    @Test("An owner without its own contents, such as the compositor, yields to a copy from another machine")
    func compositor() throws {
        try set(origin(1_000))
        fixture.unseen = .compositor(WindowID(9))
        #expect(try set(origin(2_000)) == 2)
        fixture.unseen = .compositor(WindowID(9))
        #expect(try clear(origin(3_000)) == 3)
        fixture.losesClaims = true
        #expect(code { _ = try set(origin(4_000)) } == .refused)
    }

    @Test("A program that copies while a copy from another machine is being stored keeps the selection")
    func stored() throws {
        let stored = try StoredService()
        try stored.set("a")
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.origin = origin(UnixTime.microseconds + 60_000_000)
        try stored.begin(Methods.Set.self, parameters, bytes: "b")
        stored.fixture.give("CLIPBOARD", to: .foreign(WindowID(7)))
        try stored.settle()
        #expect(code { _ = try stored.client.replies(to: Methods.Set.self) } == .superseded)
        #expect(try stored.pasteboard().version == nil && stored.pasteboard().count == 2)
        #expect(try stored.history().map(\.preview) == ["a"])
    }

    @Test("An origin far in the future is refused, so that it cannot advance the clock")
    func future() throws {
        #expect(code { _ = try set(origin(.max)) } == .refused)
        #expect(code { _ = try set(origin(UnixTime.microseconds + 3_600_000_000)) } == .refused)
        #expect(code { _ = try set(origin(-1)) } == .refused)
        #expect(code { _ = try set(origin(1, "")) } == .refused)
        #expect(pasteboard?.count == 0)
    }

    @Test("A watcher that asks for origins is sent the origins, and is told which contents must stay on the machine")
    func watched() throws {
        let watcher = try fixture.client()
        try watcher.call(
            Methods.Monitor.self, .init(pasteboards: ["general"], initial: true, types: true, origins: true), more: true
        )
        try set(origin(1_000))
        try client.set(.text(on: "general", options: WireOptions(localOnly: true)))
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        let replies = try watcher.replies(to: Methods.Monitor.self)
        #expect(replies.map(\.count) == [0, 1, 2])
        #expect(replies.map(\.origin?.time).prefix(2) == [0, 1_000])
        #expect(replies.map(\.withheld) == [nil, nil, true])
    }

    @Test("Broken promises are reported, and a set with the same origin renews them without a step")
    func renewed() throws {
        let watcher = try fixture.client()
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["general"], origins: true), more: true)
        let promised = Methods.Set.Parameters(
            pasteboards: ["general"],
            items: [WireNewItem(representations: [.init(type: "public.utf8-plain-text", promise: "0/0")])],
            origin: origin(1_000))
        let first = try fixture.client()
        try first.promise(promised)
        fixture.succeed()
        #expect(try first.replies(to: Methods.Set.self).map(\.counts) == [[1]])
        first.close()
        fixture.succeed()
        #expect(try watcher.replies(to: Methods.Monitor.self).map(\.incomplete) == [nil, true])
        try client.call(Methods.Get.self, .init(pasteboard: "general"))
        fixture.succeed()
        #expect(code { _ = try client.replies(to: Methods.Get.self) } == .promiseBroken)

        let second = try fixture.client()
        try second.promise(promised)
        fixture.succeed()
        #expect(try second.replies(to: Methods.Set.self).map(\.counts) == [[1]])
        // Links to other machines renew the promises there.
        #expect(try watcher.replies(to: Methods.Monitor.self).map(\.incomplete) == [nil])
        try client.call(Methods.Get.self, .init(pasteboard: "general"))
        fixture.succeed()
        let wanted = try #require(try second.replies(to: Methods.Set.self).first?.wanted)
        #expect(wanted.promise == "0/0")
        let keeper = try fixture.client()
        try keeper.call(
            Methods.Keep.self, .init(ticket: wanted.ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: 1)),
            descriptors: [try MemoryFile.containing([0x61]).descriptor])
        fixture.succeed()
        #expect(try client.replies(to: Methods.Get.self).map(\.count) == [1])
        #expect(pasteboard?.count == 1)
    }
}
