import LinuxSystem
import PasteboardWire

/// What is promised: `Keep` and `Break`.
extension Service {
    /// A ticket for a promise that is wanted now.
    func issueTicket(for promise: Promise) -> String {
        tickets = tickets.filter { $0.value.isOpen }
        ticketCount += 1
        let ticket = String(ticketCount)
        tickets[ticket] = promise
        return ticket
    }

    func keep(
        _ parameters: Methods.Keep.Parameters, of client: ClientSession, descriptors: [Descriptor]
    ) throws(BridgeError) {
        // Looked at before the ticket is spent: who sends what cannot be used may try once more.
        let promise = try promise(of: parameters.ticket)
        let bytes = try Draft.bytes(parameters.bytes, uploads: client.transfers, descriptors: descriptors)
        tickets[parameters.ticket] = nil
        promise.keep(bytes)
        // The last of what was promised makes the contents whole.
        for board in table.all where board.version?.promises.contains(where: { $0 === promise }) ?? false {
            keepLate(board)
        }
    }

    func `break`(_ parameters: Methods.Break.Parameters) throws(BridgeError) {
        let promise = try promise(of: parameters.ticket)
        tickets[parameters.ticket] = nil
        // A character can be of any length, these cannot.
        let message = String(String.UnicodeScalarView(parameters.message.unicodeScalars.prefix(Self.longestReason)))
        let reason = message.isEmpty ? "" : ": \(message)"
        promise.break("the program that promised these bytes cannot give them\(reason)")
    }

    /// Of what a client says, in Unicode scalars.
    private static let longestReason = 1_000

    private func promise(of ticket: String) throws(BridgeError) -> Promise {
        guard let promise = tickets[ticket], promise.isOpen else {
            throw BridgeError(.invalidBytes, "'\(ticket)' is no ticket of a promise that is waited for")
        }
        return promise
    }
}
