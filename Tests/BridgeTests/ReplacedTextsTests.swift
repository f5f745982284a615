import Bridge
import BridgeState
import Configuration
import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardStore
import PasteboardWire
import Testing

/// Texts of programs that an empty text replaces, as password tools do when the time of a password is over.
@Suite(.timeLimit(.minutes(10))) struct ReplacedTextsTests {
    private let stored: StoredService

    init() throws { stored = try StoredService() }

    /// Copies a text by a program, and lets it be captured and stored.
    private func copy(_ text: String) throws {
        stored.fixture.copy(.text(text))
        stored.fixture.pass()
        try stored.settle()
    }

    /// Writes an empty text by a client.
    private func setNothing(by client: ServiceClient? = nil) throws {
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.items[0].representations[0].bytes?.length = 0
        try stored.begin(Methods.Set.self, parameters, bytes: "", by: client)
        try stored.settle()
        #expect(try (client ?? stored.client).replies(to: Methods.Set.self).count == 1)
    }

    private func history() throws -> [String?] { try stored.history().map(\.preview) }

    @Test("A short text that an empty one replaces is in neither the history nor undo, also after a crash")
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

    @Test("Such a text of a client is forgotten as well: a password tool may run xpb under another name")
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

    @Test("An empty text that comes over a link removes nothing")
    func overLink() throws {
        try copy("kept")
        let link = try stored.fixture.link("other")
        try setNothing(by: link)
        #expect(try history() == ["kept"])
        #expect(try stored.pasteboard().undo.undoable.count == 1)
    }

    @Test("A text that an excepted program copies through xpb is not stored")
    func excepted() throws {
        let program = try #require(ProcessName.of(getpid()))
        stored.fixture.service.settings.configuration.captureExcept = [program]
        try stored.set("p")
        #expect(try stored.text() == "p")
        #expect(try history() == [])
        #expect(try stored.killed().pasteboard().isEmpty)
    }

    @Test("A forgotten text is not captured when a manager puts it back")
    func putBack() throws {
        try copy("pa55word")
        try copy("")
        try copy("pa55word")
        #expect(try history() == [])
    }

    @Test("A text stays if the setting is 0, if it has several lines or is long, and if another text replaces it")
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
