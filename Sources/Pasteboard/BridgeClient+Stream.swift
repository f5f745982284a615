package import LinuxSystem
package import PasteboardWire

extension BridgeClient {
    /// Which replies of a stream are waited for no longer than ``timeout``.
    package enum Patience: Sendable {
        /// Only the first one; the others come when they come.
        case first
        /// Each, as long as the bridge is alive: see ``call(_:_:descriptors:isLong:)``.
        case each
    }

    /// Hands each reply to `body`, with the descriptors it names, until that says no more or the bridge has said all.
    ///
    /// - Throws: ``PasteboardError``, and what `body` throws.
    package func stream<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = [], patience: Patience,
        _ body: (M.Reply, [Descriptor]) throws -> Bool
    ) throws {
        let silence = timeout + Self.grace
        connection.keepsWaiting = patience == .each ? { [path] in Self.isAlive(path) } : nil
        do {
            try connection.stream(
                method, parameters, descriptors: descriptors,
                deadline: { replies in patience == .first && replies > 0 ? nil : .now + silence }, body)
        } catch let error where error is BridgeError || error is ClientFault || error is VarlinkError {
            throw PasteboardError(wire: error)
        }
    }
}
