package import BridgeClient
package import LinuxSystem
import PasteboardWire
import Synchronization

/// A connected socket, and the facts about the bridge at its other end.
package struct Connection: Sendable {
    package let socket: Descriptor
    /// The generation of ``InProcessBridge`` that made the connection.
    var generation = 0
    /// Returns true if the bridge answers on a separate connection. Blocks.
    package let isAlive: @Sendable () -> Bool
}

/// A factory of connections. It blocks, so it must not run on a loop's thread.
package struct Connector: Sendable {
    package let connect: @Sendable (BridgeFinder.Start) throws(PasteboardError) -> Connection
    /// The present generation of ``InProcessBridge``.
    let generation: @Sendable () -> Int
    /// The folder in which a bridge's socket appears.
    package let folder: @Sendable () -> String?

    /// The message if the bridge's program is missing, for the authors of programs.
    private static let noProgram =
        "the bridge's program xpbd was not found beside this program nor in PATH; add "
        + #".product(name: "xpbd", package: "xpb") to the dependencies of the program's target, install xpb, or set "#
        + "XPB_XPBD to the path of xpbd"

    /// Returns a connector to the bridge inside this program if there is one, else to the display's bridge, which is
    /// found or started.
    ///
    /// - Parameter timeout: The time that the bridge may be idle.
    package static func standard(
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
                // A machine that is waking up may take a long time to start a program.
                let finder = try BridgeFinder(
                    display: display, environment: environment(), timeout: max(timeout, .seconds(5)))
                let found = try finder.connect(start: start)
                return Connection(
                    socket: found.connection.socket, generation: choice.generation
                ) { [path = found.path] in
                    BridgeClient.isAlive(path)
                }
            } catch {
                var failure = PasteboardError(error)
                if error.context.cause == .noProgram, environment()["XPB_XPBD"] ?? "" == "" {
                    failure.message = Self.noProgram
                }
                throw failure
            }
        } generation: {
            InProcessBridge.current.generation
        } folder: {
            try? RuntimeDirectory(environment: environment()).folder
        }
    }
}

/// The bridge that runs inside this program, if there is one. Pasteboards connect to it instead of the display's
/// bridge.
package enum InProcessBridge {
    /// Makes a connection: a connected stream socket whose other end a bridge serves.
    package typealias Connect = @Sendable () throws(PasteboardError) -> Descriptor

    /// The bridge in use.
    struct Choice: Sendable {
        var connect: Connect?
        /// The number of times the choice has changed. A connection of an older generation leads to a bridge no longer
        /// in use.
        var generation = 0
    }

    private static let choice = Mutex(Choice())

    /// Uses `connect` for all later connections; nil returns to the user's bridge, which is found or started.
    package static func use(_ connect: (@Sendable () throws(PasteboardError) -> Descriptor)?) {
        choice.withLock { choice in
            choice.connect = connect
            choice.generation += 1
        }
        Client.shared.bridgeMayHaveChanged()
    }

    static var current: Choice { choice.withLock { $0 } }
}
