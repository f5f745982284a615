import Bridge
import EventLoop
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct ShutdownTests {
    /// - Parameter manager: Who has the role of the clipboard manager.
    private func fixture(
        display: String = ":0", manager: OwnershipTracker.Owner = .foreign(WindowID(7))
    ) throws -> ServiceFixture {
        let fixture = try ServiceFixture(display: display)
        fixture.give(ClipboardManagerProtocol.selection, to: manager)
        fixture.succeed()
        return fixture
    }

    private func write(_ fixture: ServiceFixture, options: WireOptions? = nil) throws {
        let client = try fixture.client()
        try client.set(.text(on: "general", options: options))
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
    }

    /// Whether the bridge may end.
    private final class End {
        var hasCome = false
    }

    private func windUp(_ fixture: ServiceFixture) -> End {
        let end = End()
        fixture.service.isLeaving = true
        fixture.executor.start { [service = fixture.service] in
            await service.prepareShutdown()
            end.hasCome = true
        }
        fixture.succeed()
        return end
    }

    @Test("What is on the clipboard is handed to the clipboard manager, and the bridge ends when that has it")
    func handedOver() throws {
        let fixture = try fixture()
        try write(fixture)
        fixture.isManagerSilent = true
        let end = windUp(fixture)
        let targets = try #require(fixture.handedOver.first)
        #expect(Set(["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"]).isSubset(of: targets))
        #expect(!targets.contains("COMPOUND_TEXT"))
        #expect(!end.hasCome)
        fixture.standStill(.seconds(2))
        #expect(!end.hasCome)
        fixture.standStill(.seconds(4))
        #expect(end.hasCome)
        #expect(fixture.handedOver.count == 1)
    }

    @Test("A manager that takes the contents, or refuses them, lets the bridge end", arguments: [true, false])
    func answered(takes: Bool) throws {
        let fixture = try fixture()
        try write(fixture)
        fixture.doesManagerTake = takes
        #expect(windUp(fixture).hasCome)
        #expect(fixture.handedOver.count == 1)
    }

    @Test("Nothing is handed over where the bridge is the manager itself, or nobody is")
    func noOther() throws {
        for owner in [OwnershipTracker.Owner.ours(OfferID(99)), .none] {
            let fixture = try fixture(manager: owner)
            try write(fixture)
            #expect(windUp(fixture).hasCome)
            #expect(fixture.handedOver.isEmpty)
        }
    }

    @Test("Nothing is handed over on a display of another machine")
    func forwarded() throws {
        let fixture = try fixture(display: "localhost:10.0")
        try write(fixture)
        #expect(windUp(fixture).hasCome)
        #expect(fixture.handedOver.isEmpty)
    }

    @Test("Nothing is handed over of what another program has, or nobody")
    func notOurs() throws {
        let fixture = try fixture()
        #expect(windUp(fixture).hasCome)
        fixture.give("CLIPBOARD", to: .foreign(WindowID(8)))
        #expect(windUp(fixture).hasCome)
        #expect(fixture.handedOver.isEmpty)
    }

    @Test(
        "What goes by itself is not handed over",
        arguments: [WireOptions(once: true), WireOptions(memory: true), WireOptions(expires: 60_000)])
    func lifetimes(options: WireOptions) throws {
        let fixture = try fixture()
        try write(fixture, options: options)
        #expect(windUp(fixture).hasCome)
        #expect(fixture.handedOver.isEmpty)
    }

    @Test("What is for this machine only is handed over on its own display")
    func localOnly() throws {
        let fixture = try fixture()
        try write(fixture, options: WireOptions(localOnly: true))
        _ = windUp(fixture)
        #expect(fixture.handedOver.count == 1)
    }

    @Test("What was promised is asked for first, and handed over when it is there")
    func promised() throws {
        let fixture = try fixture()
        let (client, keeper) = (try fixture.client(), try fixture.client())
        try client.promise(.promising(on: "general"))
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        let end = windUp(fixture)
        #expect(!end.hasCome && fixture.handedOver.isEmpty)
        let wanted = try #require(try client.replies(to: Methods.Set.self).compactMap(\.wanted).first)
        try keeper.call(
            Methods.Keep.self, .init(ticket: wanted.ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: 1)),
            descriptors: [try MemoryFile.containing([0x61]).descriptor])
        fixture.succeed()
        #expect(end.hasCome)
        #expect(fixture.handedOver.first?.contains("UTF8_STRING") == true)
    }

    @Test("A promise that is not kept holds the end up for its time only, and ends it once")
    func unkept() throws {
        let fixture = try fixture(manager: .none)
        let client = try fixture.client()
        try client.promise(.promising(on: "general"))
        fixture.succeed()
        var ends = 0
        fixture.executor.start { [service = fixture.service] in
            await service.awaitPromises(within: .seconds(2))
            ends += 1
        }
        for body in fixture.executor.timers.takeDue(at: .now + .seconds(1)) { body() }
        #expect(ends == 0)
        for body in fixture.executor.timers.takeDue(at: .now + .seconds(3)) { body() }
        #expect(ends == 1)
        client.close()
        #expect(ends == 1)
    }

    @Test("A promise whose program goes is not waited for any longer")
    func broken() throws {
        let fixture = try fixture(manager: .none)
        let client = try fixture.client()
        try client.promise(.promising(on: "general"))
        fixture.succeed()
        let end = windUp(fixture)
        #expect(!end.hasCome)
        client.close()
        #expect(end.hasCome)
    }

    @Test("Promises that end with the bridge are not asked for")
    func promisedForNow() throws {
        let fixture = try fixture(manager: .none)
        let (client, other) = (try fixture.client(), try fixture.client())
        try client.promise(.promising(on: "com.example.session"))
        try other.promise(.promising(on: "general", options: WireOptions(once: true)))
        fixture.succeed()
        #expect(windUp(fixture).hasCome)
    }
}
