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
    private(set) var boards: [PasteboardName: Board] = [:]
    /// Versions whose ownership is being claimed.
    var claiming: [OfferID: (board: Board, version: Board.Version)] = [:]
    var monitors: [Monitor] = []
    private var versions = 0
    /// How many clients are connected, for the status.
    var clientCount: () -> Int = { 0 }
    /// A call asked the bridge to end.
    var onStop: () -> Void = {}
    /// A client told of a display that is to be attached: the bridge has to become the one that serves it.
    var willAttach: (String) throws(BridgeFailure) -> Void = { _ in }
    /// Finds out whether an attachment succeeded: each is called once.
    var onAttached: [(Result<Void, AttachFailure>) -> Void] = []

    init(link: DisplayLink, logger: Logger) {
        self.link = link
        self.logger = logger
        for name in [PasteboardName.general, .find, .secondary] { _ = makeBoard(name) }
    }

    /// Opens the first display.
    func open(_ display: String, replacing: Bool, _ finish: @escaping (Result<Void, AttachFailure>) -> Void) {
        onAttached.append(finish)
        link.attach(display, authority: nil, replacing: replacing)
    }

    /// How long a call waits for an X server that stands still, before it is answered from what is held here.
    private static let standstill = Duration.milliseconds(100)

    /// Calls `body` once it is known who owns what, by all changes that were made before now. It waits for a display
    /// that is being opened; one that went away is tried again, whenever somebody asks.
    func whenOwnersAreKnown(_ body: @escaping () -> Void) {
        switch link.state {
        case .none: body()
        case .attached: link.whenCurrent(within: Self.standstill, body)
        case .opening: onAttached.append { _ in body() }
        case .lost(let display):
            onAttached.append { _ in body() }
            link.attach(display, authority: nil)
        }
    }

    // MARK: Pasteboards

    /// The pasteboard of that name, or an error of the wire.
    func board(named string: String) throws(BridgeError) -> Board {
        let name = try Self.name(string)
        guard let board = boards[name] else {
            throw BridgeError(.empty, "there is no pasteboard '\(name)'; 'xpb list' shows those there are")
        }
        return board
    }

    /// The pasteboard of that name, made where there is none.
    func boardToWrite(named string: String) throws(BridgeError) -> Board {
        let name = try Self.name(string)
        return boards[name] ?? makeBoard(name)
    }

    private static func name(_ string: String) throws(BridgeError) -> PasteboardName {
        do {
            return try PasteboardName(validating: string)
        } catch {
            throw BridgeError(error.kind == .refused ? .refused : .invalidName, error.message)
        }
    }

    private func makeBoard(_ name: PasteboardName) -> Board {
        let board = Board(name: name, since: UnixTime.now)
        boards[name] = board
        link.watch(board.selection)
        return board
    }

    func nextVersion() -> OfferID {
        versions += 1
        return OfferID(versions)
    }

    // MARK: Changes

    /// One step: the contents or the owner of a pasteboard changed.
    func change(_ board: Board, to holder: Board.Holder) {
        board.change(to: holder, at: UnixTime.now)
        logger.debug("\(board.name) changed", metadata: ["count": "\(board.count)"])
        stepped(board)
    }

    /// What the display thread tells that concerns no call.
    func handle(_ report: DisplayReport) {
        switch report {
        case .found(let selection, let owner): found(owner, of: selection)
        case .changed(let selection, let change): changed(selection, change)
        case .attached(let display):
            logger.notice("attached to display \(display)")
            finishAttaching(.success(()))
        case .attachFailed(let failure): finishAttaching(.failure(failure))
        case .detached(let display):
            logger.warning("lost display \(display); its pasteboards are kept")
            for board in boards.values {
                if case .foreign = board.holder { change(board, to: .nobody) }
            }
        case .replaced, .stopped, .claimed, .claimLost, .claimExpired, .claimWithoutDisplay, .disowned, .progress,
            .converted, .caughtUp, .identified, .transfers:
            break
        }
    }

    private func finishAttaching(_ result: Result<Void, AttachFailure>) {
        let waiting = onAttached
        onAttached = []
        for finish in waiting { finish(result) }
    }

    private func board(of selection: String) -> Board? {
        boards.values.first { $0.selection == selection }
    }

    /// The owner that was there when a display was attached: a living foreign owner wins, else what is held here is
    /// claimed.
    private func found(_ owner: OwnershipTracker.Owner, of selection: String) {
        guard let board = board(of: selection) else { return }
        switch owner {
        case .foreign(let window):
            if board.isEmpty {
                board.adopt(.foreign(window), at: UnixTime.now)
            } else {
                change(board, to: .foreign(window))
            }
        case .none:
            guard let version = board.version else { return }
            reclaim(version, of: board)
        case .ours: break
        }
    }

    private func changed(_ selection: String, _ change: OwnershipTracker.Change) {
        guard let board = board(of: selection) else { return }
        switch change.owner {
        case .foreign(let window): self.change(board, to: .foreign(window))
        case .none: self.change(board, to: .nobody)
        case .ours(let offer):
            if let (_, version) = claiming.removeValue(forKey: offer) {
                self.change(board, to: .client(version))
            } else if board.version?.id != offer {
                takeBack(board)
            }
        }
    }

    /// A claim came through that had been given up, after its client was told so: what was there before it is put back.
    private func takeBack(_ board: Board) {
        if let version = board.version {
            reclaim(version, of: board)
        } else {
            // It took the selection from its owner: nothing is there to go back to.
            link.disown(board.selection, within: Patience.usual) { _ in }
        }
    }

    private func reclaim(_ version: Board.Version, of board: Board) {
        link.claim(OfferBuilder.offer(for: version, on: board.selection), within: Patience.usual) { [logger] outcome in
            if outcome != .done { logger.warning("\(board.selection) could not be claimed: \(outcome)") }
        }
    }
}
