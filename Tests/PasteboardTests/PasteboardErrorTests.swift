import Pasteboard
import PasteboardModel
import PasteboardWire
import Testing

@Suite struct PasteboardErrorTests {
    @Test("Every error that crosses the wire has a code in the library", arguments: BridgeError.Code.allCases)
    func codes(code: BridgeError.Code) {
        let error = PasteboardError(wire: BridgeError(code, "why", types: ["a.b"], count: 7))
        #expect(error.message == "why")
        #expect(error.context == .init(types: ["a.b"], count: 7))
    }

    @Test("A name that other programs depend on is refused, and a malformed name is invalid")
    func names() {
        #expect(throws: PasteboardError.self) { try Pasteboard(name: "WM_S0") }
        let refused = #expect(throws: PasteboardError.self) { try Pasteboard(name: "CLIPBOARD_MANAGER") }
        #expect(refused?.code == .refused)
        let slip = #expect(throws: PasteboardError.self) { try Pasteboard(name: "scratch") }
        #expect(slip?.code == .invalidName)
    }

    @Test("A pasteboard can be opened by any of its names")
    func pasteboards() throws {
        #expect(try Pasteboard(name: "CLIPBOARD") == .general)
        #expect(try Pasteboard(name: "primary") == .find)
        #expect(try Pasteboard(name: "com.example.x").name == "com.example.x")
    }
}
