import BridgeState
import Configuration
import EventLoop
import Glibc
import LinuxSystem
import Logging
package import PasteboardWire
package import SelectionProtocol
import X11Bridge

/// The role of the display's clipboard manager: the selection CLIPBOARD_MANAGER (freedesktop.org, "Clipboard Manager
/// Specification").
package final class ClipboardManagerRole {
    package enum Holder {
        case nobody
        /// This bridge, with the offer on the selection.
        case bridge(OfferID)
        case other(WindowID)
        /// The compositor of a Wayland session. wlroots takes the role and saves nothing.
        case compositor
    }

    private let display: DisplayProxy
    private let settings: Settings
    private let versions: VersionFactory
    private let lifetime: BridgeLifetime
    private let executor: EventLoopExecutor
    private let logger: Logger
    /// The holder of the role; nil while there is no display.
    private(set) var holder: Holder?
    /// The time at which the holder took the role, in milliseconds since the Unix epoch.
    private var since = 0
    /// The process and program of another holder, once they are known.
    private var process: Int32?
    private var program: String?
    /// The offer of a claim under way.
    private var claiming: OfferID?

    init(
        display: DisplayProxy, settings: Settings, versions: VersionFactory, lifetime: BridgeLifetime,
        executor: EventLoopExecutor, logger: Logger
    ) {
        self.display = display
        self.settings = settings
        self.versions = versions
        self.lifetime = lifetime
        self.executor = executor
        self.logger = logger
    }

    // MARK: The holder

    /// Returns true for a clipboard manager: the holder of the role, a program that the settings name, or one that
    /// sends the clipboard elsewhere. A read by a manager is not a paste.
    package func isManager(process: Int32) -> Bool {
        if case .other = holder, self.process == process { return true }
        return ProcessName.of(process).map(settings.configuration.isManager(named:)) ?? false
    }

    /// True if another program has the role.
    var isOther: Bool {
        if case .other = holder { true } else { false }
    }

    /// The holder, for the status.
    package var owner: WireOwner? {
        switch holder {
        case nil, .compositor: nil
        case .nobody: WireOwner(kind: .none, since: since)
        case .bridge:
            WireOwner(kind: .client, process: Int(getpid()), program: ProcessName.of(getpid()), since: since)
        case .other(let window):
            WireOwner(
                kind: .window, window: Int(window.id), process: process.map { Int($0) }, program: program, since: since)
        }
    }

    // MARK: Events of the display

    /// Records a change of the holder. If nobody holds the role, claims it.
    func ownerChanged(to owner: OwnershipTracker.Owner) {
        since = UnixTime.now
        process = nil
        program = nil
        // A claim under way was made before this change.
        claiming = nil
        switch owner {
        case .none: holder = .nobody
        case .ours(let offer): holder = .bridge(offer)
        case .compositor: holder = .compositor
        case .foreign(let window):
            if case .bridge = holder { logger.notice("another program became the clipboard manager") }
            holder = .other(window)
            executor.start { [self] in await identify(window) }
        }
        refresh()
    }

    private func identify(_ window: WindowID) async {
        let process = await display.process(of: window, within: .seconds(5))
        guard case .other(window) = holder else { return }
        self.process = process
        program = process.flatMap { ProcessName.of($0) }
    }

    func detached() { holder = nil }

    // MARK: Claiming

    /// Claims the role if it is free and the settings say so. Gives it up if the settings do not.
    package func refresh() {
        let isWanted = settings.configuration.manager && !display.isGuest && !lifetime.isLeaving
        switch holder {
        case .nobody where isWanted && claiming == nil: executor.start { [self] in await claim() }
        case .bridge(let offer) where !settings.configuration.manager: display.withdraw(offer)
        default: break
        }
    }

    private func claim() async {
        let id = versions.nextID()
        claiming = id
        let save = Offer.Target(name: ClipboardManagerProtocol.saveTargets, type: "NULL", body: 0)
        let offer = Offer(
            id: id, selection: ClipboardManagerProtocol.selection, targets: [save],
            bodies: [Offer.Body(content: .performed(within: SaveTargetsHandler.timeout))])
        // No call waits for the claim: an X server that does not react now performs it later.
        let outcome = await display.claim(offer, .ifUnowned, within: CallTimeout.max)
        if claiming == id { claiming = nil }
        switch outcome {
        case .done: logger.info("this bridge is the clipboard manager")
        // A faster program is reported by a change of owner.
        case .lost, .timedOut, .noDisplay, .nameLimit: logger.debug("not the clipboard manager: \(outcome)")
        }
    }
}

extension Configuration {
    /// Returns true for a program that the settings name, or that sends the clipboard elsewhere.
    package func isManager(named program: String) -> Bool {
        isHistory(named: program) || Self.isSender(named: program)
    }

    /// Returns true for a clipboard manager that the settings name, which may put back the contents of a program that
    /// has ended.
    package func isHistory(named program: String) -> Bool {
        managers.contains { ProcessName.isName(program, of: $0) }
    }

    /// Returns true for a program that sends the clipboard to another display or machine.
    package static func isSender(named program: String) -> Bool {
        senders.contains { ProcessName.isName(program, of: $0) }
    }
}
