import Bridge
import BridgeState
import Configuration
import EventLoop
import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing
import UniformTypes
import X11Bridge

/// Contents that may be pasted once, in a service.
@Suite struct PasteOnceTrackerTests {
    private static let window = WindowID(9)
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture(display: ":0")
        client = try fixture.client()
    }

    private func set(_ options: WireOptions = WireOptions(once: true), on name: String = "general") throws -> OfferID {
        try client.set(.text(on: name, options: options))
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        return try #require(fixture.pasteboard(name)?.version?.id)
    }

    private func paste(_ offer: OfferID) {
        fixture.report(.asked(offer, by: Self.window, process: nil))
        fixture.report(.pasted(offer, by: Self.window))
    }

    /// Lets time pass up to a moment.
    private func pass(until moment: ContinuousClock.Instant) {
        for body in fixture.executor.timers.takeDue(at: moment) { body() }
        fixture.succeed()
    }

    private func passAll() { pass(until: .now + .seconds(60)) }

    private var isEmpty: Bool? { fixture.pasteboard("general")?.isEmpty }

    @Test("Contents are removed a second after their paste, and the removal is a step")
    func goes() throws {
        let offer = try set()
        let before = ContinuousClock.now
        paste(offer)
        pass(until: before + .milliseconds(999))
        #expect(isEmpty == false)
        passAll()
        #expect(isEmpty == true && fixture.pasteboard("general")?.count == 2)
        #expect(fixture.withdrawn == [offer])
    }

    @Test("Transfers within that second are the same paste")
    func burst() throws {
        let offer = try set()
        for _ in 0..<5 { paste(offer) }
        _ = try get()
        passAll()
        #expect(fixture.pasteboard("general")?.count == 2)
        #expect(fixture.executor.timers.earliest == nil)
    }

    @Test("If pasted contents are replaced, the new contents are kept")
    func replaced() throws {
        let offer = try set()
        paste(offer)
        _ = try set(WireOptions())
        passAll()
        #expect(isEmpty == false && fixture.pasteboard("general")?.count == 2)
    }

    @Test("A paste that ends after newer contents have come does not remove the newer contents")
    func late() throws {
        let offer = try set()
        _ = try set()
        paste(offer)
        #expect(fixture.executor.timers.earliest == nil)
        passAll()
        #expect(isEmpty == false)
    }

    @Test("Contents without the option are kept after a paste")
    func usual() throws {
        let offer = try set(WireOptions())
        _ = try get()
        #expect(fixture.executor.timers.earliest == nil)
        fixture.report(.collected(offer))
        #expect(isEmpty == false)
    }

    @Test("The contents of each pasteboard are pasted independently")
    func severalPasteboards() throws {
        let other = try set(on: "find")
        paste(try set())
        passAll()
        #expect(isEmpty == true && fixture.pasteboard("find")?.version?.id == other)
    }

    // MARK: Clipboard managers

    @Test("A transfer to a clipboard manager does not count as a paste, and any other transfer does")
    func manager() throws {
        let offer = try set()
        let manager = WindowID(7)
        fixture.processes[manager] = getpid()
        fixture.give(ClipboardManagerProtocol.selection, to: .foreign(manager))
        fixture.succeed()
        fixture.report(.asked(offer, by: WindowID(8), process: getpid()), .pasted(offer, by: WindowID(8)))
        #expect(fixture.executor.timers.earliest == nil)
        paste(offer)
        passAll()
        #expect(isEmpty == true)
    }

    @Test("A program that the settings name counts as a manager")
    func configuredManager() throws {
        let offer = try set()
        fixture.service.settings.configuration.managers = [try #require(ProcessName.of(getpid()))]
        fixture.report(.asked(offer, by: Self.window, process: getpid()), .pasted(offer, by: Self.window))
        #expect(fixture.executor.timers.earliest == nil)
        #expect(isEmpty == false)
    }

    // MARK: Clients of the bridge

    private func get(_ type: String = "text") throws -> [Methods.Get.Reply] {
        try client.call(Methods.Get.self, .init(pasteboard: "general", types: [type], descriptors: true))
        fixture.succeed()
        return try client.replies(to: Methods.Get.self)
    }

    @Test("A read that a client makes because of a change, or to fulfill promises, does not count as a paste")
    func watching() throws {
        _ = try set()
        try client.call(
            Methods.Get.self, .init(pasteboard: "general", types: ["text"], descriptors: true, watching: true))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Get.self).count == 1)
        try client.call(Methods.Fetch.self, .init(pasteboard: "general", descriptors: true, watching: true), more: true)
        fixture.succeed()
        #expect(try client.replies(to: Methods.Fetch.self).count == 1)
        passAll()
        #expect(isEmpty == false)
        #expect(try get().count == 1)
        passAll()
        #expect(isEmpty == true)
    }

    @Test("A client's read counts as a paste", arguments: [false, true])
    func client(fetches: Bool) throws {
        _ = try set()
        if fetches {
            try client.call(Methods.Fetch.self, .init(pasteboard: "general", descriptors: true), more: true)
            fixture.succeed()
            #expect(try client.replies(to: Methods.Fetch.self).count == 1)
        } else {
            #expect(try get().count == 1)
        }
        passAll()
        #expect(isEmpty == true)
    }

    @Test("A reader that gets an error has not pasted, and may ask again")
    func failedReply() throws {
        // A secret is passed by a descriptor only.
        let secret = try unsafe [UInt8(0x61)].withUnsafeBytes { try SecretMemory.copying(unsafe $0.bytes) }
        let options = WireOptions(once: true, concealed: true)
        try client.call(
            Methods.Set.self, .text(on: "general", options: options), descriptors: [try secret.pipe(in: 0..<1)])
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        try client.call(Methods.Get.self, .init(pasteboard: "general", timeout: 1_000))
        fixture.succeed()
        #expect(throws: BridgeError.self) { try client.replies(to: Methods.Get.self) }
        passAll()
        #expect(isEmpty == false)
        try client.call(Methods.Get.self, .init(pasteboard: "general", timeout: 1_000, descriptors: true))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Get.self).count == 1)
        passAll()
        #expect(isEmpty == true)
    }

    @Test("A list of types, or a request for an unavailable type, does not count as a paste")
    func looks() throws {
        _ = try set()
        try client.call(Methods.Describe.self, .init(pasteboard: "general", lengths: true, targets: true))
        fixture.succeed()
        _ = try client.replies(to: Methods.Describe.self)
        #expect(throws: BridgeError.self) { try get("public.png") }
        #expect(fixture.executor.timers.earliest == nil)
    }

    @Test("The paste or the expiry removes contents, whichever comes first")
    func expires() throws {
        paste(try set(WireOptions(expires: 3_600_000, once: true)))
        passAll()
        #expect(isEmpty == true && fixture.service.expiry.expiries.isEmpty)
        _ = try set(WireOptions(expires: 1, once: true))
        passAll()
        #expect(isEmpty == true && fixture.pasteboard("general")?.count == 4)
    }
}

