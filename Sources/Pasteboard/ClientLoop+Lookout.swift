import BridgeClient
import EventLoop
import LinuxSystem

/// Waiting for a bridge that somebody else starts.
final class Lookout {
    /// Sees the sockets of bridges appear; nil where there is no such folder.
    let watch: FolderWatch?
    var registration: Registration?
    var waiting: [Completion<Void>] = []
    var isLooking = false
    /// Something happened since the last look was begun.
    var looksAgain = false

    init(folder: String?) {
        watch = folder.flatMap { try? FolderWatch(folder: $0) }
    }
}

/// Who observes a pasteboard does not start a bridge that the user has ended: it waits for the next one.
extension ClientLoop {
    func awaitBridge(_ completion: Completion<Void>) {
        if lookout == nil {
            let new = Lookout(folder: connector.folder())
            lookout = new
            if let watch = new.watch {
                new.registration = loop.add(watch.fileDescriptor, interest: .readable) { [unowned self, weak new] _ in
                    do {
                        try watch.drain()
                        look()
                    } catch {
                        new?.registration?.cancel()
                    }
                }
            }
        }
        lookout?.waiting.append(completion)
        // The watch is older than this look: a bridge that comes after it is seen.
        look()
    }

    /// Looks whether a bridge is there, if anybody waits for one.
    func look() {
        guard let lookout else { return }
        lookout.waiting.removeAll(where: \.isDone)
        guard !lookout.waiting.isEmpty else { return endLookout() }
        if lookout.isLooking {
            lookout.looksAgain = true
        } else {
            lookout.isLooking = true
            lookout.looksAgain = false
            connect(for: .lookout, start: .never)
        }
    }

    func looked(_ result: Result<Connection, PasteboardError>) {
        guard let lookout else { return }
        lookout.isLooking = false
        switch result {
        case .success:
            for completion in lookout.waiting { completion.complete(.success(())) }
            endLookout()
        case .failure where lookout.looksAgain: look()
        case .failure: break
        }
    }

    private func endLookout() {
        lookout?.registration?.cancel()
        lookout = nil
    }
}
