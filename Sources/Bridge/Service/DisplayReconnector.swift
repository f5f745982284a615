import EventLoop
import LinuxSystem
import PasteboardWire

/// Brings the bridge back to a display whose X server went away: it tries again after growing pauses, and at once when
/// the display's socket appears. Clients that ask make it try as well; how that ends is told here all the same.
final class DisplayReconnector {
    private let link: DisplayProxy
    private unowned let service: Service
    private let loop: EventLoop
    private var pause = shortest
    /// Set while a pause lasts.
    private var alarm: TimerQueue.Number?
    private var watch: (folder: FolderWatch, registration: Registration)?
    /// The socket appeared while an attempt was under way, which may have been too early for it.
    private var hasNews = false

    static let shortest = Duration.milliseconds(250)
    static let longest = Duration.seconds(30)

    init(_ link: DisplayProxy, service: Service, loop: EventLoop) {
        self.link = link
        self.service = service
        self.loop = loop
    }

    /// The X server went away.
    func begin() {
        pause = Self.shortest
        hasNews = false
        wait()
    }

    /// The display is attached.
    func end() {
        if let alarm { service.alarms.cancel(alarm) }
        alarm = nil
        unwatch()
    }

    /// An attempt failed, whoever made it.
    func failed() {
        guard case .lost = link.state else { return }
        if hasNews {
            hasNews = false
            return attempt()
        }
        // A client's attempt in the middle of a pause leaves that as it is.
        guard alarm == nil else { return }
        pause = min(pause * 2, Self.longest)
        wait()
    }

    private func wait() {
        // Watched from before the next attempt: what appears behind that is seen.
        startWatching()
        alarm = service.alarms.set(.now + pause) { [unowned self] in
            alarm = nil
            attempt()
        }
    }

    private func attempt() {
        guard case .lost(let display) = link.state, !service.isLeaving else { return }
        link.attach(display)
    }

    // MARK: The socket

    /// Of the display, and the folder that it is in; nil for one that has none here.
    private var socket: (path: String, folder: String)? {
        guard let path = link.display.flatMap({ DisplayName($0) })?.socketPath,
            let slash = path.lastIndex(of: "/")
        else { return nil }
        return (path, slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// Where the folder is not there, the pauses have to do.
    private func startWatching() {
        guard watch == nil, let socket, let folder = try? FolderWatch(folder: socket.folder) else { return }
        let registration = loop.add(folder.fileDescriptor, interest: .readable) { [unowned self] _ in
            somethingAppeared()
        }
        watch = (folder, registration)
    }

    private func unwatch() {
        watch?.registration.cancel()
        watch = nil
    }

    private func somethingAppeared() {
        guard let socket, (try? watch?.folder.drain()) != nil, DisplayName.isFile(socket.folder) else {
            // A folder that was removed is seen again, once there is one, after the next pause.
            return unwatch()
        }
        guard DisplayName.isFile(socket.path) else { return }
        // It is bound before it listens: the first attempt may come too early, and the next is not to be late.
        pause = Self.shortest / 2
        if let alarm { service.alarms.cancel(alarm) }
        alarm = nil
        if case .opening = link.state { hasNews = true } else { attempt() }
    }
}
