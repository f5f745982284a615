import BridgeClient
import LinuxSystem
import PasteboardWire

/// A connected socket, and what is known of the bridge behind it.
struct Connection: Sendable {
    let socket: Descriptor
    /// Which choice of bridge it was made by; see ``InProcessBridge``.
    var generation = 0
    /// Asks the bridge, on a connection apart, whether it answers. It waits.
    let isAlive: @Sendable () -> Bool
}

/// Makes connections. It waits, so it is no work for a loop.
struct Connector: Sendable {
    let connect: @Sendable (BridgeFinder.Start) throws(PasteboardError) -> Connection
    /// The choice of bridge that holds now.
    let generation: @Sendable () -> Int
    /// The folder where a bridge's socket appears.
    let folder: @Sendable () -> String?

    /// To the bridge inside this program, else to that of the display, which is found or started.
    ///
    /// - Parameter timeout: Of silence.
    static func standard(
        display: String? = nil, environment: @escaping @Sendable () -> [String: String] = ThisProcess.environment,
        timeout: Duration
    ) -> Connector {
        Connector { start throws(PasteboardError) in
            let choice = InProcessBridge.current
            if let connect = choice.connect {
                return Connection(socket: try connect(), generation: choice.generation) {
                    guard let socket = try? connect() else { return false }
                    return BridgeClient.isAlive(ClientConnection(socket: socket))
                }
            }
            do throws(BridgeClientError) {
                // A machine that is waking up takes its time to start a program.
                let finder = try BridgeFinder(
                    display: display, environment: environment(), timeout: max(timeout, .seconds(5)))
                let found = try finder.connect(start: start)
                return Connection(
                    socket: found.connection.socket, generation: choice.generation
                ) { [path = found.path] in
                    BridgeClient.isAlive(path)
                }
            } catch {
                throw PasteboardError(error)
            }
        } generation: {
            InProcessBridge.current.generation
        } folder: {
            try? Rendezvous(environment: environment()).folder
        }
    }
}
