import EventLoop
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The places where clients find this bridge: that of its display, and that of the one that it was attached to later.
final class ListeningSockets {
    private let rendezvous: Rendezvous
    private let loop: EventLoop
    private var points: [String: ListeningSocket] = [:]
    private var listeners: [String: Registration] = [:]
    /// Sockets that a service manager listens on, by their keys.
    private let handed: [String: Descriptor]
    /// Called with a listener that has connections to be taken.
    var onConnection: (Descriptor) -> Void = { _ in }
    /// Whether new clients are taken; those that are not wait, and their own deadlines tell them.
    var isListening = true {
        didSet { for listener in listeners.values { listener.interest = isListening ? .readable : [] } }
    }

    /// - Parameter handed: Sockets that a service manager listens on, by their paths.
    init(_ rendezvous: Rendezvous, loop: EventLoop, handed: [String: Descriptor] = [:]) throws(BridgeFailure) {
        self.rendezvous = rendezvous
        self.loop = loop
        var sockets: [String: Descriptor] = [:]
        for (path, socket) in handed {
            guard let key = rendezvous.key(ofSocket: path) else {
                throw BridgeFailure(
                    .misuse,
                    "the service manager listens at \(path), where no client looks; let it listen at "
                        + rendezvous.socketPath(DisplayName.keyOfNone))
            }
            sockets[key] = socket
        }
        self.handed = sockets
    }

    /// Makes this bridge the one that clients find at the sockets that were handed over.
    func takeHanded() throws(BridgeFailure) {
        for key in handed.keys.sorted() { try take(key) }
    }

    /// The key that clients look for: that of a display, or the one for none.
    static func key(of display: String?) throws(BridgeFailure) -> String {
        guard let display else { return DisplayName.keyOfNone }
        guard let name = DisplayName(display) else {
            throw BridgeFailure(
                .unavailable, "'\(display)' is no name of a display; DISPLAY is like ':0' or 'host:10.0'")
        }
        return name.key
    }

    /// Makes this bridge the one that clients find under the key.
    func take(_ key: String, replacing: Bool = false) throws(BridgeFailure) {
        guard points[key] == nil else { return }
        let point: ListeningSocket
        do throws(ListeningSocket.Failure) {
            point = try makePoint(at: key, replacing: replacing)
        } catch {
            switch error {
            case .busy(let process):
                let who = process.map { "process \($0)" } ?? "another process"
                throw BridgeFailure(
                    .locked(process: process),
                    "a bridge already serves this display: \(who); 'xpbd --replace' takes over from it")
            case .unusable(let reason): throw BridgeFailure(.unavailable, reason)
            }
        }
        points[key] = point
        // The handler outlives its registration for a while, and must not keep the lock.
        let listener = point.listener
        listeners[key] = loop.add(listener.fileDescriptor, interest: isListening ? .readable : []) { [unowned self] _ in
            onConnection(listener)
        }
    }

    private func makePoint(at key: String, replacing: Bool) throws(ListeningSocket.Failure) -> ListeningSocket {
        do throws(ListeningSocket.Failure) {
            return try ListeningSocket(at: key, in: rendezvous, handed: handed[key])
        } catch {
            // Behind a socket that was handed over is nobody but this bridge.
            guard replacing, handed[key] == nil, case .busy = error else { throw error }
            RunningBridge(at: rendezvous.socketPath(key)).end()
            return try ListeningSocket(at: key, in: rendezvous)
        }
    }

    /// Is not found under that key any more, and leaves it to others.
    func giveUp(_ key: String) {
        points.removeValue(forKey: key)?.withdraw()
        listeners.removeValue(forKey: key)?.cancel()
    }

    /// Is not found any more, and lets nobody else be found yet.
    func withdraw() {
        for point in points.values { point.withdraw() }
    }

    func giveUpAll() {
        for key in points.keys { giveUp(key) }
    }
}
