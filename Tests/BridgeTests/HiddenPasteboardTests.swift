import Bridge
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct HiddenPasteboardTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient
    private let name = "com.example.scratch"

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        client = try fixture.client()
        try client.call(Methods.Create.self, .init(pasteboard: name, hidden: true))
        fixture.succeed()
        _ = try client.replies(to: Methods.Create.self)
    }

    @Test("The contents of a hidden pasteboard can be read and replaced, and the X server never learns of them")
    func contents() throws {
        #expect(!fixture.watched.contains(name))
        for count in 1...2 {
            try client.set(.text(on: name))
            fixture.succeed()
            #expect(try client.replies(to: Methods.Set.self).map(\.counts) == [[count]])
        }
        try client.call(Methods.Get.self, .init(pasteboard: name))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Get.self).first?.type == "public.utf8-plain-text")
        #expect(!fixture.claimed.contains(name))
        try client.call(Methods.Clear.self, .init(pasteboards: [name]))
        fixture.succeed()
        #expect(try client.replies(to: Methods.Clear.self).map(\.counts) == [[3]])
    }

    @Test("The list says that a hidden pasteboard is hidden")
    func listed() throws {
        try client.call(Methods.List.self, .init())
        fixture.succeed()
        let boards = try #require(try client.replies(to: Methods.List.self).first?.boards)
        #expect(boards.first { $0.name == name }?.hidden == true)
        #expect(boards.first { $0.name == "general" }?.hidden == nil)
    }

    @Test("A hidden pasteboard ends with its client")
    func ends() throws {
        try client.set(.text(on: name))
        fixture.succeed()
        client.close()
        fixture.succeed()
        #expect(fixture.pasteboard(name) == nil)
    }

    @Test("A hidden pasteboard cannot be persistent, and a visible pasteboard cannot become hidden")
    func refused() throws {
        func error<M: WireMethod>(_ method: M.Type, _ parameters: M.Parameters) throws -> BridgeError? {
            try client.call(method, parameters)
            fixture.succeed()
            do {
                _ = try client.replies(to: method)
                return nil
            } catch let error as BridgeError {
                return error
            }
        }
        #expect(try error(Methods.Create.self, .init(pasteboard: "general", hidden: true))?.code == .refused)
        let persistent = try error(
            Methods.Create.self, .init(pasteboard: "com.example.other", persistent: true, hidden: true))
        #expect(persistent?.code == .refused)
    }
}
