import Bridge
import BridgeState
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing

@Suite struct UndoCallTests {
    private let fixture: ServiceFixture
    private let pasteboard: PasteboardState

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        pasteboard = try #require(fixture.pasteboard("general"))
    }

    private func copy(_ text: String, window: UInt32 = 0x40_0001, event: UInt32) {
        fixture.copy(.text(text, window: window), event: ServerTime(event))
        fixture.pass()
    }

    @Test("A program's copies for one event of the user are undone together")
    func oneEvent() {
        copy("a", event: 10)
        copy("b", event: 20)
        copy("c", event: 20)
        copy("d", event: 20)
        #expect(pasteboard.undo.undoable.count == 1)
        copy("e", window: 0x60_0001, event: 20)
        #expect(pasteboard.undo.undoable.count == 2)
    }

    @Test("Undo and redo of another program's contents are steps of the count")
    func backAndForth() throws {
        copy("a", event: 10)
        copy("b", event: 20)
        let client = try fixture.client()
        try client.call(Methods.Undo.self, .init(pasteboard: "general"))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Undo.self).map(\.count) == [3])
        #expect(pasteboard.version != nil && pasteboard.undo.undoable.isEmpty && pasteboard.undo.redoable.count == 1)
        try client.call(Methods.Redo.self, .init(pasteboard: "general"))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Redo.self).map(\.count) == [4])
        #expect(pasteboard.undo.undoable.count == 1 && pasteboard.undo.redoable.isEmpty)
    }

    @Test("Undo names the contents that it skips, and restores the contents before them")
    func passes() throws {
        copy("a", event: 10)
        fixture.copy(ForeignProgram(offers: [("image/png", .failure(.silent))]), event: ServerTime(20))
        fixture.pass()
        try fixture.client().set(.text(on: "general"))
        fixture.succeed()
        let client = try fixture.client()
        try client.call(Methods.Undo.self, .init(pasteboard: "general"))
        fixture.succeed()
        let done = try #require(try client.nextReply(to: Methods.Undo.self))
        #expect(done.passed?.map(\.count) == [2])
        #expect(done.passed?.first?.reason == "image/png did not arrive within 5 s")
    }

    @Test("An undo with only uncaptured contents before it is an error that names the latest of them")
    func nothingElse() throws {
        fixture.copy(ForeignProgram(offers: [("image/png", .failure(.silent))]), event: ServerTime(20))
        fixture.pass()
        try fixture.client().set(.text(on: "general"))
        fixture.succeed()
        let client = try fixture.client()
        try client.call(Methods.Undo.self, .init(pasteboard: "general"))
        fixture.succeed()
        do {
            _ = try client.nextReply(to: Methods.Undo.self)
            Issue.record("something was undone")
        } catch let error as BridgeError {
            #expect(error.code == .empty)
            #expect(error.message.contains("count 1 could not be captured: image/png did not arrive"), "\(error)")
        }
    }

    @Test("Undo silently skips secrets, and repeated copies for one event of the user")
    func silent() throws {
        copy("a", event: 10)
        fixture.copy(.text("b"), event: ServerTime(20))
        fixture.copy(.text("b"), event: ServerTime(20))
        fixture.pass()
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("x")), ("x-kde-passwordManagerHint", .text("secret"))]),
            event: ServerTime(30))
        fixture.pass()
        copy("c", event: 40)
        let client = try fixture.client()
        for _ in 0..<2 {
            try client.call(Methods.Undo.self, .init(pasteboard: "general"))
            fixture.succeed()
            #expect(try #require(try client.nextReply(to: Methods.Undo.self)).passed == nil)
        }
    }
}
