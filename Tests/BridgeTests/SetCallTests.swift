import Bridge
import BridgeState
import EventLoop
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing

@Suite struct SetCallTests {
    @Test(
        "Local-only contents are offered on this machine's display, but not on another machine's display",
        arguments: [(":0", true), ("localhost:10", false)])
    func localOffer(display: String, isOffered: Bool) throws {
        let fixture = try ServiceFixture(display: display)
        let client = try fixture.client()
        try client.set(.text(on: "general", options: WireOptions(localOnly: true)))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[1]])
        #expect(fixture.claimed.contains("CLIPBOARD") == isOffered)
    }

    @Test("Local-only contents of a bridge with a forwarded display can be cleared")
    func clearUnseen() throws {
        let fixture = try ServiceFixture(display: "localhost:10")
        let client = try fixture.client()
        try client.set(.text(on: "general", options: WireOptions(localOnly: true)))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[1]])
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Clear.self).map(\.counts) == [[2]])
        #expect(fixture.pasteboard("general")?.isEmpty == true)
    }

    @Test("Local-only contents of a bridge with a forwarded display expire")
    func expireUnseen() throws {
        let fixture = try ServiceFixture(display: "localhost:10")
        let client = try fixture.client()
        try client.set(.text(on: "general", options: WireOptions(expires: 60_000, localOnly: true)))
        fixture.succeed()
        #expect(fixture.pasteboard("general")?.isEmpty == false)
        for body in fixture.executor.timers.takeDue(at: .now + .seconds(61)) { body() }
        fixture.succeed()
        #expect(fixture.pasteboard("general")?.isEmpty == true)
    }

    @Test("A clear is one step, and clearing again is not a step")
    func clearTwice() throws {
        let fixture = try ServiceFixture(display: ":0")
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        fixture.succeed()
        for _ in 0..<2 {
            try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
            fixture.succeed()
        }
        _ = try client.replies(to: Methods.Set.self)
        #expect(fixture.pasteboard("general")?.count == 2)
    }

    @Test("A write to a pasteboard that is removed during the write does not reach the next pasteboard of that name")
    func madeAgain() throws {
        let fixture = try ServiceFixture(display: ":0")
        let (owner, writer) = (try fixture.client(), try fixture.client())
        try owner.call(Methods.Create.self, .init(pasteboard: "com.example.a"))
        fixture.succeed()
        try writer.set(.text(on: "com.example.a"))
        fixture.catchUp()
        owner.close()
        let pasteboard = try fixture.service.pasteboardToWrite(PasteboardName(validating: "com.example.a"))
        fixture.succeed()
        #expect(throws: BridgeError.self) { try writer.replies(to: Methods.Set.self) }
        #expect(pasteboard.isEmpty && pasteboard.count == 1)
        #expect(fixture.withdrawn.count == 1)
    }

    @Test("A removal that waits for a write does not reach the next pasteboard of that name")
    func removedMeanwhile() throws {
        let fixture = try ServiceFixture(display: ":0")
        let (owner, writer, remover) = (try fixture.client(), try fixture.client(), try fixture.client())
        try owner.call(Methods.Create.self, .init(pasteboard: "com.example.a"))
        fixture.succeed()
        try writer.set(.text(on: "com.example.a"))
        fixture.catchUp()
        try remover.call(Methods.Remove.self, .init(pasteboard: "com.example.a"))
        fixture.catchUp()
        owner.close()
        let pasteboard = try fixture.service.pasteboardToWrite(PasteboardName(validating: "com.example.a"))
        fixture.succeed()
        #expect(throws: BridgeError.self) { try remover.replies(to: Methods.Remove.self) }
        #expect(!pasteboard.isRemoved)
    }

    @Test("A write to a pasteboard that is removed during the write owns no selection")
    func removedForGood() throws {
        let fixture = try ServiceFixture(display: ":0")
        let (owner, writer) = (try fixture.client(), try fixture.client())
        try owner.call(Methods.Create.self, .init(pasteboard: "com.example.a"))
        fixture.succeed()
        try writer.set(.text(on: "com.example.a"))
        fixture.catchUp()
        owner.close()
        fixture.succeed()
        #expect(throws: BridgeError.self) { try writer.replies(to: Methods.Set.self) }
        #expect(fixture.withdrawn.count == 1)
    }

    @Test("A write does not wait while another call extends a silent program's contents; that call then reads again")
    func besideSilentOwner() throws {
        let fixture = try ServiceFixture(display: ":0")
        let (adder, writer) = (try fixture.client(), try fixture.client())
        fixture.copy(ForeignProgram(offers: [("UTF8_STRING", .later)]))
        fixture.succeed()
        var addition = Methods.Set.Parameters.text(on: "general")
        addition.append = true
        try adder.set(addition)
        fixture.succeed()
        try writer.set(.text(on: "general"))
        fixture.succeed()
        #expect(try writer.replies(to: Methods.Set.self).map(\.counts) == [[2]])
        fixture.answer("UTF8_STRING", .failure(.ownerReplaced))
        fixture.succeed()
        #expect(try adder.replies(to: Methods.Set.self).map(\.counts) == [[3]])
        #expect(fixture.pasteboard("general")?.version?.contents.items.count == 2)
    }

    @Test("A writer that waits too long for another writer fails, and changes nothing later")
    func behindWriter() throws {
        let fixture = try ServiceFixture(display: ":0")
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        let pasteboard = try #require(fixture.pasteboard("general"))
        let end = PendingValue<Void>()
        fixture.executor.start { await pasteboard.writing.withLock { await end.get() } }
        try client.set(.text(on: "general"))
        fixture.succeed()
        fixture.pass(.seconds(6))
        #expect(throws: BridgeError.self) { try client.replies(to: Methods.Set.self) }
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        fixture.pass(.seconds(12))
        #expect(throws: BridgeError.self) { try client.replies(to: Methods.Clear.self) }
        end.deliver(())
        fixture.succeed()
        #expect(pasteboard.count == 1 && !pasteboard.isEmpty)
    }

    @Test("A client that ends while it waits for a writer gives up its write, its clear or its undo")
    func endedBehindWriter() throws {
        let fixture = try ServiceFixture(display: ":0")
        let client = try fixture.client()
        for _ in 1...2 {
            try client.set(.text(on: "general"))
            fixture.succeed()
        }
        let pasteboard = try #require(fixture.pasteboard("general"))
        let end = PendingValue<Void>()
        fixture.executor.start { await pasteboard.writing.withLock { await end.get() } }
        let impatient = try (0..<4).map { _ in try fixture.client() }
        try impatient[0].set(.text(on: "general"))
        try impatient[1].call(Methods.Clear.self, .init(pasteboards: ["general"]))
        try impatient[2].call(Methods.Undo.self, .init(pasteboard: "general"))
        var appending = Methods.Set.Parameters.text(on: "general")
        appending.append = true
        try impatient[3].set(appending)
        fixture.succeed()
        for client in impatient { client.close() }
        fixture.succeed()
        end.deliver(())
        fixture.succeed()
        #expect(pasteboard.count == 2 && !pasteboard.isEmpty)
    }

    @Test("A write returns the count of its own step, even if other steps follow")
    func ownCount() throws {
        let fixture = try ServiceFixture(display: ":0")
        let client = try fixture.client()
        fixture.rival = WindowID(7)
        try client.set(.text(on: "general"))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[1]])
        #expect(fixture.pasteboard("general")?.count == 2)
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Clear.self).map(\.counts) == [[3]])
        #expect(fixture.pasteboard("general")?.count == 4)
    }
}
