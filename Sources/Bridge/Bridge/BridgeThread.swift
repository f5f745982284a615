package import BridgeServer
import EventLoop
package import LinuxSystem
package import Logging
import Synchronization
import X11Display

/// A bridge on its own threads, in a program that does other work. The bridge leaves the program's signals, limits and
/// environment unchanged.
package final class BridgeThread: Sendable {
    private enum Request: Sendable {
        case connect(Descriptor)
        case leave
    }

    private enum State {
        case starting
        case serving
        case ended(BridgeFailure?)
    }

    private let requests: MessageQueue<Request>
    private let state = Mutex(State.starting)
    /// An event that is readable once the bridge serves or has failed to start.
    private let started: EventDescriptor
    private let onEnd: @Sendable (BridgeThread) -> Void
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts a bridge, and returns once it serves.
    ///
    /// - Parameter onEnd: Called on the bridge's thread when a bridge that has served ends, for any reason.
    /// - Throws: An error if the bridge cannot serve. The display must open within the options' timeout.
    package static func start(
        _ options: BridgeOptions, environment: [String: String], logger: Logger,
        onEnd: @escaping @Sendable (BridgeThread) -> Void
    ) throws(BridgeFailure) -> BridgeThread {
        if options.display != nil { XDisplay.prepareForHostProcess() }
        let bridge: BridgeThread
        do {
            bridge = try BridgeThread(onEnd: onEnd)
            let thread = try WorkerThread.start(name: "xpb-bridge") {
                bridge.run(options, environment: environment, logger: logger)
            }
            bridge.thread.withLock { $0 = thread }
            _ = try waitReadable(bridge.started.fileDescriptor, until: nil)
        } catch {
            throw BridgeFailure(.unavailable, "no bridge could be started: \(error)")
        }
        if case .ended(let failure) = bridge.state.withLock({ $0 }) {
            bridge.join()
            throw failure ?? BridgeFailure(.unavailable, "the bridge was stopped while it was starting")
        }
        return bridge
    }

    private init(onEnd: @escaping @Sendable (BridgeThread) -> Void) throws {
        requests = try MessageQueue()
        started = try EventDescriptor()
        self.onEnd = onEnd
    }

    package var isServing: Bool {
        state.withLock { if case .serving = $0 { true } else { false } }
    }

    /// Serves one end of a connection.
    ///
    /// - Returns: false if the bridge has ended. A bridge that ends before it accepts the connection closes the
    ///   connection.
    package func serve(_ connection: Descriptor) -> Bool {
        state.withLock { state in
            guard case .serving = state else { return false }
            requests.send(.connect(connection))
            return true
        }
    }

    /// Shuts the bridge down, and returns when it has ended: within nine seconds, and usually at once. Do not call this
    /// on the bridge's thread.
    package func stop() {
        requests.send(.leave)
        join()
    }

    private func join() {
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    // MARK: On the thread

    private func run(_ options: BridgeOptions, environment: [String: String], logger: Logger) {
        var failure: BridgeFailure?
        // The bridge's clients must not use up the descriptors of the program.
        DescriptorReserve.enable()
        do throws(BridgeFailure) {
            let core = try BridgeCore(options, environment: environment, logger: logger)
            core.watch(requests.fileDescriptor) { [unowned self, unowned core] in performRequests(on: core) }
            try core.run { [unowned self] in
                state.withLock { $0 = .serving }
                started.signal()
            }
        } catch {
            failure = error
        }
        let wasServing = state.withLock { state in
            defer { state = .ended(failure) }
            if case .serving = state { return true }
            return false
        }
        // Close connections that arrived after the end of the bridge: their clients read an end of file.
        _ = requests.drain()
        started.signal()
        if wasServing { onEnd(self) }
    }

    private func performRequests(on core: BridgeCore) {
        for request in requests.drain() {
            switch request {
            // `serve` throws for a descriptor that is not a connected socket, after closing the descriptor.
            case .connect(let connection): try? core.serve(connection)
            case .leave: core.leave()
            }
        }
    }
}
