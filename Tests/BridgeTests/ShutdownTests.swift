import Bridge
import EventLoop
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct ShutdownTests {
    /// - Parameter manager: The holder of the clipboard manager's role.
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

    /// The state of the preparation of a shutdown.
    private final class End {
        var hasCome = false
    }

    private func prepareShutdown(_ fixture: ServiceFixture) -> End {
        let end = End()
        fixture.service.lifetime.isLeaving = true
        fixture.executor.start { [service = fixture.service] in
            await service.prepareShutdown()
            end.hasCome = true
        }
        fixture.succeed()
        return end
    }

    @Test("The clipboard's contents are handed over to the clipboard manager before the bridge ends")
    func handedOver() throws {
        let fixture = try fixture()
        try write(fixture)
        fixture.isManagerSilent = true
        let start = ContinuousClock.now
        let end = prepareShutdown(fixture)
        let targets = try #require(fixture.handedOver.first)
        #expect(Set(["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"]).isSubset(of: targets))
        #expect(!targets.contains("COMPOUND_TEXT"))
        #expect(!end.hasCome)
        fixture.expire(at: start + .seconds(2))
        #expect(!end.hasCome)
        fixture.expire(.seconds(4))
        #expect(end.hasCome)
        #expect(fixture.handedOver.count == 1)
    }

    @Test("The bridge ends when the manager has taken the contents, or refused them", arguments: [true, false])
    func answered(takes: Bool) throws {
        let fixture = try fixture()
        try write(fixture)
        fixture.managerAccepts = takes
        #expect(prepareShutdown(fixture).hasCome)
        #expect(fixture.handedOver.count == 1)
    }

    @Test("Nothing is handed over if the bridge is the manager, or there is no manager")
    func noOther() throws {
        for owner in [OwnershipTracker.Owner.ours(OfferID(99)), .none] {
            let fixture = try fixture(manager: owner)
            try write(fixture)
            #expect(prepareShutdown(fixture).hasCome)
            #expect(fixture.handedOver.isEmpty)
        }
    }

    @Test("Nothing is handed over on the display of another machine")
    func forwarded() throws {
        let fixture = try fixture(display: "localhost:10.0")
        try write(fixture)
        #expect(prepareShutdown(fixture).hasCome)
        #expect(fixture.handedOver.isEmpty)
    }

    @Test("Nothing is handed over if another program or nobody owns the clipboard")
    func notOurs() throws {
        let fixture = try fixture()
        #expect(prepareShutdown(fixture).hasCome)
        fixture.give("CLIPBOARD", to: .foreign(WindowID(8)))
        #expect(prepareShutdown(fixture).hasCome)
        #expect(fixture.handedOver.isEmpty)
    }

    @Test(
        "Contents with an expiry, for one paste, or in memory only are not handed over",
        arguments: [WireOptions(once: true), WireOptions(memory: true), WireOptions(expires: 60_000)])
    func lifetimes(options: WireOptions) throws {
        let fixture = try fixture()
        try write(fixture, options: options)
        #expect(prepareShutdown(fixture).hasCome)
        #expect(fixture.handedOver.isEmpty)
    }

    @Test("Local-only contents are handed over on the display of this machine")
    func localOnly() throws {
        let fixture = try fixture()
        try write(fixture, options: WireOptions(localOnly: true))
        _ = prepareShutdown(fixture)
        #expect(fixture.handedOver.count == 1)
    }

    @Test("Promises are requested first, and handed over once they are fulfilled")
    func promised() throws {
        let fixture = try fixture()
        let (client, keeper) = (try fixture.client(), try fixture.client())
        try client.promise(.promising(on: "general"))
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        let end = prepareShutdown(fixture)
        #expect(!end.hasCome && fixture.handedOver.isEmpty)
        let wanted = try #require(try client.replies(to: Methods.Set.self).compactMap(\.wanted).first)
        try keeper.call(
            Methods.Keep.self, .init(ticket: wanted.ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: 1)),
            descriptors: [try MemoryFile.containing([0x61]).descriptor])
        fixture.succeed()
        #expect(end.hasCome)
        #expect(fixture.handedOver.first?.contains("UTF8_STRING") == true)
    }

    @Test("An unfulfilled promise delays the end until its timeout, and the end comes once")
    func unkept() throws {
        let fixture = try fixture(manager: .none)
        let client = try fixture.client()
        try client.promise(.promising(on: "general"))
        fixture.succeed()
        var ends = 0
        let start = ContinuousClock.now
        fixture.executor.start { [service = fixture.service] in
            await service.awaitPromises(within: .seconds(2))
            ends += 1
        }
        for body in fixture.executor.timers.takeDue(at: start + .seconds(1)) { body() }
        #expect(ends == 0)
        for body in fixture.executor.timers.takeDue(at: .now + .seconds(3)) { body() }
        #expect(ends == 1)
        client.close()
        #expect(ends == 1)
    }

    @Test("A promise whose program has gone no longer delays the end")
    func broken() throws {
        let fixture = try fixture(manager: .none)
        let client = try fixture.client()
        try client.promise(.promising(on: "general"))
        fixture.succeed()
        let end = prepareShutdown(fixture)
        #expect(!end.hasCome)
        client.close()
        #expect(end.hasCome)
    }

    @Test("Promises of contents that are not stored are not requested")
    func promisedForNow() throws {
        let fixture = try fixture(manager: .none)
        let (client, other) = (try fixture.client(), try fixture.client())
        try client.promise(.promising(on: "com.example.session"))
        try other.promise(.promising(on: "general", options: WireOptions(once: true)))
        fixture.succeed()
        #expect(prepareShutdown(fixture).hasCome)
    }
}
