import BridgeServer
import BridgeState
import PasteboardModel
import PasteboardWire

extension Service {
    /// Throws if the connection belongs to a link and the contents, together with contents of other pasteboards that
    /// came over the link, would hold too many bytes.
    func checkRoom(
        for contents: Draft, on pasteboard: PasteboardState, of client: Client
    ) throws(BridgeError) {
        guard let link = client.restriction else { return }
        // Representations may share bytes, but the store copies the bytes for each representation.
        var length = 0
        for representation in contents.contents.items.lazy.flatMap(\.representations) {
            let (sum, isTooMuch) = length.addingReportingOverflow(representation.range?.count ?? 0)
            if isTooMuch || sum > LinkTransfers.maxBytes { throw .tooLongForLink }
            length = sum
        }
        let others = registry.all.filter { $0 !== pasteboard }.compactMap(\.version)
        let backings = others.filter { $0.writer.link == link.name }.flatMap(\.backings) + contents.backings
        guard backings.heldLength > LinkTransfers.maxBytes else { return }
        throw .tooLongForLink
    }
}
