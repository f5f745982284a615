import Bridge
import BridgeServer
import BridgeState
import LinuxSystem
import PasteboardWire
import Testing

@Suite struct PromiseTicketsTests {
    private let tickets = PromiseTickets()
    private let uploads = ClientTransfers(limits: WireLimits())

    private func promise(_ name: String = "1") -> Promise { Promise(name: name, ask: { _ in }, onEnd: { _ in }) }

    private func fulfill(_ ticket: String, length: Int = 1) throws -> Promise {
        let file = try MemoryFile.containing([7])
        return try tickets.fulfill(
            .init(ticket: ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: length)), uploads: uploads,
            descriptors: [file.descriptor])
    }

    @Test("A ticket fulfills its promise, once")
    func fulfilled() throws {
        let (first, second) = (promise(), promise("2"))
        let (ticket, other) = (tickets.issue(for: first), tickets.issue(for: second))
        #expect(ticket != other)
        #expect(try fulfill(ticket) === first)
        #expect(try first.bytes?.file.bytes(in: 0..<1) == [7])
        #expect(second.isOpen)
        #expect(throws: BridgeError.self) { try fulfill(ticket) }
    }

    @Test("A client that sends invalid bytes may use its ticket again")
    func again() throws {
        let promise = promise()
        let ticket = tickets.issue(for: promise)
        #expect(throws: BridgeError.self) { try fulfill(ticket, length: 2) }
        #expect(promise.isOpen)
        #expect(try fulfill(ticket) === promise)
    }

    @Test("A ticket breaks its promise, with a reason of limited length")
    func broken() throws {
        let promise = promise()
        let ticket = tickets.issue(for: promise)
        try tickets.break(.init(ticket: ticket, message: String(repeating: "a\u{301}", count: 100_000)))
        #expect(!promise.isOpen && promise.bytes == nil)
        #expect(throws: BridgeError.self) { try tickets.break(.init(ticket: ticket, message: "")) }
    }

    @Test("The ticket of a promise that has ended is unknown")
    func ended() throws {
        let promise = promise()
        let ticket = tickets.issue(for: promise)
        promise.fail("gone")
        let error = #expect(throws: BridgeError.self) { try fulfill(ticket) }
        #expect(error?.code == .invalidBytes)
    }
}
