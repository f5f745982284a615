import PasteboardWire
import Testing

struct BridgeErrorTests {
    @Test("An error crosses the wire unchanged", arguments: BridgeError.Code.allCases)
    func crosses(code: BridgeError.Code) throws {
        let error = BridgeError(
            code, "a message", types: code == .noSuchType ? ["a.b"] : nil, count: code == .countMismatch ? 3 : nil,
            reason: code == .refused ? "limit-transfers" : nil)
        let reply = try reply { $0.fail(error) }
        #expect(throws: error) { try reply.decode(Methods.Count.self) }
    }

    @Test("The required members of an error are on the wire, even if it was made without them")
    func complete() throws {
        let noType = try reply { $0.fail(BridgeError(.noSuchType, "m")) }
        #expect(throws: BridgeError(.noSuchType, "m", types: [])) { try noType.decode(Methods.Count.self) }
        let mismatch = try reply { $0.fail(BridgeError(.countMismatch, "m")) }
        #expect(throws: BridgeError(.countMismatch, "m", count: 0)) { try mismatch.decode(Methods.Count.self) }
    }
}
