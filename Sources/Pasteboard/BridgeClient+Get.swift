package import LinuxSystem
import PasteboardWire

/// A representation that was read: its bytes are a range of a file that nobody can change, or of a secret.
package struct FetchedRepresentation: Sendable {
    package let count: Int
    package let item: Int
    package let type: String
    package let target: String?
    package let bytes: HeldBytes
    package let range: Range<Int>
    /// It was captured of an owner that does not answer now.
    package let isStale: Bool
}

extension BridgeClient {
    /// - Parameters:
    ///   - types: In the order of preference; none means text if there is text, else the first representation.
    ///   - exact: Only what is there, nothing made of it.
    ///   - stale: What was captured of an owner that does not answer will do.
    ///   - entry: Of the history, in place of the pasteboard.
    ///   - watching: Because of a change, which is no paste.
    package func get(
        pasteboard: String, types: [String] = [], item: Int? = nil, exact: Bool = false, stale: Bool = false,
        entry: Int? = nil, watching: Bool = false
    ) throws(PasteboardError) -> FetchedRepresentation {
        let parameters = Methods.Get.Parameters(
            pasteboard: pasteboard, types: types.isEmpty ? nil : types, item: item, exact: exact ? true : nil,
            timeout: timeoutMilliseconds, descriptors: true, stale: stale ? true : nil, entry: entry,
            watching: watching ? true : nil)
        return try representation(try call(Methods.Get.self, parameters, isLong: true))
    }

    /// What a `Get` gives that was made on the connection before.
    package func awaitedRepresentation() throws(PasteboardError) -> FetchedRepresentation {
        try representation(try reply(to: Methods.Get.self, isLong: true))
    }

    private func representation(
        _ found: (reply: Methods.Get.Reply, descriptors: [Descriptor])
    ) throws(PasteboardError) -> FetchedRepresentation {
        let (reply, descriptors) = found
        var files = ReceivedFiles(descriptors)
        let (bytes, range) = try files.part(reply.bytes)
        return FetchedRepresentation(
            count: reply.count, item: reply.item, type: reply.type, target: reply.target, bytes: bytes,
            range: range, isStale: reply.stale ?? false)
    }
}
