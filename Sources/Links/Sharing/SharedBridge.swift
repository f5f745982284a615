import BridgeClient
import PasteboardSharing
import PasteboardWire

/// The bridge of one side of a link that shares the pasteboard general, as the threads of the link call it.
struct SharedBridge: Sendable {
    let side: ShareSide
    /// The path of its socket, or of one that ssh forwards to it.
    let path: String
    /// The key of the link in that bridge.
    let key: String
    /// The time for which the bridge, and the owner of contents, may be idle.
    let timeout: Duration
    let connections: SharedConnections

    static let pasteboard = "general"

    /// Returns a connection that is known as one of the link.
    func connect() throws(BridgeClientError) -> BridgeClient {
        let client = try Self.client(at: path, on: side, timeout: timeout)
        guard connections.add(client.socket) else {
            throw BridgeClientError(code: .unavailable, message: "the link is down")
        }
        _ = try client.call(Methods.JoinLink.self, .init(key: key, full: true))
        return client
    }

    static func client(
        at path: String, on side: ShareSide, timeout: Duration
    ) throws(BridgeClientError) -> BridgeClient {
        do {
            return BridgeClient(
                adopting: try ClientConnection.connect(path: path), path: path, timeout: timeout,
                passesDescriptors: side == .local)
        } catch {
            throw BridgeClientError(code: .unavailable, message: "the bridge cannot be reached: \(error)")
        }
    }
}
