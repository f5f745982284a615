package import BridgeClient
package import CommandCore
import PasteboardModel
package import PasteboardWire
package import Pasting

/// The restoration of an entry of the history, by `history restore` and `pick`.
package enum EntryRestoration {
    /// Restores an entry, reports that, and pastes the entry.
    ///
    /// - Parameter step: The paste, which is that of general; nil for none.
    package static func perform(
        _ parameters: Methods.Restore.Parameters, by client: BridgeClient, in session: Session,
        then step: PasteStep? = nil
    ) throws {
        var parameters = parameters
        parameters.timeout = client.timeoutMilliseconds
        if step != nil { parameters.pasteboard = PasteboardName.general.string }
        let restored = try client.call(Methods.Restore.self, parameters, isLong: true).reply
        session.console.detail("restored \(parameters.entry) on \(restored.pasteboard), count \(restored.count)")
        if session.common.json {
            try session.output.write(counts: [restored.count], of: [restored.pasteboard])
        }
        try step?.perform(in: session) { () throws(Failure) in
            parameters.pasteboard = PasteboardName.find.string
            parameters.ifCount = nil
            do {
                _ = try client.call(Methods.Restore.self, parameters, isLong: true)
            } catch {
                throw Failure(reporting: error)
            }
        }
    }
}