/// The tracker without a service.
@Suite struct PasteOnceTrackerAloneTests {
    private final class Spent {
        var versions: [OfferID] = []
    }

    private let fixture: VersionFixture
    private let tracker: PasteOnceTracker
    private let spent = Spent()
    private let window = WindowID(9)

    init() throws {
        fixture = try VersionFixture()
        tracker = PasteOnceTracker(timers: fixture.executor.timers)
        tracker.onSpent = { [spent] version, _, _ in spent.versions.append(version) }
    }

    private func runTimers() { fixture.runTimers(until: .now + .seconds(60)) }

    @Test("Several transfers of a version are one paste")
    func once() throws {
        let version = try fixture.write(to: fixture.pasteboard(), options: ContentsOptions(once: true))
        tracker.noteRequest(for: version.id, by: window, isManager: false)
        for _ in 0..<3 { tracker.noteTransfer(of: version, by: window, in: fixture.registry) }
        #expect(spent.versions.isEmpty)
        runTimers()
        #expect(spent.versions == [version.id])
    }

    @Test("A transfer to a manager's window is not a paste, until another program has that window")
    func manager() throws {
        let version = try fixture.write(to: fixture.pasteboard(), options: ContentsOptions(once: true))
        tracker.noteRequest(for: version.id, by: window, isManager: true)
        tracker.noteTransfer(of: version, by: window, in: fixture.registry)
        #expect(fixture.executor.timers.earliest == nil)
        tracker.noteRequest(for: version.id, by: window, isManager: false)
        tracker.noteTransfer(of: version, by: window, in: fixture.registry)
        #expect(fixture.executor.timers.earliest != nil)
    }

    @Test("A transfer of a version that is on no pasteboard is not a paste")
    func replaced() throws {
        let version = try fixture.write(to: fixture.pasteboard(), options: ContentsOptions(once: true))
        try fixture.write(to: fixture.pasteboard())
        tracker.noteTransfer(of: version, by: window, in: fixture.registry)
        #expect(fixture.executor.timers.earliest == nil)
    }

    @Test("A client's read is a paste if it reads more than marks, and the contents may be pasted once")
    func reads() throws {
        let pasteboard = try fixture.pasteboard()
        let lasting = try fixture.write(to: pasteboard)
        tracker.noteRead([.utf8PlainText], of: lasting, on: pasteboard, isManager: false)
        let version = try fixture.write(to: pasteboard, options: ContentsOptions(once: true))
        tracker.noteRead([.concealed], of: version, on: pasteboard, isManager: false)
        tracker.noteRead([.utf8PlainText], of: version, on: pasteboard, isManager: true)
        #expect(fixture.executor.timers.earliest == nil)
        tracker.noteRead([.concealed, .utf8PlainText], of: version, on: pasteboard, isManager: false)
        runTimers()
        #expect(spent.versions == [version.id])
    }
}
