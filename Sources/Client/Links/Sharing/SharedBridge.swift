import BridgeClient
import PasteboardSharing
import PasteboardWire

/// The bridge of one side of a link that shares the pasteboard general, as called by the threads of the link.
struct SharedBridge: Sendable {
    let side: ShareSide
    /// The path of the bridge's socket, or of one that ssh forwards to the bridge.
    let path: String
    /// The key of the link in that bridge.
    let key: String
    /// The time that the bridge and the owner of contents may be idle.
    let timeout: Duration
    let work: SharedWork

    static let pasteboard = "general"
    /// The maximum length of a message from the other machine's bridge, in bytes. The bridge's own limit on calls is 4
    /// MiB.
    private static let maxMessage = 8 << 20

    /// Returns a connection that has joined the link.
    func connect() throws(BridgeClientError) -> BridgeClient {
        let client = try Self.client(at: path, on: side, timeout: timeout)
        work.add(client.socket)
        _ = try client.call(Methods.JoinLink.self, .init(key: key, full: true))
        return client
    }

    /// Reports to the bridge that the other side has been reached.
    func report() {
        _ = try? connect().call(Methods.ReportLink.self, .init(key: key, attached: true))
    }

    static func client(
        at path: String, on side: ShareSide, timeout: Duration
    ) throws(BridgeClientError) -> BridgeClient {
        do {
            return BridgeClient(
                adopting: side == .local
                    ? try ClientConnection.connect(path: path)
                    : try ClientConnection.connect(path: path, messageLimit: maxMessage),
                path: path, timeout: timeout, passesDescriptors: side == .local)
        } catch {
            throw BridgeClientError(code: .unavailable, message: "the bridge cannot be reached: \(error)")
        }
    }
}
