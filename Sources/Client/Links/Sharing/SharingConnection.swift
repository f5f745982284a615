import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardSharing
import PasteboardWire
import SystemPackage

/// The sharing of a pasteboard over one connection of ssh: a link in the other machine's bridge, so that the status and
/// the owners there name this machine, and a ``PasteboardSharer`` once both bridges have their link.
final class SharingConnection {
    private let local: SharedBridge
    private let work = SharedWork()
    private let remotePath: String
    private let eagerLength: Int?
    private let timeout: Duration
    private let loop: EventLoop
    private let executor: EventLoopExecutor
    private let control: LinkControl
    private var registration: Registration?
    private var sharer: PasteboardSharer?
    private let onFault: (SharedCopy.Fault?) -> Void
    private let start = PendingValue<Bool>()
    private let end = PendingValue<String>()

    /// - Parameters:
    ///   - local: The link in this machine's bridge.
    ///   - remote: The path of a socket that leads to the bridge of the other machine.
    ///   - machine: The name of this machine.
    ///   - token: A token that all connections of this link share.
    ///   - onFault: Called with the reason why a copy failed, and with nil after the next success.
    init(
        local: (key: String, path: String), remote: String, machine: String, token: String, eagerLength: Int?,
        timeout: Duration, on loop: EventLoop, _ executor: EventLoopExecutor,
        onFault: @escaping (SharedCopy.Fault?) -> Void
    ) throws(Errno) {
        self.local = SharedBridge(side: .local, path: local.path, key: local.key, timeout: timeout, work: work)
        remotePath = remote
        self.eagerLength = eagerLength
        self.timeout = timeout
        self.loop = loop
        self.executor = executor
        self.onFault = onFault
        control = try LinkControl(.init(name: machine, allow: ["set"], shared: true, token: token)) {
            _ throws(BridgeClientError) in
            try SharedBridge.client(at: remote, on: .remote, timeout: timeout)
        }
        registration = loop.add(control.fileDescriptor, interest: .readable) { [unowned self] _ in
            for event in control.drain() { handle(event) }
        }
    }

    /// Waits until both bridges are watched. Returns false if they cannot be watched; ``ended()`` then has the reason.
    func started() async -> Bool { await start.get() }

    /// Waits for the end, and returns the reason.
    func ended() async -> String { await end.get() }

    func close() {
        registration?.cancel()
        control.close()
        work.close()
        sharer = nil
        finish("the link was closed")
    }

    private func finish(_ reason: String) {
        start.deliver(false)
        end.deliver(reason.printable)
    }

    private func handle(_ event: LinkControl.Event) {
        switch event {
        case .opened(let key, _): if sharer == nil { share(key) }
        case .lost: finish("the bridge of the other machine has ended")
        case .closed: finish("the link was closed there")
        case .failed(let error): finish(error.message)
        }
    }

    private func share(_ key: String) {
        let remote = SharedBridge(side: .remote, path: remotePath, key: key, timeout: timeout, work: work)
        do throws(Errno) {
            let sharer = try PasteboardSharer(
                local: local, remote: remote, eagerLength: eagerLength, work: work, on: loop, onFault: onFault)
            self.sharer = sharer
            executor.start { [weak self] in
                let reason = await sharer.ended()
                self?.finish(reason)
            }
            // The other bridge's status then says that this machine is attached.
            _ = work.start("xpb-report") { remote.report() }
            start.deliver(true)
        } catch {
            finish("the bridges cannot be watched: \(error)")
        }
    }
}
