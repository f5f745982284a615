import BridgeServer
import BridgeState
import PasteboardModel
import PasteboardWire

extension Service {
    /// Throws if the connection is one of a link, and contents would hold too many bytes together with those on other
    /// pasteboards that came over the link.
    func checkRoom(
        for contents: Draft, on pasteboard: PasteboardState, of client: Client
    ) throws(BridgeError) {
        guard let link = client.restriction else { return }
        // Representations may share bytes, and the store copies them for each.
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
