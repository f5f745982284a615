import EventLoop
import PasteboardModel
import PasteboardWire

/// Watching pasteboards: `Monitor`.
extension Service {
    /// The time for a foreign owner to list its types, in milliseconds, if the call says none. It is shorter than that
    /// for bytes: a step that comes late is a step missed.
    private static let typesTimeout = 1_000

    /// Sends each step of the pasteboards until the task is cancelled or the client takes no more.
    ///
    /// - Parameter send: Sends a reply, and returns false if the client takes no more.
    func monitor(
        _ parameters: Methods.Monitor.Parameters, _ send: @escaping (Methods.Monitor.Reply) -> Bool
    ) async throws(BridgeError) {
        let pasteboards = try pasteboardsToWrite(try PasteboardName.list(ofCall: parameters.pasteboards))
        let end = PendingValue<Void>()
        let monitor = Monitor(
            pasteboards: pasteboards, wantsTypes: parameters.types ?? false,
            timeout: CallTimeout.of(parameters.timeout ?? Self.typesTimeout)
        ) { reply in
            let goesOn = send(reply)
            if !goesOn { end.deliver(()) }
            return goesOn
        }
        notifier.add(monitor, of: pasteboards, since: parameters.since, isInitial: parameters.initial ?? false)
        await end.get { end.deliver(()) }
        notifier.remove(monitor)
    }
}
