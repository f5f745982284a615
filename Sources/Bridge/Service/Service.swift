import Configuration
import EventLoop
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardWire
import SelectionProtocol

/// What a call that has to wait leaves behind: how to end it when its client goes.
typealias Cancel = () -> Void

/// The service thread's work: the pasteboards, who holds them, and what clients ask. It never calls Xlib and waits for
/// nobody.
///
/// The methods of the wire stand in extensions, by what they do: reading, writing, watching, state.
final class Service {
    let link: DisplayLink
    let logger: Logger
    let started = UnixTime.now
    let table: PasteboardTable
    /// Versions whose ownership is being claimed.
    var claiming: [OfferID: (board: Board, version: Board.Version)] = [:]
    /// Versions that X11 peers may still ask for.
    var offered: [OfferID: Board.Version] = [:]
    var monitors: [Monitor] = [] { didSet { link.activity.isAwaited = !monitors.isEmpty } }
    /// Steps that are to be told, and whether one is being told.
    var announcements = Backlog<Announcement>()
    var isAnnouncing = false
    let workshop: Workshop
    let settings: Settings
    let store = StoreLink()
    /// What may be made of contents, from now on.
    var rules: Forms.Rules { settings.rules }
    /// The configuration is another one than before.
    var settingsChanged: () -> Void = {}
    var alarms = Alarms()
    var shares = CallShares()
    /// Promises that are wanted, by the tickets their clients answer with.
    var tickets: [String: Promise] = [:]
    var ticketCount = 0
    /// When the contents of which pasteboard expire, and what wakes the machine's bridge for it.
    var expiries: [ObjectIdentifier: (time: ContinuousClock.Instant, alarm: Alarms.Number)] = [:]
    var expiryTimer: SuspendTimer?
    /// What is being captured, or was, of the pasteboards that other programs hold.
    var capturing: [ObjectIdentifier: Capture] = [:]
    /// Who is the display's clipboard manager.
    var manager = ManagerRole()
    /// What is known of the pasting of contents that are pasted once.
    var pastes = Pastes()
    /// The programs whose contents are being saved, and what follows when there are none any more.
    var saves: Set<Int> = []
    var onceSaved: () -> Void = {}
    /// What is being owned in place of programs that asked for it.
    var relieving: [OfferID: (board: Board, version: Board.Version)] = [:]
    private var versions = 0
    /// Whether there ever was a display.
    private var wasAttached = false
    /// Since when the display's X server is gone, in milliseconds of the Unix epoch.
    private(set) var lostSince: Int?
    /// Set once the bridge leaves: nothing new is written.
    var isLeaving = false
    /// Set once the selections are given up at the end: that nobody owns them then is no change of what was on them.
    private(set) var isGivingUp = false
    /// What was refused on this thread.
    var refusals = Refusals()
    /// What clients have sent and the bridge has not taken.
    var incoming = IncomingLedger()
    /// More came of a process than may wait.
    var onExcess: (Int32) -> Void = { _ in }
    /// How many idle connections ended for others.
    var evictions = 0
    /// What clients have uploaded.
    let uploads: UploadLedger
    /// How much of the clients' limits is in use, for the status.
    var clientUse: () -> ClientUse = { ClientUse() }
    /// How many clients are connected, for the status.
    var clientCount: () -> Int = { 0 }
    /// A call asked the bridge to end.
    var onStop: () -> Void = {}
    /// A client told of a display that is to be attached: the bridge has to become the one that serves it.
    var willAttach: (String) throws(BridgeFailure) -> Void = { _ in }
    /// A client's display could not be attached after all.
    var didNotAttach: (String) -> Void = { _ in }

    init(link: DisplayLink, workshop: Workshop, settings: Settings, logger: Logger) {
        self.link = link
        self.settings = settings
        self.workshop = workshop
        self.logger = logger
        let configuration = settings.configuration
        uploads = UploadLedger(limits: configuration.limits, whole: link.bytes)
        table = PasteboardTable(at: UnixTime.now) { Kept.stack(levels: configuration.undoLevels) }
        link.keep(to: configuration.limits)
        for board in table.all { link.watch(board.selection) }
        link.watch(ManagerRole.selection)
    }

    /// How long a call waits for an X server that stands still, before it is answered from what is held here.
    static let standstill = Duration.milliseconds(100)

