import Bridge
import BridgeState
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Testing

/// Contents that were removed on purpose and that another program puts back.
@Suite struct RemovedContentsTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient
    private let pasteboard: PasteboardState

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        client = try fixture.client()
        pasteboard = try #require(fixture.pasteboard("general"))
    }

    private static let options = [
        WireOptions(concealed: true), WireOptions(once: true), WireOptions(expires: 3_600_000),
    ]

    /// Sets the text "a".
    private func set(_ options: WireOptions?) throws {
        let secret = try unsafe [0x61].withUnsafeBytes { try SecretMemory.copying(unsafe $0.bytes) }
        let bytes =
            options?.concealed == true
            ? try secret.pipe(in: 0..<secret.length) : try MemoryFile.containing([0x61]).descriptor
        try client.call(Methods.Set.self, .text(on: "general", options: options), descriptors: [bytes])
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        #expect(pasteboard.version?.options.concealed == (options?.concealed ?? false))
    }

    private func clear() throws {
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        fixture.succeed()
        _ = try client.replies(to: Methods.Clear.self)
    }

    /// Copies text as another program, and returns true if the text is captured.
    private func captures(_ text: String) -> Bool {
        fixture.copy(.text(text))
        fixture.pass(.milliseconds(400))
        return pasteboard.captured != nil
    }

    @Test(
        "Removed contents are not captured, with or without spaces around them; other contents are captured",
        arguments: options)
    func putBack(options: WireOptions) throws {
        try set(options)
        try clear()
        #expect(!captures("a"))
        let capture = fixture.service.captures.status(of: [pasteboard]).first
        #expect(
            capture?.reason == "it was removed before, as a secret or after its time, and a program has put it back")
        #expect(pasteboard.stored.contents == nil)
        #expect(!captures(" a\n"))
        #expect(captures("b"))
        #expect(!captures("a"))
    }

    @Test(
        "Ordinary contents are captured again, and so are expiring contents that were replaced early",
        arguments: [false, true])
    func ordinary(isTemporary: Bool) throws {
        try set(isTemporary ? WireOptions(expires: 3_600_000) : nil)
        if !isTemporary { try clear() }
        #expect(captures("b"))
        #expect(captures("a"))
    }

    @Test("Removed contents are remembered for ten minutes")
    func lifetime() throws {
        try set(WireOptions(concealed: true))
        let version = try #require(pasteboard.version)
        var removed = RemovedContents()
        let now = ContinuousClock.now
        removed.note(version, isReplaced: false, now: now)
        #expect(removed.contains(version, now: now + .seconds(599)))
        #expect(!removed.contains(version, now: now + .seconds(600)))
    }

    @Test("A secret is remembered after it is replaced")
    func replaced() throws {
        try set(WireOptions(concealed: true))
        #expect(captures("b"))
        #expect(!captures("a"))
    }

    @Test("Contents that a program has put back are lost without a report when the program ends")
    func lost() throws {
        try set(WireOptions(concealed: true))
        try clear()
        #expect(!captures("a"))
        fixture.die()
        #expect(fixture.service.captures.losses.isEmpty)
        #expect(pasteboard.isEmpty)
    }
}
