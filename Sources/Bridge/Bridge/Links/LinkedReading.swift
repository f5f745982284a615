import BridgeState
import FormatConversion
import PasteboardModel
import PasteboardWire
import UniformTypes

extension Client {
    /// Throws if the connection belongs to a link and the contents of a pasteboard may not be read over that link.
    func checkMayRead(
        _ pasteboard: PasteboardState, within timeout: Duration
    ) async throws(ForeignReader.Failure) {
        do throws(BridgeError) {
            try restriction?.checkMayRead(pasteboard.version)
        } catch {
            throw .error(error)
        }
        try await checkMayDisclose(pasteboard, within: timeout)
    }

    /// Throws if the connection belongs to a link and not even the types of a pasteboard may be disclosed over that
    /// link.
    func checkMayDisclose(
        _ pasteboard: PasteboardState, within timeout: Duration
    ) async throws(ForeignReader.Failure) {
        guard let link else { return }
        do throws(BridgeError) {
            if let version = pasteboard.version { return try link.checkMayDisclose(version) }
        } catch {
            throw .error(error)
        }
        // Password managers mark secrets with their own targets.
        let offered = try await service.foreign.reader(of: pasteboard, idleTimeout: timeout).types()
        if offered.contains(where: { SecretMark.isMark($0.target) }) { throw .error(.secretOverLink) }
    }

    /// Returns the formats that the client may ask for. A client on another machine gets no formats that filters
    /// make, since filters are programs of this machine.
    func permitted(_ formats: FormatCatalog) -> FormatCatalog { link == nil ? formats : formats.withoutFilters }

    /// Throws if the connection belongs to a link and the contents have changed since they were checked: the contents
    /// that were read may be a secret.
    func checkUnchanged(_ pasteboard: PasteboardState, since count: Int) throws(ForeignReader.Failure) {
        guard link != nil, pasteboard.count != count else { return }
        throw .ownerReplaced
    }
}
