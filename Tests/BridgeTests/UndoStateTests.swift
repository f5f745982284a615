import Bridge
import BridgeState
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite(.timeLimit(.minutes(10))) struct UndoStateTests {
    private func state(of stored: StoredService, on name: String = "general") throws -> WireUndoState? {
        try stored.call(Methods.GetUndoState.self, .init(pasteboard: name))?.undo
    }

    @Test("The state contains the numbers of undoable and redoable changes, and the names of the next")
    func state() throws {
        let stored = try StoredService()
        #expect(try state(of: stored) == WireUndoState(undoable: 0, redoable: 0))
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.action = "Paste Tile"
        for text in ["a", "b"] {
            try stored.begin(Methods.Set.self, parameters, bytes: text)
            try stored.settle()
        }
        _ = try stored.client.replies(to: Methods.Set.self)
        #expect(try state(of: stored) == WireUndoState(undoable: 1, redoable: 0, undoAction: "Paste Tile"))
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general"))
        #expect(try state(of: stored) == WireUndoState(undoable: 0, redoable: 1, redoAction: "Paste Tile"))
    }

    @Test("The list contains what each change would restore, next change first, even after a restart")
    func list() throws {
        let stored = try StoredService()
        for text in ["a", "b", "c"] { try stored.set(text) }
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general"))
        func check(_ stored: StoredService) throws {
            let list = try #require(try stored.call(Methods.ListUndo.self, .init(pasteboard: "general")))
            #expect(list.undo.map(\.contents?.preview) == ["a"])
            #expect(list.redo.map(\.contents?.preview) == ["c"])
        }
        try check(stored)
        try check(try stored.killed())
    }

    @Test("A copy by another program is named after the program before it is captured")
    func foreign() throws {
        let fixture = try ServiceFixture(display: ":99")
        var program = ForeignProgram.text("a")
        fixture.copy(program)
        fixture.pass()
        program.process = 1
        fixture.copy(program)
        let client = try fixture.client()
        try client.call(Methods.GetUndoState.self, .init(pasteboard: "general"))
        fixture.succeed()
        let state = try #require(try client.nextReply(to: Methods.GetUndoState.self))
        #expect(state.undo.undoAction?.hasPrefix("Copy from ") == true, "\(state)")
    }

    @Test("Watchers learn the state after each change, and whether undo or redo made it")
    func monitored() throws {
        let fixture = try ServiceFixture(display: ":99")
        let (watcher, client) = (try fixture.client(), try fixture.client())
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["general"]), more: true)
        for _ in 1...2 {
            try client.set(.text(on: "general"))
            fixture.succeed()
        }
        try client.call(Methods.Undo.self, .init(pasteboard: "general"))
        fixture.succeed()
        try client.call(Methods.Redo.self, .init(pasteboard: "general"))
        fixture.succeed()
        let replies = try watcher.replies(to: Methods.Monitor.self)
        #expect(replies.map(\.cause) == [.copy, .copy, .undo, .redo])
        #expect(replies.map(\.undo?.undoable) == [0, 1, 0, 1])
        #expect(replies.map(\.undo?.redoable) == [0, 0, 1, 0])
    }

    @Test("An app's own pasteboard has undo while it is persistent")
    func persistent() throws {
        let stored = try StoredService()
        let name = "com.example.board"
        _ = try stored.call(Methods.Create.self, .init(pasteboard: name, persistent: true))
        for text in ["a", "b"] { try stored.set(text, on: name) }
        #expect(try state(of: stored, on: name)?.undoable == 1)
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: name))
        #expect(try stored.text(on: name) == "a")
        let next = try stored.killed()
        #expect(try state(of: next, on: name)?.redoable == 1)
        _ = try next.call(Methods.Redo.self, .init(pasteboard: name))
        #expect(try next.text(on: name) == "b")
        _ = try next.call(Methods.Persist.self, .init(pasteboard: name, persistent: false))
        #expect(try state(of: next, on: name) == WireUndoState(undoable: 0, redoable: 0))
        #expect(try next.text(on: name) == "b")
    }

    @Test("A pasteboard that does not outlive the bridge has no undo")
    func session() throws {
        let stored = try StoredService()
        for text in ["a", "b"] { try stored.set(text, on: "com.example.scratch") }
        #expect(try state(of: stored, on: "com.example.scratch") == WireUndoState(undoable: 0, redoable: 0))
    }
}
