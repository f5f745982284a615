package import LinuxSystem
package import PasteboardWire
import SystemPackage

/// A finder of a client's bridge: the bridge of the client's display, or the user's only bridge. The finder starts a
/// bridge if none is running.
package struct BridgeFinder {
    /// The action to take if no bridge answers.
    package enum Start: Sendable {
        case never
        /// Start a bridge for the display, but none without a display.
        case forDisplay
        /// Start a bridge in any case, even without a display.
        case always
    }

    /// A connection, and the path of its socket.
    package typealias Found = (connection: ClientConnection, path: String)

    private let display: SessionDisplay?
    private let environment: [String: String]
    private let runtimeDirectory: RuntimeDirectory
    private let timeout: Duration

    /// - Parameters:
    ///   - display: The X display to use. The default is the display that DISPLAY names, or else the Wayland display
    ///     that WAYLAND_DISPLAY names.
    ///   - timeout: The time that a bridge may take to start.
    /// - Throws: ``BridgeClientError`` with code `unavailable` if the display's name is malformed or the folder of the
    ///   sockets is not the user's own.
    package init(display: String?, environment: [String: String], timeout: Duration) throws(BridgeClientError) {
        let x11 = try RequestedDisplay.chosen(option: display, environment: environment)
        // WAYLAND_DISPLAY belongs to the same session as DISPLAY, not to any other X display.
        let isOfSession = x11.map { !$0.isFromOption && !$0.name.isForwarded } ?? true
        var wayland = isOfSession ? WaylandName(environment: environment) : nil
        if let refusal = wayland?.refusal {
            if x11 == nil { throw BridgeClientError(code: .unavailable, message: refusal) }
            wayland = nil
        }
        self.display = SessionDisplay(x11: x11, wayland: wayland)
        self.environment = environment
        self.timeout = timeout
        do {
            runtimeDirectory = try RuntimeDirectory(environment: environment)
        } catch {
            throw BridgeClientError(code: .unavailable, message: "\(error)")
        }
    }

    package func connect(start: Start) throws(BridgeClientError) -> Found {
        guard let display else { return try connectWithoutDisplay(start: start) }
        if let found = try open(display.key) {
            sendAuthority(of: display, to: found)
            return found
        }
        if display.x11 == nil, let found = try onlyBridge() { return found }
        // A bridge of the session's other display, or a bridge without a display, is attached to this display, unless
        // that bridge runs in a container and does not reach the display.
        var refusal: BridgeClientError?
        for key in [display.otherKey, DisplayName.keyWithoutDisplay].compactMap(\.self) {
            do throws(BridgeClientError) {
                if let found = try attach(display, at: key) { return found }
            } catch {
                refusal = error
            }
        }
        guard start != .never else {
            if let refusal { throw refusal }
            throw BridgeClientError(
                code: .unavailable,
                message: "no bridge is running for \(display.description) yet",
                context: .init(cause: .noBridge))
        }
        do throws(BridgeClientError) {
            return try launch(display)
        } catch {
            // A container may have the bridge's socket, but neither xpbd nor the right DISPLAY.
            if error.context.cause == .noProgram, let found = try onlyBridge() { return found }
            throw refusal ?? error
        }
    }

    /// Connects to the user's only bridge.
    ///
    /// A bridge that has more than one display, or none yet, answers on several sockets, so bridges are distinguished
    /// by their processes.
    private func connectWithoutDisplay(start: Start) throws(BridgeClientError) -> Found {
        let bridges = try openAll()
        if start == .always {
            if let found = only(of: bridges) { return found }
            if let found = try open(DisplayName.keyWithoutDisplay) { return found }
            return try launch(nil)
        }
        if bridges.isEmpty {
            if let found = try linkedBridge() { return found }
            throw BridgeClientError(
                code: .unavailable,
                message: "neither DISPLAY nor WAYLAND_DISPLAY is set, and no bridge is running",
                context: .init(cause: .noDisplay))
        }
        if let found = only(of: bridges) { return found }
        let keys = bridges.map(\.key).joined(separator: ", ")
        throw BridgeClientError(
            code: .unavailable,
            message: "DISPLAY is not set and several bridges are running (\(keys))",
            context: .init(cause: .severalBridges))
    }

    /// Connects to the bridge of the machine that made a link to this one.
    ///
    /// - Returns: nil if there is no link.
    private func linkedBridge() throws(BridgeClientError) -> Found? {
        guard let folder = try? LinkFolder(in: runtimeDirectory) else { return nil }
        var links: [String: Found] = [:]
        for (machine, path) in folder.latest() {
            if let connection = try? ClientConnection.connect(path: path) { links[machine] = (connection, path) }
        }
        if let wanted = environment["XPB_LINK"], !wanted.isEmpty {
            guard let found = links[LinkFolder.fileName(of: wanted)] else {
                throw BridgeClientError(
                    code: .unavailable, message: "there is no link from '\(wanted)', which XPB_LINK names")
            }
            return found
        }
        guard links.count > 1 else { return links.first?.value }
        let machines = links.keys.sorted().joined(separator: ", ")
        throw BridgeClientError(
            code: .unavailable, message: "several machines have a link to this one (\(machines)); set XPB_LINK to one")
    }

    private func openAll() throws(BridgeClientError) -> [(key: String, found: Found)] {
        var bridges: [(key: String, found: Found)] = []
        for key in runtimeDirectory.sockets() {
            if let found = try open(key) { bridges.append((key, found)) }
        }
        return bridges
    }

    /// Returns a connection to the bridge if all connections lead to the same bridge. A closed connection does not
    /// count: its bridge has ended, or has given up that display.
    private func only(of bridges: [(key: String, found: Found)]) -> Found? {
        if bridges.count == 1 { return bridges[0].found }
        var processes: [Int: Found] = [:]
        for bridge in bridges {
            do {
                let status = try bridge.found.connection.call(
                    Methods.Status.self, .init(), idleTimeout: timeout + BridgeClient.grace)
                processes[status.reply.process] = bridge.found
            } catch ClientFault.closed {
                continue
            } catch {
                return nil
            }
        }
        return processes.count == 1 ? processes.first?.value : nil
    }

    /// Returns a connection to the user's only bridge if it has an X display: a program of a session with both displays
    /// may know only the Wayland display.
    private func onlyBridge() throws(BridgeClientError) -> Found? {
        let bridges = try openAll()
        guard bridges.contains(where: { $0.key != DisplayName.keyWithoutDisplay }) else { return nil }
        return only(of: bridges)
    }

    /// Sends the bridge the user's current X authority.
    ///
    /// The X server may have been restarted, and may require a different authority from the one that the bridge was
    /// started with. The call costs no round trip, and changes nothing for a bridge whose display answers.
    private func sendAuthority(of display: SessionDisplay, to found: Found) {
        guard let display = display.x11, let authority = environment["XAUTHORITY"], !authority.isEmpty else {
            return
        }
        let request = Methods.Attach.Parameters(display: display.string, authority: authority)
        // If the connection is broken, the next call reports it.
        try? found.connection.callOneway(Methods.Attach.self, request, idleTimeout: timeout)
    }

    /// Attaches the bridge that is found at a key to this display.
    ///
    /// - Returns: nil if there is no such bridge, or it has another display already.
    private func attach(_ display: SessionDisplay, at key: String) throws(BridgeClientError) -> Found? {
        guard let found = try open(key) else { return nil }
        do {
            let request = Methods.Attach.Parameters(
                display: display.attachedName, authority: environment["XAUTHORITY"],
                timeout: timeout.millisecondsRoundedUp)
            _ = try found.connection.call(Methods.Attach.self, request, idleTimeout: timeout + BridgeClient.grace)
            return found
        } catch let error as BridgeError where error.code == .displayUnavailable {
            throw unavailable(display, error.message)
        } catch {
            // The bridge is ending, or it serves another display and accepts no second display.
            return nil
        }
    }

    private func launch(_ display: SessionDisplay?) throws(BridgeClientError) -> Found {
        let deadline = ContinuousClock.now + timeout
        let key = display?.key ?? DisplayName.keyWithoutDisplay
        let launcher = BridgeLauncher(environment: environment)
        var budget = RepeatBudget(timeout: timeout)
        while true {
            switch try launcher.start(display: display?.x11?.string, wayland: display?.wayland, until: deadline) {
            case .ready:
                if let found = try open(key) { return found }
                // Another program has ended that bridge.
                if budget.take() { continue }
                throw BridgeClientError(
                    code: .unavailable, message: "the bridge was started but has already ended; run xpbd to see why")
            case .busy:
                if let found = try awaitOther(key, until: deadline) { return found }
            case .served(let process, let message):
                if let found = bridge(ofProcess: process, key) { return found }
                guard let display else { throw BridgeClientError(code: .unavailable, message: message) }
                throw unavailable(display, message)
            case .failed(_, let message):
                guard let display else { throw BridgeClientError(code: .unavailable, message: message) }
                throw unavailable(display, message)
            case .none:
                if budget.take() { continue }
                let fault = launcher.fault(until: .now + timeout).map { ": \($0)" }
                throw BridgeClientError(
                    code: .unavailable,
                    message: "the bridge ended while it was starting\(fault ?? "; run xpbd to see why")")
            }
        }
    }

    /// Connects to a bridge of this user whose socket is in another folder, since its XDG_RUNTIME_DIR is different:
    /// this program may run in a snap, or may be started by cron(8), at(1) or su(1).
    private func bridge(ofProcess process: Int32, _ key: String) -> Found? {
        for path in UnixSocket.paths(named: key + RuntimeDirectory.socketSuffix) {
            guard let connection = try? ClientConnection.connect(path: path),
                (try? PeerCredentials.of(connection.fileDescriptor))?.process == process
            else { continue }
            return (connection, path)
        }
        return nil
    }

    /// The time after which starting a bridge is tried again while another bridge holds the lock. The release of the
    /// lock cannot be watched.
    private static let lockTimeout = Duration.milliseconds(100)

    /// Waits for another bridge that holds the lock. It is about to answer, or about to end and release the lock.
    ///
    /// - Returns: nil if the other bridge may have ended.
    private func awaitOther(
        _ key: String, until deadline: ContinuousClock.Instant
    ) throws(BridgeClientError) -> Found? {
        do {
            let watch = try FolderWatch(folder: runtimeDirectory.folder)
            _ = try watch.waitForEntry(named: "\(key).sock", until: min(deadline, .now + Self.lockTimeout))
        } catch {
            throw BridgeClientError(code: .unavailable, message: "the bridge cannot be awaited: \(error)")
        }
        if let found = try open(key) { return found }
        guard ContinuousClock.now < deadline else {
            throw BridgeClientError(
                code: .unavailable,
                message: "another bridge is starting or ending and does not answer; see what holds "
                    + runtimeDirectory.lockPath(key))
        }
        return nil
    }

    /// Connects to a socket.
    ///
    /// - Returns: nil if no bridge listens: there is no socket, or a killed bridge left it behind.
    private func open(_ key: String) throws(BridgeClientError) -> Found? {
        let path = runtimeDirectory.socketPath(key)
        do throws(Errno) {
            return (try ClientConnection.connect(path: path), path)
        } catch .notPermitted {
            throw BridgeClientError(
                code: .unavailable,
                message: "another user listens at \(path) and could read copied contents; remove that socket")
        } catch {
            return nil
        }
    }

    private func unavailable(_ display: SessionDisplay, _ reason: String) -> BridgeClientError {
        BridgeClientError(code: .unavailable, message: "\(display.description) cannot be used: \(reason)")
    }
}

