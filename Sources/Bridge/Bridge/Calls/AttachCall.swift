import BridgeServer
import BridgeState
import EventLoop
import LinuxSystem
import PasteboardWire
import X11Bridge
import X11Display

/// Serving a display that a client names: `Attach`.
extension Service {
    func attach(_ parameters: Methods.Attach.Parameters) async throws(BridgeError) {
        let runtimeDirectory = ThisProcess.environment()["XDG_RUNTIME_DIR"]
        if let name = WaylandName(prefixed: parameters.display, runtimeDirectory: runtimeDirectory) {
            return try await attach(name, within: CallTimeout.of(parameters.timeout))
        }
        let wanted = DisplayName(parameters.display)
        if let present = display.name, DisplayName(present) != wanted {
            throw BridgeError(.refused, "this bridge serves display \(present)")
        }
        if display.isAttached { return }
        // A bridge that started without a display outlives the server, and would keep its contents for the next server.
        if display.name == nil, DisplayName.isForOneCommand(authority: parameters.authority) {
            throw BridgeError(.refused, "\(parameters.display) was started by xvfb-run, and gets a bridge of its own")
        }
        guard wanted != nil else {
            throw BridgeError(.displayUnavailable, "'\(parameters.display)' is not the name of a display")
        }
        do {
            try host?.willAttach(parameters.display)
        } catch {
            throw BridgeError(.refused, error.description)
        }
        let timeout = CallTimeout.of(parameters.timeout)
        switch await open(parameters.display, authority: parameters.authority, until: .now + timeout) {
        // Wait for the claims of the present contents, which were sent earlier.
        case .success: await display.catchUp(within: timeout)
        case .failure(let failure):
            if display.name == nil { host?.didNotAttach(parameters.display) }
            if case .notXwayland = failure { throw BridgeError(.refused, failure.message) }
            throw BridgeError(.displayUnavailable, failure.message)
        case nil:
            // The display may still open, or fail to open later.
            executor.start { [self] in
                guard case .failure = await display.awaitAttachment(within: CallTimeout.max), display.name == nil
                else { return }
                host?.didNotAttach(parameters.display)
            }
            throw .displayDoesNotOpen
        }
    }

    private func attach(_ name: WaylandName, within timeout: Duration) async throws(BridgeError) {
        do {
            try await host?.attach(name, within: timeout)
        } catch {
            throw BridgeError(error.reason == .misuse ? .refused : .displayUnavailable, error.description)
        }
    }

    /// Opens a display. If the display is already being opened with another authority, perhaps an earlier session's,
    /// waits for that attempt, and tries again if the attempt fails.
    ///
    /// - Returns: nil if the display does not open in time.
    private func open(
        _ name: String, authority: String?, until deadline: ContinuousClock.Instant
    ) async -> Result<Void, AttachFailure>? {
        let isOtherAuthority =
            display.isOpening && display.adoptsAuthority && authority != nil && authority != display.authority
        display.attach(name, authority: authority)
        let result = await display.awaitAttachment(within: deadline - .now)
        guard isOtherAuthority, case .failure = result, !isLeaving else { return result }
        display.attach(name, authority: authority)
        return await display.awaitAttachment(within: deadline - .now)
    }
}

extension AttachFailure {
    /// The failure as a message to the user.
    var message: String {
        switch self {
        case .display(.cannotOpen(let name)):
            "no X server answers at display '\(name)', or it refuses access; check DISPLAY and XAUTHORITY"
        case .display(.noXFixes(let name)):
            "the X server of display '\(name)' has no XFixes extension, without which changes cannot be seen; "
                + "start it with that extension"
        case .notXwayland(let name):
            "this bridge serves a Wayland session, and display '\(name)' is not that of its Xwayland"
        case .served(let process):
            "another bridge serves this display\(process.map { " (process \($0))" } ?? ""), "
                + "and is not found in this XDG_RUNTIME_DIR"
        }
    }
}
