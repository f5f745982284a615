import LinuxSystem
import Synchronization

/// The threads and connections of one ``SharingConnection``, which end with it. The other machine may ask for any
/// number of copies and promises, so the threads are limited; each has three connections at most.
final class SharedWork: Sendable {
    private struct Connection {
        weak var socket: Descriptor?
    }

    private struct State {
        var isClosed = false
        var threads = 0
        var connections: [Connection] = []
    }

    private let state = Mutex(State())

    /// The maximum number of threads at once.
    private static let maxThreads = 64

    /// Starts a thread.
    ///
    /// - Returns: False if there are too many threads, or a thread cannot be started.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let isAllowed = state.withLock { state in
            guard !state.isClosed, state.threads < Self.maxThreads else { return false }
            state.threads += 1
            return true
        }
        guard isAllowed else { return false }
        let thread = try? WorkerThread.start(name: name) { [self] in
            body()
            endThread()
        }
        if thread == nil { endThread() }
        return thread != nil
    }

    private func endThread() { state.withLock { $0.threads -= 1 } }

    /// Adds a connection, which ``close()`` ends.
    func add(_ socket: Descriptor) {
        let isClosed = state.withLock { state in
            state.connections.removeAll { $0.socket == nil }
            state.connections.append(Connection(socket: socket))
            return state.isClosed
        }
        if isClosed { UnixSocket.end(socket.fileDescriptor) }
    }

    /// Ends all connections, and so the threads that wait for them.
    func close() {
        let connections = state.withLock { state in
            state.isClosed = true
            return state.connections.compactMap(\.socket)
        }
        for socket in connections { UnixSocket.end(socket.fileDescriptor) }
    }
}
