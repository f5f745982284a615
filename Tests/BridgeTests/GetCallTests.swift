import Bridge
import PasteboardWire
import SelectionProtocol
import Testing

/// Reads of another program's contents.
@Suite struct GetCallTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        client = try fixture.client()
    }

    private static let html = ForeignProgram(offers: [("text/html", .text("<b>a</b>"))])

    /// - Returns: The target of the reply.
    private func get(_ types: String...) throws -> String? {
        try client.call(Methods.Get.self, .init(pasteboard: "general", types: types, descriptors: true))
        fixture.succeed()
        return try client.replies(to: Methods.Get.self).first?.target
    }

    @Test("An owner is asked for its list once, by a reader or a capture, and for its bytes each time")
    func once() throws {
        fixture.copy(.text("a"))
        for _ in 0..<2 { #expect(try get("text") == "UTF8_STRING") }
        #expect(fixture.asked == ["TARGETS", "UTF8_STRING", "UTF8_STRING"])
        fixture.copy(.text("b"))
        fixture.pass()
        #expect(try get("text") == "UTF8_STRING")
        #expect(fixture.asked[3...] == ["TARGETS", "UTF8_STRING", "UTF8_STRING"])
    }

    @Test("A new owner is asked for its list, and so is an owner that takes the selection again")
    func anew() throws {
        fixture.copy(.text("a"))
        #expect(try get("text") == "UTF8_STRING")
        for _ in 0..<2 {
            fixture.copy(Self.html)
            #expect(try get("html") == "text/html")
        }
        #expect(fixture.asked == ["TARGETS", "UTF8_STRING", "TARGETS", "text/html", "TARGETS", "text/html"])
    }

    @Test("An owner that refuses its targets, or lists no wanted target, is asked for its list again")
    func changed() throws {
        fixture.copy(.text("a"))
        #expect(try get("text") == "UTF8_STRING")
        fixture.programs["CLIPBOARD"] = Self.html
        #expect(try get("html") == "text/html")
        #expect(fixture.asked[2...] == ["TARGETS", "text/html"])
        fixture.programs["CLIPBOARD"] = ForeignProgram(offers: [("UTF8_STRING", .text("a")), ("text/html", .refusal)])
        #expect(try get("html", "text") == "UTF8_STRING")
        #expect(fixture.asked[4...] == ["text/html", "TARGETS", "text/html", "UTF8_STRING"])
    }

    @Test("An owner without the type is asked for its list once")
    func absent() throws {
        fixture.copy(.text("a"))
        #expect(try get("text") == "UTF8_STRING")
        let error = #expect(throws: BridgeError.self) { try get("image/png") }
        #expect(error?.code == .noSuchType)
        #expect(fixture.asked[2...] == ["TARGETS"])
    }
}
