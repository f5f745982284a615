import Bridge
import BridgeState
import PasteboardModel
import PasteboardStore
import PasteboardWire
import Testing

/// A disk that does not answer, played by a blocked thread of the store.
@Suite(.timeLimit(.minutes(10))) struct StoreTimeoutTests {
    private let stored: StoredService
    private var client: ServiceClient { stored.client }

    init() throws {
        stored = try StoredService()
        try stored.set("a")
        stored.block()
    }

    /// Lets the timeout of a call pass.
    private func pass() { stored.fixture.pass(.seconds(6)) }

    private func error<M: WireMethod>(of method: M.Type) throws -> BridgeError {
        try #require(#expect(throws: BridgeError.self) { _ = try stored.client.replies(to: method) })
    }

    private func message<M: WireMethod>(of method: M.Type) throws -> String { try error(of: method).message }

    @Test("Contents that cannot be stored in time are refused, and nothing changes, even once the disk answers")
    func copy() throws {
        try stored.begin("b")
        #expect(try client.replies(to: Methods.Set.self).isEmpty)
        pass()
        #expect(try message(of: Methods.Set.self).contains("the disk does not answer"))
        #expect(try stored.text() == "a" && stored.pasteboard().count == 1)
        try stored.unblock()
        #expect(try stored.text() == "a" && stored.pasteboard().count == 1)
        #expect(try stored.history().map(\.preview) == ["a"])
        let next = try stored.killed()
        #expect(try next.text() == "a")
    }

    @Test("Later contents are refused at once, unless they stay in memory")
    func others() throws {
        try stored.begin("b")
        pass()
        _ = try message(of: Methods.Set.self)
        try stored.begin("c")
        let refusal = try error(of: Methods.Set.self)
        #expect(refusal.code == .refused && refusal.reason == BridgeError.storeReason)
        try stored.begin(
            Methods.Set.self, .text(on: "general", options: WireOptions(memory: true)), bytes: "d")
        stored.fixture.succeed()
        pass()
        #expect(try client.replies(to: Methods.Set.self).count == 1)
        #expect(try stored.text() == "d")
    }

    @Test("A write that waits only a few milliseconds does not keep later contents from being stored")
    func shortTimeout() throws {
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.timeout = 10
        try stored.begin(Methods.Set.self, parameters, bytes: "b")
        stored.fixture.pass(.milliseconds(20))
        #expect(try message(of: Methods.Set.self).contains("the disk does not answer"))
        try stored.begin("c")
        stored.fixture.succeed()
        #expect(try client.replies(to: Methods.Set.self).isEmpty)
        try stored.unblock()
        #expect(try client.replies(to: Methods.Set.self).count == 1)
        #expect(try stored.text() == "c")
    }

    @Test("The count that a write expects is checked again after the disk has answered, so a newer copy stays")
    func countAfterDisk() throws {
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.ifCount = 1
        try stored.begin(Methods.Set.self, parameters, bytes: "b")
        stored.fixture.copy(ForeignProgram(offers: [("UTF8_STRING", .text("theirs"))]))
        stored.fixture.succeed()
        try stored.unblock()
        #expect(try error(of: Methods.Set.self).code == .countMismatch)
        #expect(try stored.pasteboard().isForeign && stored.pasteboard().count == 2)
    }

    @Test("An undo starts over if a program copies while the contents to restore are being read")
    func undoAfterCopy() throws {
        try stored.unblock()
        try stored.set("b")
        let next = try stored.killed()
        next.block()
        try next.begin(Methods.Undo.self, .init(pasteboard: "general"))
        next.fixture.copy(ForeignProgram(offers: [("UTF8_STRING", .text("theirs"))]))
        next.fixture.succeed()
        try next.unblock()
        #expect(try next.client.replies(to: Methods.Undo.self).count == 1)
        #expect(try next.text() == "b")
    }

    @Test("Contents are stored again once the disk answers")
    func afterwards() throws {
        try stored.begin("b")
        pass()
        _ = try message(of: Methods.Set.self)
        try stored.unblock()
        try stored.set("c")
        #expect(try stored.history().map(\.preview) == ["c", "a"])
        #expect(try stored.killed().text() == "c")
    }

    @Test("An undo whose contents cannot be read ends in time, changes nothing later, and holds up no other writer")
    func undo() throws {
        try stored.unblock()
        try stored.set("b")
        let next = try stored.killed()
        next.block()
        try next.begin(Methods.Undo.self, .init(pasteboard: "general"))
        #expect(try next.client.replies(to: Methods.Undo.self).isEmpty)
        next.fixture.pass(.seconds(6))
        let error = #expect(throws: BridgeError.self) { try next.client.replies(to: Methods.Undo.self) }
        #expect(error?.message.contains("nothing was changed") == true)
        try next.begin(Methods.Set.self, .text(on: "general", options: WireOptions(memory: true)), bytes: "d")
        next.fixture.pass(.seconds(6))
        #expect(try next.client.replies(to: Methods.Set.self).count == 1)
        try next.unblock()
        try next.settle()
        #expect(try next.text() == "d" && next.pasteboard().undo.undoable.count == 2)
    }

    @Test("If another client writes while the contents of an undo or a redo are being read, the call starts over")
    func writingDuringUndo() throws {
        try stored.unblock()
        for text in ["b", "c"] { try stored.set(text) }
        _ = try stored.client.call(Methods.Undo.self, .init(pasteboard: "general"))
        try stored.settle()
        _ = try stored.client.replies(to: Methods.Undo.self)
        let next = try stored.killed()
        let other = try next.other()
        next.block()
        try next.begin(Methods.Undo.self, .init(pasteboard: "general"))
        try other.call(Methods.Redo.self, .init(pasteboard: "general"))
        let third = try next.other()
        try third.set(.text(on: "general", options: WireOptions(memory: true)))
        next.fixture.succeed()
        #expect(try third.replies(to: Methods.Set.self).count == 1)
        try next.unblock()
        try next.settle()
        #expect(try next.client.replies(to: Methods.Undo.self).map(\.steps) == [1])
        // Nothing can be redone after a change.
        #expect(throws: BridgeError.self) { try other.replies(to: Methods.Redo.self) }
    }

    @Test("A clear that is not stored takes effect, and its error says that it may come undone")
    func clear() throws {
        try stored.begin(Methods.Clear.self, .init(pasteboards: ["general"]))
        stored.fixture.succeed()
        #expect(try client.replies(to: Methods.Clear.self).isEmpty)
        pass()
        let error = #expect(throws: BridgeError.self) { try client.replies(to: Methods.Clear.self) }
        #expect(error?.code == .notStored && error?.message.contains("may come undone") == true)
        #expect(try stored.pasteboard().isEmpty)
        try stored.unblock()
        let next = try stored.killed()
        #expect(try next.pasteboard().isEmpty)
    }

    @Test("A call about the history times out, and a deletion is done once the disk answers")
    func history() throws {
        try client.call(Methods.History.self, .init(), more: true)
        pass()
        #expect(try message(of: Methods.History.self).contains("does not answer"))
        try stored.begin(Methods.ClearHistory.self, .init(pasteboard: nil))
        try stored.begin(Methods.PauseHistory.self, .init(paused: true), by: stored.other())
        pass()
        #expect(try message(of: Methods.ClearHistory.self).contains("once it does"))
        try stored.unblock()
        #expect(try stored.history().isEmpty)
        #expect(stored.service.store.isPaused)
    }
}
