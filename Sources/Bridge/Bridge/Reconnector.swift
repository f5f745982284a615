package import EventLoop
import LinuxSystem
package import X11Bridge

/// The reconnection to an X server or a compositor that went away. Attempts follow growing pauses, and are made at once
/// when the display's socket appears. A client's call also makes the bridge try, and the outcome of that attempt is
/// reported here too.
package final class Reconnector {
    /// A display that may be lost.
    package struct Target {
        enum State {
            case lost
            case connecting
            case connected
        }

        let state: () -> State
        /// The path of the display's socket, whether it exists or not; nil if this machine has no such socket.
        let socketPath: () -> String?
        let connect: () -> Void
    }

    private let target: Target
    private let loop: EventLoop
    private let timers: TimerQueue
    private var pause = minPause
    /// The timer of a pause; nil outside pauses.
    private var timer: TimerQueue.Identifier?
    private var watch: (folder: FolderWatch, registration: Registration)?
    /// True if the socket appeared during an attempt, which may have been too early.
    private var hasNews = false

    static let minPause = Duration.milliseconds(250)
    static let maxPause = Duration.seconds(30)

    package init(_ target: Target, loop: EventLoop, timers: TimerQueue) {
        self.target = target
        self.loop = loop
        self.timers = timers
    }

    /// Starts reconnecting after the server went away.
    package func start() {
        pause = Self.minPause
        hasNews = false
        wait()
    }

    /// Stops reconnecting, since the display is attached.
    package func stop() {
        cancelTimer()
        stopWatching()
    }

    /// Handles a failed attempt, including a client's.
    package func attemptFailed() {
        guard target.state() == .lost else { return }
        if hasNews {
            hasNews = false
            return attempt()
        }
        // A client's attempt during a pause does not change the pause.
        guard timer == nil else { return }
        pause = min(pause * 2, Self.maxPause)
        wait()
    }

    private func wait() {
        // Watch before the next attempt, so that a socket that appears during the attempt is not missed.
        startWatching()
        timer = timers.set(.now + pause) { [unowned self] in
            timer = nil
            attempt()
        }
    }

    private func cancelTimer() {
        if let timer { timers.cancel(timer) }
        timer = nil
    }

    private func attempt() {
        if target.state() == .lost { target.connect() }
    }

    // MARK: The socket

    /// The display's socket and its folder; nil if this machine has no such socket.
    private var socket: (path: String, folder: String)? {
        guard let path = target.socketPath(), let slash = path.lastIndex(of: "/") else { return nil }
        return (path, slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// Watches the folder of the socket. If there is no such folder, only the pauses lead to attempts.
    private func startWatching() {
        guard watch == nil, let socket, let folder = try? FolderWatch(folder: socket.folder) else { return }
        let registration = loop.add(folder.fileDescriptor, interest: .readable) { [unowned self] _ in
            folderChanged()
        }
        watch = (folder, registration)
    }

    private func stopWatching() {
        watch?.registration.cancel()
        watch = nil
    }

    private func folderChanged() {
        guard let socket, (try? watch?.folder.drain()) != nil, DisplayName.isFile(socket.folder) else {
            // A folder that was removed is watched again after the next pause, if it exists then.
            return stopWatching()
        }
        guard DisplayName.isFile(socket.path) else { return }
        // A server binds its socket before it listens: the first attempt may be too early, and the next must be soon.
        pause = Self.minPause / 2
        cancelTimer()
        if target.state() == .connecting { hasNews = true } else { attempt() }
    }
}

extension Reconnector.Target {
    /// An X display. No connection is attempted while the bridge leaves.
    package init(_ display: DisplayProxy, of service: Service) {
        state = { [unowned display, unowned service] in
            switch display.state {
            case .lost where !service.isLeaving: .lost
            case .opening: .connecting
            case .lost, .none, .attached: .connected
            }
        }
        socketPath = { [unowned display] in display.name.flatMap { DisplayName($0) }?.socketPath }
        connect = { [unowned display] in
            if case .lost(let name) = display.state { display.attach(name) }
        }
    }
}
