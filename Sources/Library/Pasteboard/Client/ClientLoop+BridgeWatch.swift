import BridgeClient
import EventLoop
import LinuxSystem

/// The wait for a bridge that another program starts.
final class BridgeWatch {
    /// The watch on the folder of the bridges' sockets; nil if the folder does not exist.
    let folder: FolderWatch?
    var registration: Registration?
    var waiting: [Completion<Void>] = []
    var isLooking = false
    /// True if the folder has changed since the last look began.
    var looksAgain = false

    init(folder: String?) {
        self.folder = folder.flatMap { try? FolderWatch(folder: $0) }
    }
}

/// Waiting for the next bridge. A program that observes a pasteboard does not start a bridge that the user has ended.
extension ClientLoop {
    func awaitBridge(_ completion: Completion<Void>) {
        let watch = bridgeWatch ?? beginBridgeWatch()
        watch.waiting.append(completion)
        // The watch began before this look, so a bridge that starts after the look is noticed.
        lookForBridge()
    }

    private func beginBridgeWatch() -> BridgeWatch {
        let watch = BridgeWatch(folder: connector.folder())
        bridgeWatch = watch
        guard let folder = watch.folder else { return watch }
        watch.registration = loop.add(folder.fileDescriptor, interest: .readable) { [unowned self, weak watch] _ in
            do {
                try folder.drain()
                lookForBridge()
            } catch {
                watch?.registration?.cancel()
            }
        }
        return watch
    }

    /// Looks for a running bridge, if a call is waiting for one.
    func lookForBridge() {
        guard let bridgeWatch else { return }
        bridgeWatch.waiting.removeAll(where: \.isDone)
        guard !bridgeWatch.waiting.isEmpty else { return endBridgeWatch() }
        if bridgeWatch.isLooking {
            bridgeWatch.looksAgain = true
        } else {
            bridgeWatch.isLooking = true
            bridgeWatch.looksAgain = false
            connect(for: .bridgeWatch, start: .never)
        }
    }

    func lookedForBridge(_ result: Result<Connection, PasteboardError>) {
        guard let bridgeWatch else { return }
        bridgeWatch.isLooking = false
        switch result {
        case .success:
            for completion in bridgeWatch.waiting { completion.complete(.success(())) }
            endBridgeWatch()
        case .failure where bridgeWatch.looksAgain: lookForBridge()
        case .failure: break
        }
    }

    private func endBridgeWatch() {
        bridgeWatch?.registration?.cancel()
        bridgeWatch = nil
    }
}
