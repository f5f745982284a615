import EventLoop
package import LinuxSystem
package import Logging
import Synchronization
import X11Bridge
import X11Display

/// A bridge on threads of its own, in a program that goes on with its own work. It changes nothing of the program's: no
/// signal, no limit, no environment.
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
    /// Readable once it serves or has failed to.
    private let started: EventDescriptor
    private let onEnd: @Sendable (BridgeThread) -> Void
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts a bridge, and returns once it serves.
    ///
    /// - Parameter onEnd: Called on the bridge's thread when it has ended after it had served, told to or by itself.
    /// - Throws: Why it does not serve. A display that does not open is waited for as long as the options say.
    package static func start(
        _ options: BridgeOptions, environment: [String: String], logger: Logger,
        onEnd: @escaping @Sendable (BridgeThread) -> Void
    ) throws(BridgeFailure) -> BridgeThread {
        if options.display != nil { XDisplay.becomeGuest() }
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
            throw failure ?? BridgeFailure(.unavailable, "the bridge was told to end while it was starting")
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
    /// - Returns: false where the bridge has ended. One that ends before it comes to it closes the connection.
    package func serve(_ connection: Descriptor) -> Bool {
        state.withLock { state in
            guard case .serving = state else { return false }
            requests.send(.connect(connection))
            return true
        }
    }

    /// Ends it in order, and returns when it has ended: at most nine seconds later, and mostly at
    /// once. Not to be called from its thread.
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
        // What clients of the bridge have in it is not to take the last ones of the program.
        DescriptorReserve.keep()
        do throws(BridgeFailure) {
            let core = try BridgeCore(options, environment: environment, logger: logger)
            core.watch(requests.fileDescriptor) { [unowned self, unowned core] in
                for request in requests.drain() {
                    switch request {
                    // It fails for what is no connected socket: then its other end is told.
                    case .connect(let connection): try? core.serve(connection)
                    case .leave: core.leave()
                    }
                }
            }
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
        // Connections that came too late are closed, so that whoever uses them is told.
        _ = requests.drain()
        started.signal()
        if wasServing { onEnd(self) }
    }
}