    /// Calls `body` once it is known who owns what, by all changes that were made before now. It waits for a display
    /// that is being opened; one that went away is tried again, here whenever somebody asks.
    func whenOwnersAreKnown(_ body: @escaping (Result<Void, BridgeError>) -> Void) {
        switch link.state {
        case .none: body(.success(()))
        case .attached: link.whenCurrent(within: Self.standstill) { body(.success(())) }
        case .opening where wasAttached, .lost:
            if case .lost(let display) = link.state { link.attach(display) }
            link.whenAttached(within: Self.standstill) { _ in body(.success(())) }
        case .opening:
            // What the first display has is not known at all.
            link.whenAttached(within: Patience.usual) { [link] result in
                guard result != nil else { return body(.failure(.displayDoesNotOpen)) }
                // Whose pasteboards came back from the store is looked at behind that.
                link.whenCurrent(within: Self.standstill) { body(.success(())) }
            }
        }
    }

    // MARK: Pasteboards

    /// The pasteboard of that name, or an error of the wire.
    func board(named string: String) throws(BridgeError) -> Board {
        let name = try Self.name(string)
        guard let board = table[name] else { throw BridgeError(.noSuchPasteboard(name)) }
        return board
    }

    /// The pasteboard of that name, made where there is none.
    func boardToWrite(named string: String) throws(BridgeError) -> Board {
        try boardToWrite(try Self.name(string))
    }

    /// The pasteboards of these names, each once, made where there are none: all of them, or none if one cannot be.
    func boardsToWrite(_ names: [PasteboardName]) throws(BridgeError) -> [Board] {
        try BridgeError.told { () throws(PasteboardsError) in try table.value.checkRoom(for: names) }
        var boards: [Board] = []
        for name in names {
            let board = try boardToWrite(name)
            if !boards.contains(where: { $0 === board }) { boards.append(board) }
        }
        return boards
    }

    /// The names of a call, checked. There has to be one.
    static func names(_ strings: [String]) throws(BridgeError) -> [PasteboardName] {
        guard !strings.isEmpty else { throw BridgeError(.invalidName, "no pasteboard is named") }
        try checkNumber(of: strings)
        var names: [PasteboardName] = []
        for string in strings { names.append(try name(string)) }
        return names
    }

    /// More than there can be are looked at no further.
    static func checkNumber(of names: [String]) throws(BridgeError) {
        guard names.count <= mostNamed else {
            throw BridgeError(.refused, "a call names at most \(mostNamed) pasteboards, not \(names.count)")
        }
    }

    private static let mostNamed = 2_048

    func boardToWrite(_ name: PasteboardName) throws(BridgeError) -> Board {
        let isNew = try BridgeError.told { () throws(PasteboardsError) in
            try table.value.makeForWriting(name, at: UnixTime.now)
        }
        guard let board = table[name] else { throw BridgeError(.noSuchPasteboard(name)) }
        if isNew { link.watch(board.selection) }
        return board
    }

    static func name(_ string: String) throws(BridgeError) -> PasteboardName {
        do {
            return try PasteboardName(validating: string)
        } catch {
            throw BridgeError(error.kind == .refused ? .refused : .invalidName, error.message)
        }
    }

    func nextVersion() -> OfferID {
        versions += 1
        return OfferID(versions)
    }

    // MARK: Changes

    /// One step: the contents or the owner of a pasteboard changed.
    ///
    /// - Parameter steps: Of so many of them the last alone is known.
    func change(_ board: Board, to holder: Board.Holder, steps: Int = 1) {
        guard !board.isRemoved else {
            if case .client(let version) = holder { link.retract(version.id) }
            return
        }
        let former = board.version
        // Nobody is told a count that could be told once more after a crash.
        store.reserve(board.count + steps)
        board.change(to: holder, at: UnixTime.now, steps: steps)
        keepTrack(of: board)
        ownerChanged(board)
        expire(board)
        logger.debug("\(board.name) changed", metadata: ["count": "\(board.count)"])
        // Told first: a call that ends with its promises lets its client's next one begin.
        stepped(board)
        board.handOver(from: former)
    }

