import Bridge
import BridgeState
import Configuration
import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardStore
import PasteboardWire
import Testing

/// Text that is replaced with empty text, as password tools do when a password's time is over.
@Suite(.timeLimit(.minutes(10))) struct ReplacedTextsTests {
    private let stored: StoredService

    init() throws { stored = try StoredService() }

    /// Copies text as a program, and lets the text be captured and stored.
    private func copy(_ text: String) throws {
        stored.fixture.copy(.text(text))
        stored.fixture.pass()
        try stored.settle()
    }

    /// Writes empty text as a client.
    private func setNothing(by client: ServiceClient? = nil) throws {
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.items[0].representations[0].bytes?.length = 0
        try stored.begin(Methods.Set.self, parameters, bytes: "", by: client)
        try stored.settle()
        #expect(try (client ?? stored.client).replies(to: Methods.Set.self).count == 1)
    }

    private func history() throws -> [String?] { try stored.history().map(\.preview) }

    @Test("Short text that empty text replaces is in neither the history nor undo, even after a crash")
    func forgotten() throws {
        try copy("first")
        try copy("pa55word")
        #expect(try history() == ["pa55word", "first"])
        try copy("")
        #expect(try history() == ["first"])
        #expect(try stored.pasteboard().undo.undoable.count == 1)
        let next = try stored.killed()
        #expect(try next.history().map(\.preview) == ["first"])
        #expect(try next.pasteboard().undo.undoable.count == 1)
    }

    @Test("A client's text that empty text replaces is forgotten too: a password tool may run xpb under another name")
    func ofClient() throws {
        try stored.set("1")
        try stored.set("p")
        try setNothing()
        #expect(try history() == ["1"])
        #expect(try stored.pasteboard().undo.undoable.count == 1)
        try copy("p")
        #expect(try history() == ["1"])
        // A clear is not an empty copy.
        try stored.set("k")
        _ = try stored.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        #expect(try history() == ["k", "1"])
    }

    @Test("Empty text that comes over a link removes nothing")
    func overLink() throws {
        try copy("kept")
        let link = try stored.fixture.link("other")
        try setNothing(by: link)
        #expect(try history() == ["kept"])
        #expect(try stored.pasteboard().undo.undoable.count == 1)
    }

    @Test("Text that an excepted program copies through xpb is not stored")
    func excepted() throws {
        let program = try #require(ProcessName.of(getpid()))
        stored.fixture.service.settings.configuration.captureExcept = [program]
        try stored.set("p")
        #expect(try stored.text() == "p")
        #expect(try history() == [])
        #expect(try stored.killed().pasteboard().isEmpty)
    }

    @Test("Forgotten text is not captured when a manager puts the text back")
    func putBack() throws {
        try copy("pa55word")
        try copy("")
        try copy("pa55word")
        #expect(try history() == [])
    }

    @Test("Text stays if the setting is 0, if it has several lines or is long, or if nonempty text replaces it")
    func kept() throws {
        try copy("one\ntwo")
        try copy("")
        let long = String(repeating: "x", count: 1_025)
        try copy(long)
        try copy("")
        try copy("a")
        try copy("b")
        stored.fixture.service.settings.configuration.forgetEmptied = 0
        try copy("")
        #expect(try history().count == 4)
    }
}
