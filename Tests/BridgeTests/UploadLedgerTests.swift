import FoundationEssentials
import PasteboardWire
import Testing
import TypeDatabase

@testable import Bridge

@Suite struct UploadLedgerTests {
    private static func ledger(program: Int, all: Int) -> UploadLedger {
        var limits = Configuration.Limits()
        limits.programBytes = program
        limits.transferBytes = all
        return UploadLedger(limits: limits)
    }

    @Test("A process has its share, and all have theirs")
    func shares() {
        let ledger = Self.ledger(program: 10, all: 15)
        #expect(ledger.add(10, of: 1) == nil)
        #expect(ledger.add(1, of: 1) == .programBytes)
        #expect(ledger.add(5, of: 2) == nil)
        #expect(ledger.add(1, of: 2) == .transferBytes)
        ledger.remove(3, of: 1)
        #expect(ledger.add(3, of: 2) == nil)
        #expect(ledger.bytes == 15 && ledger.bytes(of: 1) == 7 && ledger.bytes(of: 2) == 8)
    }

    @Test("What goes to and comes from programs of X11 takes from the same room")
    func whole() {
        var limits = Configuration.Limits()
        limits.transferBytes = 15
        let whole = TransferBytes()
        let ledger = UploadLedger(limits: limits, whole: whole)
        whole.setPeers(10)
        #expect(ledger.add(6, of: 1) == .transferBytes)
        #expect(ledger.add(5, of: 1) == nil && whole.uploaded == 5)
        ledger.remove(5, of: 1)
        #expect(whole.uploaded == 0)
    }

    @Test("Uploads of several connections of a process count together, until they are released or gone")
    func connections() throws {
        let ledger = Self.ledger(program: 4, all: 100)
        var refused: [Refusals.Reason] = []
        func client() -> ClientTransfers {
            ClientTransfers(limits: WireLimits(), ledger: ledger, process: 7) { refused.append($0) }
        }
        func upload(_ count: Int, by client: ClientTransfers) throws -> String {
            let handle = try client.begin().handle
            let data = Data(repeating: 0x61, count: count).base64EncodedString()
            _ = try client.append(.init(handle: handle, data: data))
            return handle
        }
        let (first, second) = (client(), client())
        let handle = try upload(3, by: first)
        #expect(throws: BridgeError.self) { try upload(2, by: second) }
        #expect(refused == [.programBytes])
        _ = try first.commit(handle)
        #expect(ledger.bytes == 3, "what is committed is still held")
        try first.release(handle)
        _ = try upload(4, by: second)
        #expect(ledger.bytes == 4)
        second.removeAll()
        #expect(ledger.bytes == 0 && ledger.bytes(of: 7) == 0)
    }
}
