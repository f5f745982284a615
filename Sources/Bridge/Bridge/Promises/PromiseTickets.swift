package import BridgeServer
package import BridgeState
package import LinuxSystem
package import PasteboardWire

/// The tickets with which clients fulfill or break promises that they were asked for: `Keep`, `Break` and `Progress`.
package final class PromiseTickets {
    private var promises: [String: Promise] = [:]
    private var count = 0

    /// The maximum number of Unicode scalars of a client's reason for a broken promise. A character may have any number
    /// of scalars.
    private static let maxReasonLength = 1_000

    package init() {}

    /// Returns a ticket for a promise that the client is asked for now.
    package func issue(for promise: Promise) -> String {
        promises = promises.filter { $0.value.isOpen }
        count += 1
        let ticket = String(count)
        promises[ticket] = promise
        return ticket
    }

    /// Fulfills a promise. Returns the promise, whose pasteboards may be complete now.
    package func fulfill(
        _ parameters: Methods.Keep.Parameters, uploads: ClientTransfers, descriptors: [Descriptor]
    ) throws(BridgeError) -> Promise {
        // The bytes are checked before the ticket is used up: a client that sends unusable bytes may try again.
        let promise = try promise(of: parameters.ticket)
        let bytes = try Draft.bytes(parameters.bytes, uploads: uploads, descriptors: descriptors)
        promises[parameters.ticket] = nil
        promise.fulfill(with: bytes)
        return promise
    }

    /// Breaks a promise for the client's reason.
    package func `break`(_ parameters: Methods.Break.Parameters) throws(BridgeError) {
        let promise = try promise(of: parameters.ticket)
        promises[parameters.ticket] = nil
        let message = String(
            String.UnicodeScalarView(parameters.message.unicodeScalars.prefix(Self.maxReasonLength)))
        let reason = message.isEmpty ? "" : ": \(message)"
        promise.fail("the program that promised these bytes cannot give them\(reason)")
    }

    /// Records that bytes of a promise arrived or are on their way, so that readers that wait for them are not timed
    /// out.
    package func noteProgress(of ticket: String) throws(BridgeError) { try promise(of: ticket).noteProgress() }

    /// Records that bytes have been appended to an upload for a promise.
    func noteUpload(_ bytes: [UInt8], to writer: MemoryFileWriter, for ticket: String) {
        // The promise may have been voided, which `Keep` will report.
        promises[ticket]?.noteUpload(bytes, to: writer)
    }

    private func promise(of ticket: String) throws(BridgeError) -> Promise {
        guard let promise = promises[ticket], promise.isOpen else {
            throw BridgeError(.invalidBytes, "'\(ticket)' is not the ticket of a requested promise")
        }
        return promise
    }
}

extension Service {
    /// Hands a call the promises of a pasteboard that their own call can no longer keep.
    func renewPromises(of pasteboard: PasteboardState, by promises: PromiseSet) {
        let wasIncomplete = pasteboard.isIncomplete
        for promise in pasteboard.version?.promises ?? [] { promises.renew(promise) }
        // Links pass the completion on, as they passed on the contents.
        if wasIncomplete, !pasteboard.isIncomplete { notifier.sharedStateChanged(pasteboard) }
    }

    func fulfillPromise(
        _ parameters: Methods.Keep.Parameters, of client: Client, descriptors: [Descriptor]
    ) throws(BridgeError) {
        let promise = try promiseTickets.fulfill(
            parameters, uploads: client.transfers, descriptors: descriptors)
        // The last promise makes contents complete.
        for pasteboard in registry.all
        where pasteboard.version?.promises.contains(where: { $0 === promise }) ?? false {
            persistence.storeLate(pasteboard)
        }
    }
}

extension Service {
    /// Notifies links of contents whose promises were broken.
    func promisesBroke() {
        for pasteboard in registry.all where pasteboard.isIncomplete { notifier.sharedStateChanged(pasteboard) }
    }
}
