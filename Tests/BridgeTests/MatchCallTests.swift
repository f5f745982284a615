import Bridge
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct MatchCallTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        client = try fixture.client()
    }

    private func match(_ types: [String], items: [Int]? = nil) throws -> [Int]? {
        try client.call(Methods.Match.self, .init(pasteboard: "general", types: types, items: items))
        fixture.succeed()
        return try client.nextReply(to: Methods.Match.self)?.items
    }

    private func error(_ body: () throws -> Void) -> BridgeError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? BridgeError)?.code
        }
    }

    @Test("A type that Get would derive counts as a match, and the owner's bytes are not read to find out")
    func derived() throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .text("<b>a</b>"))]))
        #expect(try match(["text"]) == [0])
        #expect(try match(["image"]) == [])
        #expect(try match(["image", "public.html"]) == [0])
        #expect(fixture.asked.allSatisfy { $0 == "TARGETS" })
    }

    @Test("A declared type matches, whichever program declared it, and an unknown type does not")
    func declared() throws {
        fixture.copy(ForeignProgram(offers: [("application/x-tile", .text("{}"))]))
        #expect(try match(["org.example.tile"]) == [])
        let declaration = WireTypeDeclaration(
            identifier: "org.example.tile", conformsTo: ["public.json"], mimeTypes: ["application/x-tile"],
            extensions: [], targets: [])
        try client.call(Methods.Declare.self, .init(types: [declaration]))
        _ = try client.replies(to: Methods.Declare.self)
        #expect(try match(["org.example.tile"]) == [0])
        #expect(try match(["public.json"]) == [0])
    }

    @Test("The search can be restricted to items, and the numbers are in ascending order")
    func items() throws {
        func item(_ type: String) -> WireNewItem {
            WireNewItem(representations: [
                WireNewRepresentation(type: type, bytes: WireBytes(descriptor: 0, offset: 0, length: 1))
            ])
        }
        try client.set(
            .init(pasteboards: ["general"], items: [item("public.html"), item("public.png"), item("public.html")]))
        fixture.succeed()
        _ = try client.replies(to: Methods.Set.self)
        #expect(try match(["public.html"]) == [0, 2])
        #expect(try match(["public.html"], items: [2, 1, 2]) == [2])
        #expect(error { _ = try match(["public.html"], items: [3]) } == .noSuchItem)
    }

    @Test("Each file of a list is an item")
    func files() throws {
        fixture.copy(ForeignProgram(offers: [("text/uri-list", .text("file:///a\r\nfile:///b\r\n"))]))
        #expect(try match(["files"]) == [0, 1])
        #expect(try match(["image"]) == [])
    }

    @Test("Bad calls are errors")
    func bad() throws {
        #expect(error { _ = try match(["text"]) } == .empty)
        fixture.copy(.text("a"))
        #expect(error { _ = try match([]) } == .invalidType)
        #expect(error { _ = try match(["TARGETS"]) } == .invalidType)
        #expect(error { _ = try match(["text"], items: [-1]) } == .noSuchItem)
    }
}
