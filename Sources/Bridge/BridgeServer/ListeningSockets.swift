package import EventLoop
package import LinuxSystem
package import PasteboardWire
import X11Bridge

/// The sockets where clients find this bridge: the socket of its display, and the socket of a display that the bridge
/// was attached to later.
package final class ListeningSockets {
    private let runtimeDirectory: RuntimeDirectory
    private let loop: EventLoop
    private var sockets: [String: ListeningSocket] = [:]
    private var registrations: [String: Registration] = [:]
    /// The sockets on which a service manager listens, by key.
    private let inherited: [String: Descriptor]
    /// Called with a listener that has connections to accept.
    var onConnection: (Descriptor) -> Void = { _ in }
    /// False while no connections are accepted. Clients that connect then wait, up to their own timeouts.
    var isListening = false {
        didSet { for registration in registrations.values { registration.interest = interest } }
    }

    private var interest: Interest { isListening ? .readable : [] }

    /// - Parameter inherited: The sockets on which a service manager listens, by path.
    package init(_ runtimeDirectory: RuntimeDirectory, loop: EventLoop, inherited: [String: Descriptor] = [:])
        throws(BridgeFailure)
    {
        self.runtimeDirectory = runtimeDirectory
        self.loop = loop
        var byKey: [String: Descriptor] = [:]
        for (path, socket) in inherited {
            guard let key = runtimeDirectory.key(ofSocket: path) else {
                throw BridgeFailure(
                    .misuse,
                    "the service manager listens at \(path), where no client looks; let it listen at "
                        + runtimeDirectory.socketPath(DisplayName.keyWithoutDisplay))
            }
            byKey[key] = socket
        }
        self.inherited = byKey
    }

    /// Returns the key under which clients look for the bridge of an X display, else of a Wayland display, else for the
    /// bridge without a display.
    package static func key(of display: String?, wayland: WaylandName? = nil) throws(BridgeFailure) -> String {
        guard let display else { return wayland?.key ?? DisplayName.keyWithoutDisplay }
        guard let name = DisplayName(display) else {
            throw BridgeFailure(
                .unavailable, "'\(display)' is not the name of a display; DISPLAY is like ':0' or 'host:10.0'")
        }
        return name.key
    }

    /// Makes this bridge the one that clients find at the sockets that it inherited.
    package func listenAtInherited() throws(BridgeFailure) {
        for key in inherited.keys.sorted() { try listen(at: key) }
    }

    /// Makes this bridge the one that clients find under `key`.
    package func listen(at key: String, replacing: Bool = false) throws(BridgeFailure) {
        guard sockets[key] == nil else { return }
        let socket: ListeningSocket
        do throws(ListeningSocket.Failure) {
            socket = try makeSocket(at: key, replacing: replacing)
        } catch {
            switch error {
            case .busy(let process):
                let other = process.map { "process \($0)" } ?? "another process"
                throw BridgeFailure(
                    .locked(process: process),
                    "a bridge already serves this display: \(other); 'xpbd --replace' takes over from it")
            case .unusable(let reason): throw BridgeFailure(.unavailable, reason)
            }
        }
        sockets[key] = socket
        // The handler outlives its registration for a while, and must not keep the lock.
        let listener = socket.listener
        registrations[key] = loop.add(listener.fileDescriptor, interest: interest) { [unowned self] _ in
            onConnection(listener)
        }
    }

    private func makeSocket(at key: String, replacing: Bool) throws(ListeningSocket.Failure) -> ListeningSocket {
        let deadline = ContinuousClock.now + RunningBridge.timeout
        while true {
            do throws(ListeningSocket.Failure) {
                return try ListeningSocket(at: key, in: runtimeDirectory, inherited: inherited[key])
            } catch {
                // An inherited socket leads to no bridge but this one.
                guard replacing, inherited[key] == nil, case .busy = error, .now < deadline else { throw error }
            }
            try stopBridge(at: key, until: deadline)
        }
    }

    /// The time after which the lock is tried again if its holder has no socket, whose end would show the holder's end.
    private static let lockTimeout = Duration.milliseconds(100)

    /// Stops the bridge that holds the lock. If that bridge has no socket, because it is starting or ending, waits a
    /// while for a socket.
    private func stopBridge(at key: String, until deadline: ContinuousClock.Instant) throws(ListeningSocket.Failure) {
        let path = runtimeDirectory.socketPath(key)
        do {
            let watch = try FolderWatch(folder: runtimeDirectory.folder)
            if RunningBridge(at: path).stop() { return }
            _ = try waitReadable(watch.fileDescriptor, until: min(deadline, .now + Self.lockTimeout))
        } catch {
            throw .unusable("\(path) cannot be awaited: \(error)")
        }
    }

    /// Removes the socket under `key`, and releases its lock, so that another bridge may listen there.
    package func release(_ key: String) {
        sockets.removeValue(forKey: key)?.remove()
        registrations.removeValue(forKey: key)?.cancel()
    }

    package func releaseAll() {
        for key in sockets.keys { release(key) }
    }

    /// Removes the sockets, so that no new client finds this bridge, and keeps the locks, so that no other bridge
    /// starts.
    package func removeAll() {
        for socket in sockets.values { socket.remove() }
    }
}

/// The socket where clients find the bridge of one display, and the lock that makes it the only bridge.
final class ListeningSocket {
    enum Failure: Error {
        /// Another bridge holds the lock. The value is its process, if the lock names it.
        case busy(process: Int32?)
        /// The socket or its lock cannot be made. The value is the reason, for the user.
        case unusable(String)
    }

    let listener: Descriptor
    private let lock: FileLock
    private let path: String
    /// The identity of the socket's file; nil for a socket that its service manager removes. Another bridge may have
    /// put its own socket at this path, if the folder with the lock was removed.
    private let identity: UnixSocket.Identity?

    /// Takes the lock, then makes the socket: a client that finds the lock taken finds the socket a moment later, and
    /// never a socket that refuses connections.
    ///
    /// - Parameter inherited: A socket on which a service manager listens at this path.
    init(at key: String, in runtimeDirectory: RuntimeDirectory, inherited: Descriptor? = nil) throws(Failure) {
        path = runtimeDirectory.socketPath(key)
        let lockPath = runtimeDirectory.lockPath(key)
        do {
            lock = try FileLock.open(lockPath)
            guard try lock.tryLock() else { throw Failure.busy(process: lock.holder()) }
            listener = try inherited ?? UnixSocket.listen(at: path)
            identity = inherited == nil ? UnixSocket.identity(of: path) : nil
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unusable("\(path) cannot be used: \(error)")
        }
    }

    /// Removes the socket, so that no new client finds this bridge.
    func remove() {
        UnixSocket.remove(path, identity)
    }
}

/// A bridge that is already running, and that this bridge replaces.
package struct RunningBridge {
    /// The timeout for the end of a bridge, which hands over contents and completes transfers.
    package static let timeout = ManagerSelection.successionTimeout

    private let path: String

    init(at path: String) {
        self.path = path
    }

    /// Stops the bridge, and returns when its connection has ended, or after the timeout: the lock then shows whether
    /// the bridge is running.
    ///
    /// - Returns: false if the bridge does not answer.
    func stop() -> Bool {
        guard let connection = try? ClientConnection.connect(path: path),
            (try? connection.call(Methods.Stop.self, .init(successor: true), idleTimeout: Self.timeout)) != nil
        else { return false }
        // The bridge's lock is released before its connections end.
        _ = try? waitReadable(connection.fileDescriptor, until: .now + Self.timeout)
        return true
    }
}