    /// What the display thread tells that concerns no call.
    func handle(_ report: DisplayReport) {
        switch report {
        case .found(ManagerRole.selection, let owner): managerChanged(to: owner)
        case .changed(ManagerRole.selection, let change): managerChanged(to: change.owner)
        case .found(let selection, let owner): found(owner, of: selection)
        case .changed(let selection, let change): changed(selection, change)
        case .attached(let display):
            logger.notice("attached to display \(display)")
            wasAttached = true
            lostSince = nil
        case .attachFailed(let failure): logger.info("not attached: \(failure.message)")
        case .detached(let display):
            logger.warning("lost display \(display); its pasteboards are kept")
            lostSince = UnixTime.now
            offered = [:]
            manager.holder = nil
            pastes = Pastes()
            for board in table.all {
                if case .foreign = board.holder, !takeOver(board, death: nil) { change(board, to: .nobody) }
            }
        case .flooded(let display):
            logger.warning("a program sends more events than can be handled; leaving display \(display) for a moment")
        case .wanted(let offer, let body): provide(body, of: offer)
        case .wantedSaved(let number, let window, let targets, let asked):
            save(number, by: window, targets: targets, asked: asked)
        case .asked(let offer, let window, let process): asked(for: offer, by: window, process)
        case .pasted(let offer, let window): pasted(offer, by: window)
        case .collected(let offer):
            offered[offer] = nil
            pastes.forget(offer)
        case .replaced, .stopped, .claimed, .claimLost, .claimExpired, .claimWithoutDisplay, .disowned, .progress,
            .claimNameless, .converted, .draining, .drained, .caughtUp, .identified, .observed, .recoded, .sought,
            .traffic,
            .transfers:
            break
        }
    }

    private func board(of selection: String) -> Board? {
        table[PasteboardName(selection: selection)]
    }

    /// The owner that was there when a display was attached: a living foreign owner wins, else what is held here is
    /// claimed.
    private func found(_ owner: OwnershipTracker.Owner, of selection: String) {
        guard let board = board(of: selection) else { return }
        switch owner {
        case .foreign(let window):
            if board.isEmpty {
                board.adopt(.foreign(window.id), at: UnixTime.now)
                ownerChanged(board)
            } else {
                change(board, to: .foreign(window.id))
            }
        case .none:
            guard let version = board.version else { return }
            reclaim(version, of: board)
        case .ours: break
        }
    }

    /// The end: the display thread gives up what is owned, and ends.
    func giveUp() {
        isGivingUp = true
        link.stop()
    }

    private func changed(_ selection: String, _ change: OwnershipTracker.Change) {
        guard let board = board(of: selection) else {
            // The pasteboard was removed while the claim was on its way.
            if case .ours(let offer) = change.owner { link.retract(offer) }
            return
        }
        switch change.owner {
        case .foreign(let window):
            board.foreignEvent = change.acquired == .current ? nil : "\(window.id) \(change.acquired.milliseconds)"
            self.change(board, to: .foreign(window.id), steps: change.steps)
        case .none where board.isSilent || isGivingUp: break
        // Given up for a pasteboard of that name that was removed.
        case .none where board.isHeldByNobody: break
        case .none where change.byDeath && takeOver(board, death: change.time): break
        case .none: self.change(board, to: .nobody, steps: change.steps)
        case .ours(let offer) where didRelieve(board, by: offer): break
        case .ours(let offer):
            // Another pasteboard of that name may have been made since.
            if let (claimant, version) = claiming.removeValue(forKey: offer), claimant === board {
                self.change(board, to: .client(version))
            } else if board.version?.id != offer {
                takeBack(board, from: offer)
            }
        }
    }

    /// A claim came through that had been given up, after its client was told so: what was there before it is put back,
    /// unless something newer is on its way.
    private func takeBack(_ board: Board, from offer: OfferID) {
        guard !claiming.values.contains(where: { $0.board === board }) else { return }
        if let version = board.version {
            reclaim(version, of: board)
        } else {
            // It took the selection from its owner: nothing is there to go back to.
            link.retract(offer)
        }
    }

    private func reclaim(_ version: Board.Version, of board: Board) {
        guard !version.isLocalOnly || !link.isForwarded else { return }
        claim(version, of: board, within: Patience.usual) { [logger] outcome in
            if outcome != .done { logger.warning("\(board.selection) could not be claimed: \(outcome)") }
        }
    }
}
