import Bridge
import BridgeState
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct SelectionOwnershipTests {
    @Test("Removed pasteboards are no longer watched by the X thread")
    func unwatched() throws {
        let fixture = try ServiceFixture(display: ":0")
        for _ in 0..<3 {
            let client = try fixture.client()
            try client.call(Methods.Create.self, .init())
            fixture.succeed()
            let name = try #require(try client.replies(to: Methods.Create.self).first?.pasteboard)
            #expect(fixture.watched == [name])
            try client.set(.text(on: name))
            fixture.succeed()
            client.close()
            fixture.succeed()
            #expect(fixture.watched.isEmpty)
        }
        #expect(fixture.withdrawn.count == 3)
    }

    @Test("The release at the bridge's end is not a change: the contents are available when the bridge restarts")
    func released() throws {
        let fixture = try ServiceFixture(display: ":0")
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        fixture.succeed()
        let pasteboard = try #require(fixture.pasteboard("general"))
        fixture.service.ownership.releaseAll()
        fixture.report(.changed(selection: "CLIPBOARD", .init(owner: .none, isDeath: false)))
        #expect(pasteboard.count == 1 && pasteboard.version != nil)
        fixture.report(.changed(selection: "CLIPBOARD", .init(owner: .foreign(WindowID(9)), isDeath: false)))
        #expect(pasteboard.count == 2 && pasteboard.version == nil)
    }

    @Test("The release for a removed pasteboard is not a step of the next pasteboard of that name")
    func noStep() throws {
        let fixture = try ServiceFixture()
        let client = try fixture.client()
        try client.set(.text(on: "com.example.a"))
        try client.call(Methods.Remove.self, .init(pasteboard: "com.example.a"))
        let pasteboard = try fixture.service.pasteboardToWrite(PasteboardName(validating: "com.example.a"))
        fixture.report(.changed(selection: "com.example.a", .init(owner: .none, isDeath: false)))
        #expect(pasteboard.count == 2)
    }
}
