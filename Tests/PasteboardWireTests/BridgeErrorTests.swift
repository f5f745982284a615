import Testing

@testable import PasteboardWire

struct BridgeErrorTests {
    @Test("An error crosses the wire unchanged", arguments: BridgeError.Code.allCases)
    func crosses(code: BridgeError.Code) throws {
        let error = BridgeError(
            code, "a message", types: code == .noSuchType ? ["a.b"] : nil, count: code == .countMismatch ? 3 : nil,
            reason: code == .refused ? "limit-transfers" : nil)
        let message = try WireCoding.encode(
            OutgoingReply(error: error.fullName, parameters: WireErrorParameters(error)))
        let reply = try WireCoding.decode(IncomingReply<NoParameters>.self, from: Array(message.dropLast()))
        #expect(throws: error) { try reply.outcome.get() }
    }

    @Test("The required members of an error are on the wire, even if it was made without them")
    func complete() {
        #expect(WireErrorParameters(BridgeError(.noSuchType, "m")).types == [])
        #expect(WireErrorParameters(BridgeError(.countMismatch, "m")).count == 0)
    }
}
