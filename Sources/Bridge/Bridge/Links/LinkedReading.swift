import BridgeState
import FormatConversion
import PasteboardModel
import PasteboardWire
import UniformTypes

extension Client {
    /// Throws if the connection is one of a link, and the contents of a pasteboard may not be read over it.
    func checkMayRead(
        _ pasteboard: PasteboardState, within timeout: Duration
    ) async throws(ForeignReader.Failure) {
        do throws(BridgeError) {
            try restriction?.checkMayRead(pasteboard.version)
        } catch {
            throw .error(error)
        }
        try await checkMayKnow(pasteboard, within: timeout)
    }

    /// Throws if the connection is one of a link, and not even the types of a pasteboard may be known over it.
    func checkMayKnow(
        _ pasteboard: PasteboardState, within timeout: Duration
    ) async throws(ForeignReader.Failure) {
        guard let link else { return }
        do throws(BridgeError) {
            if let version = pasteboard.version { return try link.checkMayKnow(version) }
        } catch {
            throw .error(error)
        }
        // Password managers mark secrets by a target of their own.
        let offered = try await service.foreign.reader(of: pasteboard, idleTimeout: timeout).types()
        if offered.contains(where: { SecretMark.isMark($0.target) }) { throw .error(.secretOverLink) }
    }

    /// Returns the formats that the client may ask for. No filter runs for a client on another machine, since filters
    /// are programs of this one.
    func permitted(_ formats: FormatCatalog) -> FormatCatalog { link == nil ? formats : formats.withoutFilters }

    /// Throws if the connection is one of a link, and the contents have changed since they were checked: those that
    /// were read may be a secret.
    func checkUnchanged(_ pasteboard: PasteboardState, since count: Int) throws(ForeignReader.Failure) {
        guard link != nil, pasteboard.count != count else { return }
        throw .ownerReplaced
    }
}
