package import BridgeClient
import EventLoop
import LinuxSystem
package import PasteboardWire
package import SystemPackage

/// The call that keeps a link open in a bridge. When that bridge ends, the call is made to the next bridge, which the
/// link awaits but does not start.
///
/// A separate thread waits for the replies, since the call lasts as long as the link.
package final class LinkControl {
    package enum Event: Sendable {
        /// Connections may join the link.
        case opened(key: String, path: String)
        /// The bridge has ended, and the next bridge is awaited.
        case lost
        /// The user has closed the link.
        case closed
        /// The link cannot be opened: a link with that name exists, or there is no bridge.
        case failed(BridgeClientError)
    }

    private let events: MessageQueue<Event>
    private let stop: EventDescriptor

    /// The first and the longest pause after a bridge has ended; each pause is twice the last.
    private static let (minPause, maxPause) = (Duration.seconds(1), Duration.seconds(60))

    /// - Parameter connect: Connects to the bridge. `isFirst` is true until the link has been opened once. After that,
    ///   `connect` must not start a bridge, since the user may have stopped the last bridge.
    package init(
        _ parameters: Methods.OpenLink.Parameters,
        connect: @escaping @Sendable (_ isFirst: Bool) throws(BridgeClientError) -> BridgeClient
    ) throws(Errno) {
        let (events, stop) = (try MessageQueue<Event>(), try EventDescriptor())
        (self.events, self.stop) = (events, stop)
        _ = try WorkerThread.start(name: "xpb-link") {
            var (wasOpen, pause) = (false, Self.minPause)
            while true {
                do {
                    let client = try connect(!wasOpen)
                    let isClosed = try Self.hold(parameters, by: client) {
                        events.send(.opened(key: $0, path: client.path))
                        (wasOpen, pause) = (true, Self.minPause)
                    }
                    if isClosed { return events.send(.closed) }
                } catch {
                    let error = BridgeClientError(wire: error)
                    // After the end of a bridge the next one is awaited.
                    let isRefused = error.code == .refused && error.context.reason != BridgeError.endReason
                    if !wasOpen || isRefused { return events.send(.failed(error)) }
                }
                events.send(.lost)
                if (try? waitReadable(stop.fileDescriptor, until: .now + pause)) != false { return }
                pause = min(pause * 2, Self.maxPause)
            }
        }
    }

    /// Opens the link in a bridge, and waits until the link is closed or the bridge ends.
    ///
    /// - Parameter opened: Called with the link's key when the bridge has opened the link.
    /// - Returns: True if the link was closed, false if the bridge ended.
    private static func hold(
        _ parameters: Methods.OpenLink.Parameters, by client: BridgeClient, opened: (_ key: String) -> Void
    ) throws -> Bool {
        var (isOpen, isClosed) = (false, false)
        try client.stream(Methods.OpenLink.self, parameters, timeoutFor: .firstReply) { reply, _ in
            isClosed = reply.closed == true
            if !isClosed, !isOpen { opened(reply.key) }
            isOpen = true
            return !isClosed
        }
        return isClosed
    }

    package var fileDescriptor: FileDescriptor { events.fileDescriptor }

    package func drain() -> [Event] { events.drain() }

    /// Ends the thread after its current call. The link ends with the process.
    package func close() { stop.signal() }
}