/// The displays of a session, used to look for a client's bridge: an X display, a Wayland display, or both.
private struct SessionDisplay {
    let x11: RequestedDisplay?
    let wayland: WaylandName?
    /// The key of the bridge to look for first.
    let key: String
    /// The name that a bridge uses to attach to the display of that key.
    let attachedName: String
    /// The name of the display of that key in messages.
    let description: String

    /// - Returns: nil if there is neither display.
    init?(x11: RequestedDisplay?, wayland: WaylandName?) {
        self.x11 = x11
        self.wayland = wayland
        if let x11 {
            (key, attachedName, description) = (x11.name.key, x11.string, x11.description)
        } else if let wayland {
            let description = "WAYLAND_DISPLAY, which is '\(wayland.canonical)',"
            (key, attachedName, self.description) = (wayland.key, wayland.prefixed, description)
        } else {
            return nil
        }
    }

    /// The key of the bridge that serves the session's Wayland display, if there is an X display too.
    var otherKey: String? { x11 == nil ? nil : wayland?.key }
}

/// The X display that a client asks for, and the place where it was named.
package struct RequestedDisplay: Sendable {
    package let string: String
    package let name: DisplayName
    /// True if an option names the display, and not DISPLAY.
    package let isFromOption: Bool

    /// The name of the display in messages.
    package var description: String {
        isFromOption ? "the display '\(string)'" : "DISPLAY, which is '\(string)',"
    }

    /// Chooses the display that an option names, or else the display that DISPLAY names.
    ///
    /// - Returns: nil if neither names a display.
    /// - Throws: ``BridgeClientError`` with code `unavailable` for a malformed name.
    package static func chosen(
        option: String?, environment: [String: String]
    ) throws(BridgeClientError) -> RequestedDisplay? {
        guard let string = option ?? environment["DISPLAY"], !string.isEmpty else { return nil }
        guard let name = DisplayName(string) else {
            let origin = option == nil ? "DISPLAY is '\(string)', which" : "the display '\(string)'"
            throw BridgeClientError(
                code: .unavailable,
                message: "\(origin) is not the name of a display; such a name is like :0 or host:10.0")
        }
        return RequestedDisplay(string: string, name: name, isFromOption: option != nil)
    }
}
