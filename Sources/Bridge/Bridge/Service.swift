package import BridgeServer
package import BridgeState
import Configuration
package import EventLoop
package import FormatConversion
package import LinuxSystem
package import Logging
package import PasteboardModel
package import PasteboardWire
import SelectionCrossing
import SelectionProtocol
package import X11Bridge

/// The bridge around the service, which owns the clients and the sockets.
package protocol ServiceHost: AnyObject {
    var clientCount: Int { get }
    var clientUse: ClientUse { get }
    /// Shuts the bridge down.
    ///
    /// - Parameter successor: True if another bridge will restore the stored contents.
    func leave(toSuccessor successor: Bool)
    /// Prepares to serve a display that a client names, or throws the reason why the bridge cannot serve it.
    func willAttach(_ display: String) throws(BridgeFailure)
    func didNotAttach(_ display: String)
    /// Serves a Wayland display that a client names, or throws the reason why the bridge cannot serve it.
    func attach(_ display: WaylandName, within timeout: Duration) async throws(BridgeFailure)
    func settingsDidChange()
    /// The state of the Wayland display; nil if there is none.
    var waylandDisplay: WireWaylandDisplay? { get }
}

/// The work of the service thread: the pasteboards, their holders, and the calls of clients.
///
/// The service never calls Xlib and never blocks. A call is an `async` function, which the event loop runs: see
/// ``EventLoopExecutor``. Between two suspensions nothing else runs, so a condition that was checked before an `await`
/// is checked again after it. Each concern is a type with its own state; the service connects them.
package final class Service {
    package let executor: EventLoopExecutor
    let display: DisplayProxy
    package let store = StoreProxy()
    package let registry: PasteboardRegistry
    package let settings: Settings
    package let logger: Logger
    let started = UnixTime.now
    /// See ``BridgeOptions/inherited``.
    var inherited: [String] = []
    package weak var host: (any ServiceHost)?

    let versions: VersionFactory
    package let persistence: PasteboardPersistence
    package let ownership: SelectionOwnership
    package let seat: SeatOwnership
    let crossing: CrossingDriver
    let foreign: ForeignSelections
    let changes: PasteboardChanges
    let sync: PasteboardSync
    package let notifier: ChangeNotifier
    package let captures: CaptureController
    package let expiry: ExpiryScheduler
    let pasteOnce: PasteOnceTracker
    let saveTargets: SaveTargetsHandler
    /// A lock that is held during an import into the history.
    let imports = AsyncMutex()
    package let clipboardManager: ClipboardManagerRole
    package let promiseTickets = PromiseTickets()
    package let quotas: ClientQuotas
    package let links = LinkRegistry()
    package let origins = OriginClock()
    let callsUnderway = CallsUnderway()
    package let lifetime = BridgeLifetime()

    package init(
        display: DisplayProxy, conversions: ConversionPool, settings: Settings, executor: EventLoopExecutor,
        logger: Logger
    ) {
        self.display = display
        self.settings = settings
        self.executor = executor
        self.logger = logger
        let configuration = settings.configuration
        registry = PasteboardRegistry(at: UnixTime.now) {
            RestorableContents.undoStack(levels: configuration.undoLevels)
        }
        versions = VersionFactory(settings: settings, pool: conversions, display: display, executor: executor)
        persistence = PasteboardPersistence(
            store: store, registry: registry, versions: versions, settings: settings, display: display,
            executor: executor, logger: logger)
        expiry = ExpiryScheduler(timers: executor.timers)
        pasteOnce = PasteOnceTracker(timers: executor.timers)
        seat = SeatOwnership(
            registry: registry, x11Display: display, pasteOnce: pasteOnce, executor: executor, logger: logger)
        ownership = SelectionOwnership(
            registry: registry, display: display, seat: seat, versions: versions, lifetime: lifetime, logger: logger)
        foreign = ForeignSelections(display: display, seat: seat, versions: versions)
        notifier = ChangeNotifier(display: display, foreign: foreign, executor: executor)
        captures = CaptureController(
            display: display, settings: settings, versions: versions, persistence: persistence, foreign: foreign,
            lifetime: lifetime, executor: executor, logger: logger)
        changes = PasteboardChanges(
            registry: registry, origins: origins, display: display, persistence: persistence, captures: captures,
            expiry: expiry, notifier: notifier, logger: logger)
        crossing = CrossingDriver(
            registry: registry, ownership: ownership, seat: seat, foreign: foreign, captures: captures,
            changes: changes, persistence: persistence, settings: settings, executor: executor, logger: logger)
        sync = PasteboardSync(
            registry: registry, persistence: persistence, settings: settings, versions: versions, foreign: foreign,
            executor: executor,
            logger: logger)
        saveTargets = SaveTargetsHandler(
            registry: registry, display: display, ownership: ownership, captures: captures, lifetime: lifetime,
            executor: executor)
        clipboardManager = ClipboardManagerRole(
            display: display, settings: settings, versions: versions, lifetime: lifetime, executor: executor,
            logger: logger)
        quotas = ClientQuotas(limits: configuration.limits, bytes: display.bytes)
        connectConcerns()
        display.apply(configuration.limits)
        seat.apply(configuration.limits)
        for pasteboard in registry.all { display.watch(pasteboard.selection) }
        display.watch(ClipboardManagerProtocol.selection)
    }

    private func connectConcerns() {
        persistence.didRestore = { [unowned self] pasteboard in
            display.watch(pasteboard.selection)
            expiry.versionChanged(on: pasteboard)
        }
        changes.onStep = { [unowned self] pasteboard in
            if !isLeaving { sync.changed(pasteboard) }
        }
        crossing.onCapture = { [unowned self] pasteboard in
            if !isLeaving { sync.captured(pasteboard) }
        }
        captures.onForget = { [unowned self] version, pasteboard in sync.forget(version, of: pasteboard) }
        sync.writer = PasteboardSync.Writer { [unowned self] (version, pasteboard) throws(BridgeError) in
            _ = try await asWriter(of: pasteboard) { () async throws(BridgeError) in
                try await write(version, to: pasteboard, for: nil, within: CallTimeout.default)
            }
        } clear: { [unowned self] (pasteboard, origin) throws(BridgeError) in
            _ = try await asWriter(of: pasteboard) { () async throws(BridgeError) in
                try await clear(pasteboard, origin, within: CallTimeout.default)
            }
        }
        expiry.onExpiry = { [unowned self] version, pasteboard in removeContents(version, of: pasteboard) }
        pasteOnce.onSpent = { [unowned self] version, pasteboard, following in
            if following.isEmpty {
                removeContents(version, of: pasteboard)
            } else {
                executor.start { [self] in await restore(following, after: version, on: pasteboard) }
            }
            if ownership.offered(version) == nil { pasteOnce.forget(version) }
        }
    }

    /// True once the bridge is leaving: see ``BridgeLifetime/isLeaving``.
    package var isLeaving: Bool { lifetime.isLeaving }

    /// Restores the pasteboards from the store: see ``PasteboardPersistence/restore(from:awaitingOther:)``.
    package func restore(
        from folder: Result<String, StoreAbsence>, awaitingOther deadline: ContinuousClock.Instant? = nil
    ) -> StoreThread? {
        persistence.restore(from: folder, awaitingOther: deadline)
    }

    // MARK: Pasteboards

    /// Returns the pasteboard with a name, and creates it if there is none.
    package func pasteboardToWrite(_ name: PasteboardName) throws(BridgeError) -> PasteboardState {
        let isNew = try BridgeError.wrapping { () throws(PasteboardsError) in
            try registry.value.createForWriting(name, at: UnixTime.now)
        }
        guard let pasteboard = registry[name] else { throw BridgeError(.noSuchPasteboard(name)) }
        if isNew { display.watch(pasteboard.selection) }
        return pasteboard
    }

    /// Returns the pasteboards with these names, without repetitions. Creates all missing pasteboards, or throws if
    /// there is no room for them.
    func pasteboardsToWrite(_ names: [PasteboardName]) throws(BridgeError) -> [PasteboardState] {
        try BridgeError.wrapping { () throws(PasteboardsError) in try registry.value.checkRoom(for: names) }
        var pasteboards: [PasteboardState] = []
        for name in names {
            let pasteboard = try pasteboardToWrite(name)
            if !pasteboards.contains(where: { $0 === pasteboard }) { pasteboards.append(pasteboard) }
        }
        return pasteboards
    }

    /// Runs `body` as the only writer of a pasteboard (invariant 4).
    ///
    /// - Parameters:
    ///   - client: The calling client. If the client disconnects during the wait for earlier writers, `body` is not
    ///     run.
    ///   - timeout: The limit on the wait for earlier writers.
    func asWriter<Value>(
        of pasteboard: PasteboardState, for client: Client? = nil, within timeout: Duration = CallTimeout.default,
        _ body: () async throws(BridgeError) -> Value
    ) async throws(BridgeError) -> Value {
        let late = BridgeError(
            .refused,
            "another program is writing to the pasteboard \(pasteboard.name.quoted) and did not finish in time; nothing was "
                + "changed")
        let waits = pasteboard.writing.isLocked
        return try await pasteboard.writing.withLock(until: .now + timeout, executor.timers, orThrow: late) {
            () async throws(BridgeError) in
            if waits, client?.isClosed == true { throw BridgeError(.refused, "the client has ended") }
            return try await body()
        }
    }

    // MARK: Removals

    /// Removes the contents of a version at once, if they are still on the pasteboard. The display releases the
    /// contents when the X server answers.
    ///
    /// The removal does not wait for a writer, whose contents are a later step.
    private func removeContents(_ version: OfferID, of pasteboard: PasteboardState) {
        if pasteboard.version?.id == version { crossing.handle(.cleared, on: pasteboard) }
    }

    func remove(_ removal: PasteboardRegistry.Value.Removal) {
        crossing.forget(removal.former.name)
        changes.remove(removal)
    }

    /// Ends everything that lived as long as a client's connection.
    package func removeClient(_ client: Client) {
        for removal in registry.value.removeClient(ObjectIdentifier(client)) { remove(removal) }
    }

    // MARK: Events of the display

    /// Handles a report that no call waits for.
    package func handle(_ report: DisplayReport) {
        switch report {
        case .found(ClipboardManagerProtocol.selection, let owner): clipboardManager.ownerChanged(to: owner)
        case .changed(ClipboardManagerProtocol.selection, let change): clipboardManager.ownerChanged(to: change.owner)
        case .found(let selection, let owner): ownership.found(owner, of: selection)
        case .changed(let selection, let change): ownership.changed(selection, change)
        case .focusChanged: crossing.focusChanged()
        case .attached(let name): ownership.attached(to: name)
        case .attachFailed(let failure): logger.info("not attached: \(failure.message)")
        case .detached(let name):
            ownership.detached(from: name)
            clipboardManager.detached()
            pasteOnce.detached()
        case .flooded(let name):
            logger.warning("a program sends more events than can be handled; leaving display \(name) for a moment")
        case .wanted(let offer, let body): executor.start { [ownership] in await ownership.provide(body, of: offer) }
        case .saveRequested(let number, let window, let targets, let asked, let timeout):
            executor.start { [saveTargets] in
                await saveTargets.save(number, by: window, targets: targets, asked: asked, within: timeout)
            }
        case .asked(let offer, let window, let process):
            pasteOnce.noteRequest(
                for: offer, by: window, isManager: process.map(clipboardManager.isManager(process:)) ?? false)
        case .pasted(let offer, let window):
            if let version = ownership.offered(offer) { pasteOnce.noteTransfer(of: version, by: window, in: registry) }
        case .collected(let offer):
            ownership.forget(offer)
            pasteOnce.forget(offer)
        case .replaced, .stopped, .claimEnded, .streaming, .progress, .converted, .draining, .drained, .answered,
            .transfers:
            break
        }
    }

    // MARK: Settings

    /// Checks whether the user has changed the settings. The new rules apply to the present contents when these are
    /// read; the targets on the display stay the same until the next copy.
    ///
    /// - Parameter always: True to read the file even if it looks the same.
    package func refreshSettings(always: Bool = false) {
        let changed = settings.refresh(always: always)
        if changed.configuration {
            clipboardManager.refresh()
            applySettings()
            host?.settingsDidChange()
        }
        guard changed.rules else { return }
        for pasteboard in registry.all {
            guard let version = pasteboard.version else { continue }
            pasteboard.updateContents(versions.renewed(version))
        }
    }

    package func applySettings() {
        display.apply(settings.configuration.limits)
        seat.apply(settings.configuration.limits)
        quotas.uploads.limits = settings.configuration.limits
        persistence.applySettings()
    }
}
