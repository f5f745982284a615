import LinuxSystem
package import PasteboardWire
import SystemPackage

/// Finds the bridge a client means: that of its display, or the user's only one; starts one where none runs.
package struct BridgeFinder {
    /// What to do where no bridge answers.
    package enum Start: Sendable {
        case never
        /// Start one for the display; without a display there is nothing to start it for.
        case forDisplay
        /// Start one in any case, without a display if there is none.
        case always
    }

    private let display: WantedDisplay?
    private let environment: [String: String]
    private let rendezvous: Rendezvous
    private let patience: Duration

    /// - Parameters:
    ///   - display: Instead of DISPLAY.
    ///   - patience: How long a bridge may take to start.
    /// - Throws: ``PasteboardError`` with code `unavailable`, if the display's name is none or the folder of the sockets is
    ///   not the user's own.
    package init(display: String?, environment: [String: String], patience: Duration) throws(PasteboardError) {
        self.display = try WantedDisplay.chosen(option: display, environment: environment)
        self.environment = environment
        self.patience = patience
        do {
            rendezvous = try Rendezvous(environment: environment)
        } catch {
            throw PasteboardError(code: .unavailable, message: "\(error)")
        }
    }

    /// A connection, and the socket it leads to.
    package typealias Found = (connection: ClientConnection, path: String)

    package func connect(start: Start) throws(PasteboardError) -> Found {
        guard let display else { return try connectWithoutDisplay(start: start) }
        if let found = try open(display.name.key) {
            tellAuthority(of: display, to: found)
            return found
        }
        if let connection = try attach(display) { return connection }
        guard start != .never else {
            throw PasteboardError(
                code: .unavailable,
                message: "no bridge runs for \(display.description) yet; start it with xpb bridge start")
        }
        return try launch(display)
    }

    /// A bridge that has more than one display, or none yet, answers on several sockets: it is known by its process.
    private func connectWithoutDisplay(start: Start) throws(PasteboardError) -> Found {
        if start == .always {
            if let found = try open(DisplayName.keyOfNone) { return found }
            return try launch(nil)
        }
        var bridges: [(key: String, found: Found)] = []
        for key in rendezvous.sockets() {
            if let found = try open(key) { bridges.append((key, found)) }
        }
        if bridges.count == 1 { return bridges[0].found }
        if bridges.isEmpty {
            throw PasteboardError(
                code: .unavailable,
                message: "DISPLAY is not set and no bridge runs; set DISPLAY (such as DISPLAY=:0), or start a bridge "
                    + "without a display: xpb bridge start")
        }
        let processes = Set(bridges.map { process(of: $0.found.connection) })
        if processes.count == 1, processes != [nil] { return bridges[0].found }
        let keys = bridges.map(\.key).joined(separator: ", ")
        throw PasteboardError(
            code: .unavailable,
            message: "DISPLAY is not set and several bridges run (\(keys)); choose one with --display or DISPLAY")
    }

    /// The bridge's X server may have gone away, and the one that is back may ask for another authority than the bridge
    /// was started with. It costs no round trip, and changes nothing for a bridge whose display answers.
    private func tellAuthority(of display: WantedDisplay, to found: Found) {
        guard let authority = environment["XAUTHORITY"], !authority.isEmpty else { return }
        let request = Methods.Attach.Parameters(display: display.string, authority: authority)
        // A connection that is broken says so at the next call.
        try? found.connection.tell(Methods.Attach.self, request, silence: patience)
    }

    /// Tells a bridge that has no display of this one. Nil where there is none, or it has another display already.
    private func attach(_ display: WantedDisplay) throws(PasteboardError) -> Found? {
        guard let found = try open(DisplayName.keyOfNone) else { return nil }
        do {
            let request = Methods.Attach.Parameters(
                display: display.string, authority: environment["XAUTHORITY"], timeout: patience.startedMilliseconds)
            _ = try found.connection.call(Methods.Attach.self, request, silence: patience + BridgeClient.grace)
            return found
        } catch let error as BridgeError where error.code == .displayUnavailable {
            throw unavailable(display, error.message)
        } catch {
            // It is going away, or it serves another display and wants no second one.
            return nil
        }
    }

    private func launch(_ display: WantedDisplay?) throws(PasteboardError) -> Found {
        let deadline = ContinuousClock.now + patience
        let key = display?.name.key ?? DisplayName.keyOfNone
        let launcher = BridgeLauncher(environment: environment)
        while true {
            switch try launcher.start(display: display?.string, until: deadline) {
            case .ready:
                if let connection = try open(key) { return connection }
                throw PasteboardError(
                    code: .unavailable, message: "the bridge was started and is gone again; run xpbd to see why")
            case .busy:
                if let connection = try awaitOther(key, until: deadline) { return connection }
            case .failed(_, let message):
                guard let display else { throw PasteboardError(code: .unavailable, message: message) }
                throw unavailable(display, message)
            case .none:
                throw PasteboardError(
                    code: .unavailable, message: "the bridge ended while it was starting; run xpbd to see why")
            }
        }
    }

    /// Another bridge has the lock: it is about to answer, or it is about to end, and then the lock is free again.
    ///
    /// - Returns: nil if it has ended.
    private func awaitOther(
        _ key: String, until deadline: ContinuousClock.Instant
    ) throws(PasteboardError) -> Found? {
        do {
            let watch = try FolderWatch(folder: rendezvous.folder)
            _ = try watch.waitForEntry(named: "\(key).sock", until: deadline)
        } catch {
            throw PasteboardError(code: .unavailable, message: "the bridge cannot be awaited: \(error)")
        }
        if let connection = try open(key) { return connection }
        guard ContinuousClock.now < deadline else {
            throw PasteboardError(
                code: .unavailable,
                message:
                    "another bridge is starting or ending and does not answer; see what holds \(rendezvous.lockPath(key))"
            )
        }
        return nil
    }

    /// Nil where nobody listens: there is no socket, or one that a killed bridge left behind.
    private func open(_ key: String) throws(PasteboardError) -> Found? {
        let path = rendezvous.socketPath(key)
        do throws(Errno) {
            return (try ClientConnection.connect(path: path), path)
        } catch .notPermitted {
            throw PasteboardError(
                code: .unavailable,
                message: "another user listens at \(path), who could read what is copied; remove that socket")
        } catch {
            return nil
        }
    }

    private func process(of connection: ClientConnection) -> Int? {
        try? connection.call(Methods.Status.self, .init(), silence: BridgeClient.grace).reply.process
    }

    private func unavailable(_ display: WantedDisplay, _ reason: String) -> PasteboardError {
        // What stands in the way may be another than the X server, and has its own next step then.
        let advice = reason.contains("; ") ? "" : "; see that the X server runs, or name another display"
        return PasteboardError(
            code: .unavailable, message: "no use of \(display.description) can be made: \(reason)\(advice)")
    }
}
