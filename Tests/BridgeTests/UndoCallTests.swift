import Bridge
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

    @Test("Copies of a program because of one event of its user are undone together")
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
}
