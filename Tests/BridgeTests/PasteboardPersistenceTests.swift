import Bridge
import BridgeState
import Configuration
import PasteboardModel
import PasteboardStore
import PasteboardWire
import SelectionProtocol
import Testing

@Suite(.timeLimit(.minutes(10))) struct PasteboardPersistenceTests {
    private let stored: StoredService
    private var client: ServiceClient { stored.client }

    init() throws { stored = try StoredService() }

    private func error(_ body: () throws -> Void) -> BridgeError.Code? {
        (#expect(throws: BridgeError.self) { try body() })?.code
    }

    /// Pauses the history: new contents are not listed, and are stored only while they are on a pasteboard.
    private func pause() throws { _ = try stored.call(Methods.PauseHistory.self, .init(paused: true)) }

    @Test("No count is reported again after a restart, even if more pasteboards are removed than are remembered")
    func forgottenCounts() throws {
        let name = "com.example.app"
        for text in ["a", "b", "c"] { try stored.set(text, on: name) }
        _ = try stored.call(Methods.Remove.self, .init(pasteboard: name))
        for _ in 1...1_024 {
            let made = try #require(try stored.call(Methods.Create.self, .init())).pasteboard
            _ = try stored.call(Methods.Remove.self, .init(pasteboard: made))
        }
        let next = try stored.ended()
        try next.set("d", on: name)
        #expect(try next.pasteboard(name).count > 4)
        #expect(try next.pasteboard().count == 0)
    }

    @Test("Undo does not bring deleted contents back, even after the bridge has ended", arguments: [true, false])
    func deleted(isKilled: Bool) throws {
        try stored.set("a")
        try stored.set("b")
        _ = try stored.call(Methods.ClearHistory.self, .init(pasteboard: nil))
        let next = isKilled ? try stored.killed() : try stored.ended()
        #expect(try next.text() == "b")
        try next.set("c")
        #expect(try next.pasteboard().undo.undoable.isEmpty)
        #expect(try next.ended().pasteboard().undo.undoable.isEmpty)
    }

    @Test("Contents without any bytes are stored like other contents, but are not an entry of the history")
    func empty() throws {
        stored.fixture.service.settings.configuration.forgetEmptied = 0
        try stored.set("a")
        let empty = WireNewRepresentation(
            type: "public.utf8-plain-text", bytes: WireBytes(descriptor: 0, offset: 0, length: 0))
        let parameters = Methods.Set.Parameters(
            pasteboards: ["general"], items: [WireNewItem(representations: [empty])])
        try stored.begin(Methods.Set.self, parameters, bytes: "a")
        try stored.settle()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[2]])
        #expect(try stored.history().map(\.preview) == ["a"])
        let next = try stored.killed()
        #expect(try next.text() == "")
        #expect(try next.history().map(\.preview) == ["a"])
    }

    // MARK: Between storing and owning

    @Test("The program that wrote restored contents is known, but its process is not")
    func restoredOwner() throws {
        try stored.set("a")
        let before = try #require(try stored.call(Methods.GetOwner.self, .init(pasteboard: "general"))).owner
        let next = try stored.ended()
        let after = try #require(try next.call(Methods.GetOwner.self, .init(pasteboard: "general"))).owner
        #expect(after.kind == .client && after.process == nil)
        #expect(before.process != nil && before.program != nil && after.program == before.program)
    }

    @Test("Unlisted contents are stored even if another program copies during the write")
    func overtaken() throws {
        try pause()
        try stored.begin("a")
        stored.fixture.copy(.text("foreign"))
        try stored.settle()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[2]])
        #expect(try stored.killed().text() == "a")
    }

    @Test("Unlisted contents are stored even if the history is cleared during the write")
    func clearedMeanwhile() throws {
        try stored.set("a")
        let entry = try #require(try stored.history().first).id.number
        try pause()
        try stored.begin("b")
        let other = try stored.other()
        try stored.begin(Methods.ClearHistory.self, .init(pasteboard: nil), by: other)
        try stored.store()
        try stored.settle()
        #expect(try client.replies(to: Methods.Set.self).count == 1)
        #expect(try stored.killed().text() == "b")
        #expect(error { _ = try stored.call(Methods.Restore.self, .init(entry: entry)) } == .noSuchEntry)
    }

    @Test("A redo is stored even if another program copies during the redo")
    func overtakenUndo() throws {
        try pause()
        for text in ["a", "b", "c"] { try stored.set(text) }
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general"))
        try stored.begin(Methods.Redo.self, .init(pasteboard: "general"))
        // The contents were read, and are being written.
        try stored.receive()
        stored.fixture.copy(.text("foreign"))
        try stored.settle()
        #expect(try client.replies(to: Methods.Redo.self).count == 1)
        #expect(try stored.killed().text() == "c")
    }

    @Test("Contents that lose the selection are not listed, and do not return after a crash")
    func lost() throws {
        try stored.set("a")
        stored.fixture.losesClaims = true
        try stored.begin("b")
        // The contents are stored in advance, and the X server refuses the claim while the store is blocked.
        try stored.store()
        stored.block()
        stored.fixture.succeed()
        #expect(try client.replies(to: Methods.Set.self).isEmpty)
        try stored.unblock()
        #expect(error { _ = try client.replies(to: Methods.Set.self) } == .refused)
        #expect(try stored.history().map(\.preview) == ["a"])
        let next = try stored.killed()
        #expect(try next.text() == "a")
        #expect(try next.history().map(\.preview) == ["a"])
    }

    @Test("When contents lose the selection, equal contents stay in the history")
    func lostEqual() throws {
        for text in ["a", "b"] { try stored.set(text) }
        stored.fixture.losesClaims = true
        try stored.begin("a")
        try stored.settle()
        #expect(error { _ = try client.replies(to: Methods.Set.self) } == .refused)
        let lines = try stored.history()
        #expect(Set(lines.map(\.preview)) == ["a", "b"] && lines.allSatisfy { $0.copies == 1 })
    }

    @Test("Contents appended to a promise that is fulfilled during the write are stored with the promised bytes")
    func appendedToPromise() throws {
        try client.promise(.promising(on: "general"))
        try stored.settle()
        let version = try #require(try stored.pasteboard().version)
        try stored.begin("b", append: true, by: try stored.other())
        let ticket = stored.service.promiseTickets.issue(for: try #require(version.promises.first))
        try stored.begin(
            Methods.Keep.self, .init(ticket: ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: 1)), bytes: "a",
            by: try stored.other())
        #expect(try stored.pasteboard().version?.id == version.id)
        try stored.settle()
        #expect(try stored.killed().items() == 2)
    }

    @Test("A clear that cannot be stored is not acknowledged, even if the store fails before the X thread answers")
    func clearNotStored() throws {
        try stored.set("a")
        stored.refuseAll()
        try stored.begin(Methods.Clear.self, .init(pasteboards: ["general"]))
        // The X thread reports the change before its answer, and the store fails in between.
        stored.fixture.give("CLIPBOARD", to: .none)
        try stored.store()
        try stored.settle()
        #expect(error { _ = try client.replies(to: Methods.Clear.self) } == .notStored)
    }

    // MARK: Captured

    @Test(
        "A second capture at the owner's end is the same copy, and is stored if it contains more",
        arguments: [true, false])
    func capturedTwice(hasMore: Bool) throws {
        let more: [(String, ForeignProgram.Answer)] = hasMore ? [("application/pdf", .text("pdf"))] : []
        stored.fixture.copy(ForeignProgram(offers: [("UTF8_STRING", .text("foreign"))] + more))
        stored.fixture.pass()
        try stored.settle()
        let first = try #require(try stored.history().first)
        stored.fixture.capture(everythingOn: try stored.pasteboard()) { #expect($0) }
        try stored.settle()
        let lines = try stored.history()
        #expect(lines.map(\.preview) == ["foreign"] && lines.map(\.copies) == [1])
        #expect(lines.first.map { $0.id > first.id } == hasMore)
        #expect(try stored.killed().text() == "foreign")
    }

    // MARK: Deleting

    @Test("Deleted contents stay on their pasteboard, and cannot be restored")
    func deletedPresent() throws {
        try stored.set("a")
        let entry = try #require(try stored.history().first).id.number
        #expect(try stored.call(Methods.DeleteEntries.self, .init(entries: [entry]))?.deleted == 1)
        #expect(try stored.text() == "a")
        try stored.set("b")
        #expect(error { _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general")) } == .empty)
        #expect(error { _ = try stored.call(Methods.Restore.self, .init(entry: entry)) } == .noSuchEntry)
    }

    @Test("Contents that are deleted during an undo cannot be restored by another undo")
    func deletedMeanwhile() throws {
        for text in ["a", "b", "c"] { try stored.set(text) }
        let entry = try #require(try stored.history().last).id.number
        try stored.begin(Methods.Undo.self, .init(pasteboard: "general"))
        let other = try stored.other()
        try stored.begin(Methods.DeleteEntries.self, .init(entries: [entry]), by: other)
        try stored.settle()
        #expect(try stored.text() == "b")
        #expect(error { _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general")) } == .empty)
    }

    @Test(
        "A deletion is not answered until undo can no longer restore the contents, even after a crash",
        arguments: [true, false])
    func deletionKept(isAll: Bool) throws {
        for text in ["a", "b"] { try stored.set(text) }
        let entry = try #require(try stored.history().last).id.number
        if isAll {
            try stored.begin(Methods.ClearHistory.self, .init(pasteboard: nil))
        } else {
            try stored.begin(Methods.DeleteEntries.self, .init(entries: [entry]))
        }
        stored.block()
        stored.thread.receive()
        #expect(try client.replies(to: Methods.DeleteEntries.self).isEmpty)
        try stored.unblock()
        #expect(try client.replies(to: Methods.DeleteEntries.self).count == 1)
        let next = try stored.killed()
        #expect(error { _ = try next.call(Methods.Undo.self, .init(pasteboard: "general")) } == .empty)
    }

    // MARK: An app's own pasteboards

    @Test("A pasteboard whose contents cannot be stored does not become persistent")
    func notPersistent() throws {
        try stored.set("a", on: "com.example.a")
        try stored.refuseContents()
        let call = { try stored.call(Methods.Persist.self, .init(pasteboard: "com.example.a", persistent: true)) }
        #expect(error { _ = try call() } == .notStored)
        #expect(error { _ = try call() } == .notStored)
    }

    @Test("A pasteboard that becomes persistent during a write is stored with the written contents")
    func persistentMeanwhile() throws {
        try stored.set("a", on: "com.example.a")
        try stored.begin("b", on: "com.example.a")
        let other = try stored.other()
        try stored.begin(Methods.Persist.self, .init(pasteboard: "com.example.a", persistent: true), by: other)
        try stored.settle()
        #expect(try stored.killed().text(on: "com.example.a") == "b")
    }

    @Test("Counts continue after a shutdown, even for removed pasteboards")
    func counts() throws {
        for _ in 0..<3 {
            for name in ["com.example.a", "com.example.b"] { try stored.set("a", on: name) }
        }
        _ = try stored.call(Methods.Remove.self, .init(pasteboard: "com.example.b"))
        let next = try stored.ended()
        #expect(try next.call(Methods.Count.self, .init(pasteboard: "com.example.a"))?.count == 3)
        #expect(try next.call(Methods.Count.self, .init(pasteboard: "com.example.b"))?.count == 4)
    }

    @Test("Counts do not decrease after a crash, however often a pasteboard is removed")
    func removals() throws {
        for _ in 0..<1_100 {
            _ = try stored.call(Methods.Create.self, .init(pasteboard: "com.example.a"))
            _ = try stored.call(Methods.Remove.self, .init(pasteboard: "com.example.a"))
        }
        let count = try #require(
            try stored.killed().call(Methods.Count.self, .init(pasteboard: "com.example.a"))?.count)
        #expect(count >= 1_100)
    }
}
