import LinuxSystem
import Synchronization

/// The connections to both bridges that the threads of one sharing have open.
///
/// When the connection of ssh has ended, those to the local bridge have to end as well: their threads could no longer
/// provide what they have promised, and the bridge knows that only by the end of the connection.
final class SharedConnections: Sendable {
    private struct Open {
        weak var socket: Descriptor?
    }

    private struct State {
        var open: [Open] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a connection.
    ///
    /// - Returns: false if the sharing has ended.
    func add(_ socket: Descriptor) -> Bool {
        state.withLock { state in
            state.open.removeAll { $0.socket == nil }
            if !state.isClosed { state.open.append(Open(socket: socket)) }
            return !state.isClosed
        }
    }

    /// Ends all connections, and with them the calls of the threads that wait on them.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for open in state.open {
                if let socket = open.socket { UnixSocket.end(socket.fileDescriptor) }
            }
            state.open = []
        }
    }
}
