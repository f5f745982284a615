import BridgeState
import EventLoop
import PasteboardModel
import PasteboardWire

extension Service {
    /// The default timeout for a foreign owner to list its types, in milliseconds. This timeout is shorter than the
    /// default for bytes, since watchers want to learn of steps soon.
    private static let typesTimeout = 1_000

    /// Sends each step of the pasteboards until the task is cancelled or the client no longer watches.
    ///
    /// - Parameters:
    ///   - isOnLink: True for a client on another machine.
    ///   - send: Sends a reply, and returns false if the client no longer watches.
    func monitor(
        _ parameters: Methods.Monitor.Parameters, isOnLink: Bool, _ send: @escaping (Methods.Monitor.Reply) -> Bool
    ) async throws(BridgeError) {
        let pasteboards = try pasteboardsToWrite(try PasteboardName.list(ofCall: parameters.pasteboards))
        let end = PendingValue<Void>()
        let monitor = Monitor(
            pasteboards: pasteboards, wantsTypes: parameters.types ?? false,
            timeout: CallTimeout.of(parameters.timeout ?? Self.typesTimeout),
            wantsOrigins: parameters.origins ?? false, isOnLink: isOnLink,
            mark: isOnLink ? nil : parameters.mark.map(WatchMark.init)
        ) { reply in
            let isSent = send(reply)
            if !isSent { end.deliver(()) }
            return isSent
        }
        notifier.add(monitor, of: pasteboards, since: parameters.since, isInitial: parameters.initial ?? false)
        await end.get { end.deliver(()) }
        notifier.remove(monitor)
    }
}
