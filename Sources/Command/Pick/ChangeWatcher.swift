import BridgeClient
import CommandCore
import Commands
import LinuxSystem
import PasteboardWire
import Synchronization
import SystemPackage

/// A thread that waits for the changes of a pasteboard, and makes a descriptor readable after each change.
final class ChangeWatcher: Sendable {
    private let pasteboard: String
    private let display: String?
    private let environment: [String: String]
    private let timeout: Duration
    private let event: EventDescriptor
    private let state = Mutex(State())

    private struct State {
        var isRunning = false
        var latestCount = 0
    }

    init(of pasteboard: String, in session: Session) throws(Errno) {
        self.pasteboard = pasteboard
        display = session.common.display
        environment = session.environment
        timeout = session.timeout.duration
        event = try EventDescriptor()
    }

    var fileDescriptor: FileDescriptor { event.fileDescriptor }

    /// The latest change count that was reported; 0 before the first report.
    var latestCount: Int { state.withLock(\.latestCount) }

    /// Makes the descriptor unreadable until the next change.
    func drain() { event.drain() }

    /// Starts the thread, unless it is running. The thread ends with the bridge, and can be started again once another
    /// bridge answers.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        // Without the thread, changes are noticed at the next key.
        if (try? WorkerThread.start(name: "changes", { self.watch() })) == nil { end() }
    }

    private func watch() {
        defer { end() }
        // A bridge that was stopped stays stopped.
        let found = try? BridgeClient.connect(
            display: display, environment: environment, timeout: timeout, start: .never)
        guard let found else { return }
        // The present state comes first, since it may have changed before this thread began to watch.
        let parameters = Methods.Monitor.Parameters(pasteboards: [pasteboard], initial: true)
        _ = try? found.stream(Methods.Monitor.self, parameters) { change in
            state.withLock { $0.latestCount = max($0.latestCount, change.count) }
            event.signal()
            return true
        }
    }

    private func end() { state.withLock { $0.isRunning = false } }
}
