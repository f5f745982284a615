import BridgeState
import Configuration
import DataControlProtocol
import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
import SelectionCrossing
import SelectionProtocol
import UniformTypes
import WaylandBridge
import X11Bridge

/// The selections of a Wayland seat: the seat's selection belongs to the pasteboard `general`, and its primary
/// selection to `find`. ``CrossingDriver`` handles changes of owner.
package final class SeatOwnership {
    private struct Selection {
        /// The owner that the compositor reported last.
        var owner = DataControlClient.Owner.nobody
        /// The owner that was handled last.
        var handled = DataControlClient.Owner.nobody
        /// The number of the latest request of this bridge; nil once the compositor has handled it.
        var request: Int?
        /// The version that was offered last, if no other program has owned the selection since.
        var offered: OfferID?
    }

    weak var observer: (any SeatObserver)?
    private let registry: PasteboardRegistry
    private let x11Display: DisplayProxy
    private let pasteOnce: PasteOnceTracker
    private let executor: EventLoopExecutor
    private let logger: Logger
    private(set) var display: (any SeatDisplay)?
    private var selections: [SeatSelection: Selection] = [:]
    /// The versions that Wayland programs may ask for.
    private var sources: [SourceID: PasteboardState.Version] = [:]
    /// True once the selections of the seat are known.
    private(set) var isAttached = false
    /// True if the compositor does not show the bridge the selections of its programs: it has no protocol for that, or
    /// there is no connection to it.
    private(set) var isAbsent = false
    /// True if the bridge is going to connect to a compositor.
    package var isExpected = false
    /// The process that listens at the compositor's socket; nil if it is not known.
    package var compositor: Int32?
    private var lastRequest = 0
    /// The limits on transfers with Wayland programs.
    private var limits = Configuration.Limits()
    /// The number of requests whose bytes are being made.
    private var provisions = 0
    /// The beginning of all markers of this bridge.
    private let markerPrefix: String

    /// The time limit for making each piece of contents for a reader.
    private static let pieceTimeout = Duration.seconds(30)

    init(
        registry: PasteboardRegistry, x11Display: DisplayProxy, pasteOnce: PasteOnceTracker,
        executor: EventLoopExecutor, logger: Logger
    ) {
        self.registry = registry
        self.x11Display = x11Display
        self.pasteOnce = pasteOnce
        self.executor = executor
        self.logger = logger
        markerPrefix = "\(Self.markerType)\(UInt64.random(in: .min ... .max))-"
    }

    // MARK: Markers

    /// The beginning of the type that identifies a bridge's contents: a compositor does not tell whose contents it
    /// shows.
    private static let markerType = "application/x-xpb-version;id="

    /// Returns the type that identifies an offer; nil if there is no seat. An offer that is made before the bridge
    /// connects to the compositor is identified too, since the compositor also copies such an offer.
    func marker(of offer: OfferID) -> String? {
        (isExpected || display != nil) && !isAbsent ? "\(markerPrefix)\(offer.number)" : nil
    }

    // MARK: Xwayland

    /// True if X11 programs may copy to the seat through an Xwayland that the bridge does not serve.
    var hasUnservedXwayland: Bool {
        guard !x11Display.isAttached, let compositor else { return false }
        return ProcessState.hasStarted(compositor, "Xwayland")
    }

    // MARK: The connection

    /// Uses a connection that has not begun yet.
    func attach(_ display: any SeatDisplay) {
        self.display = display
        apply(limits)
        display.onRequest = { [unowned self] source, type, descriptor in provide(type, of: source, to: descriptor) }
    }

    func apply(_ limits: Configuration.Limits) {
        self.limits = limits
        display?.outgoing.maxCount = limits.transfers
        display?.maxIncoming = limits.transfers
        display?.maxLength = limits.programBytes
        display?.maxBytesHeld = limits.transferBytes
    }

    /// The number of transfers under way.
    var transferCount: Int { display?.transferCount ?? 0 }

    /// Handles an event of the connection.
    func handle(_ event: SeatEvent) {
        switch event {
        case .attached: selections = [.clipboard: Selection(), .primary: Selection()]
        case .changed(let selection, let owner):
            selections[selection]?.owner = owner
            handleOwner(of: selection)
        case .ended(let source, let end):
            let version = sources.removeValue(forKey: source)
            if end == .refused, let version { logger.info("the compositor refused version \(version.id.number)") }
        case .settled: settled()
        case .unavailable: becomeAbsent()
        case .detached:
            detached()
            becomeAbsent()
        case .lost: detached()
        }
    }

    /// Records that the start of the bridge no longer waits for a compositor.
    package func startHasEnded() {
        isExpected = false
        if !isAttached { becomeAbsent() }
    }

    /// Returns true if an expected seat is going to have the selection of a pasteboard.
    func isExpected(for pasteboard: PasteboardName) -> Bool {
        isExpected && !isAttached && !isAbsent && SeatSelection.allCases.contains { $0.pasteboard == pasteboard }
    }

    /// Records that the bridge does not see the seat.
    package func becomeAbsent() {
        // Each failed attempt to connect again ends here.
        guard !isAbsent else { return }
        isAbsent = true
        for pasteboard in registry.all { observer?.handle(.seatAbsent, on: pasteboard) }
    }

    /// Handles the owners that were there when the seat was attached.
    private func settled() {
        isAttached = true
        isAbsent = false
        for selection in SeatSelection.allCases {
            guard let pasteboard = pasteboard(of: selection), let owner = selections[selection]?.owner else { continue }
            guard display?.canSet(selection) == true else {
                observer?.handle(.seatAbsent, on: pasteboard)
                continue
            }
            selections[selection]?.handled = owner
            let types = owner.types.filter { !SecretMark.isMark($0) }
            if display?.keepsPart == true, pasteboard.version != nil, case .foreign(let offer, _) = owner,
                types.count == 1
            {
                executor.start { [self] in await examine(owner, offer, types[0], of: selection, on: pasteboard) }
            } else {
                found(owner, on: pasteboard)
            }
        }
    }

    private func found(_ owner: DataControlClient.Owner, on pasteboard: PasteboardState) {
        observer?.seatChanged(
            to: crossingOwner(owner, of: pasteboard, isFound: true), types: owner.types, isFound: true, on: pasteboard)
    }

    /// Handles an owner whose contents the compositor may have kept from the previous bridge's offer.
    private func examine(
        _ owner: DataControlClient.Owner, _ offer: ForeignOfferID, _ type: String, of selection: SeatSelection,
        on pasteboard: PasteboardState
    ) async {
        let version = pasteboard.version?.id
        let isKept = await observer?.isKept(offer, type, on: pasteboard) == true
        guard selections[selection]?.handled == owner else { return }
        // A client's write during the query is later than the owner's copy.
        found(isKept || pasteboard.version?.id != version ? .nobody : owner, on: pasteboard)
    }

    private func detached() {
        isAttached = false
        selections = [:]
        sources = [:]
        for selection in SeatSelection.allCases {
            if let pasteboard = pasteboard(of: selection) { observer?.handle(.seatLost, on: pasteboard) }
        }
    }

    private func pasteboard(of selection: SeatSelection) -> PasteboardState? {
        registry[selection.pasteboard]
    }

    /// Returns the seat's selection of a pasteboard; nil if Wayland programs do not see the pasteboard, or no seat with
    /// the selection is attached.
    private func selection(of pasteboard: PasteboardState) -> SeatSelection? {
        guard isAttached, let display,
            let selection = SeatSelection.allCases.first(where: { $0.pasteboard == pasteboard.name }),
            display.canSet(selection)
        else { return nil }
        return selection
    }

    // MARK: From the pasteboard to the seat

    /// Offers a version on the seat's selection.
    func offer(_ version: PasteboardState.Version, of pasteboard: PasteboardState) {
        guard let selection = selection(of: pasteboard), selections[selection]?.offered != version.id,
            let marker = marker(of: version.id),
            let source = display?.set(
                selection, types: version.offeredSeatTypes, marker: marker,
                isWithheld: version.isWithheldFromManagers)
        else { return }
        sources[source] = version
        selections[selection]?.offered = version.id
        awaitRequest(on: selection)
    }

    /// Empties the seat's selection of a pasteboard.
    func clear(_ pasteboard: PasteboardState) {
        guard let selection = selection(of: pasteboard) else { return }
        _ = display?.clear(selection)
        selections[selection]?.offered = nil
        awaitRequest(on: selection)
    }

    /// Returns the version of a source that the compositor has not ended.
    func offered(_ version: OfferID) -> PasteboardState.Version? { sources.values.first { $0.id == version } }

    /// Waits until the compositor has handled the latest request. The compositor's earlier events have then arrived.
    private func awaitRequest(on selection: SeatSelection) {
        lastRequest += 1
        let request = lastRequest
        selections[selection]?.request = request
        executor.start { [self] in
            _ = await display?.synchronize(within: CallTimeout.max)
            guard selections[selection]?.request == request else { return }
            selections[selection]?.request = nil
            handleOwner(of: selection)
        }
    }

    /// Waits until the compositor has handled all requests, or until the timeout.
    func settle(within timeout: Duration) async {
        guard selections.values.contains(where: { $0.request != nil }) else { return }
        _ = await display?.synchronize(within: timeout)
    }

    /// Waits until all changes up to this moment are known, or until the timeout.
    func catchUp(within timeout: Duration) async {
        guard isAttached else { return }
        _ = await display?.synchronize(within: timeout)
    }

    // MARK: From the seat to the pasteboard

    /// Handles the owner of a selection if it has changed.
    ///
    /// Without an X display, an owner reported while a request of this bridge is on its way is older than the request.
    /// Such an owner counts only if the compositor refuses the request.
    private func handleOwner(of selection: SeatSelection) {
        guard isAttached, let state = selections[selection], state.owner != state.handled,
            let pasteboard = pasteboard(of: selection),
            state.request == nil || isOnBothSides(pasteboard)
        else { return }
        selections[selection]?.handled = state.owner
        if state.owner == .cleared {
            selections[selection]?.offered = nil
            observer?.handle(.seatCleared, on: pasteboard)
            return
        }
        let owner = crossingOwner(state.owner, of: pasteboard)
        if case .bridge = owner {} else { selections[selection]?.offered = nil }
        observer?.seatChanged(to: owner, types: state.owner.types, isFound: false, on: pasteboard)
    }

    /// Returns an owner of the seat's selection in the terms of the crossing.
    ///
    /// A clipboard manager may bring back earlier contents with their marker. With an X display, a marked selection may
    /// also be a late copy by the compositor, so it is taken for a copy. A marked selection that is found when the seat
    /// is attached may be a copy of the previous bridge's offer.
    private func crossingOwner(
        _ owner: DataControlClient.Owner, of pasteboard: PasteboardState, isFound: Bool = false
    ) -> SeatOwner {
        switch owner {
        case .nobody, .cleared: return .nobody
        case .ours(let source): return sources[source].map { .bridge(contents(of: $0)) } ?? .copy(nil)
        case .foreign(let offer, let types):
            let marked = types.first { $0.hasPrefix(markerPrefix) }.flatMap { Int($0.dropFirst(markerPrefix.count)) }
            let version = marked.flatMap { observer?.version(OfferID($0), of: pasteboard) }
            let isCopy =
                if isFound {
                    types.contains { $0.hasPrefix(Self.markerType) }
                } else if isOnBothSides(pasteboard) {
                    marked != nil
                } else {
                    version != nil && version?.id == pasteboard.version?.id
                }
            return isCopy ? .copy(version.map(contents(of:))) : .program(offer)
        }
    }

    private func isOnBothSides(_ pasteboard: PasteboardState) -> Bool { observer?.isOnBothSides(pasteboard) == true }

    private func contents(of version: PasteboardState.Version) -> CrossingContents {
        version.crossingContents(on: x11Display)
    }

    /// Returns the present offer of this number; nil if it has ended.
    func offer(_ number: Int) -> WaylandOffer? {
        guard let display else { return nil }
        for (selection, state) in selections {
            if case .foreign(let id, let types) = state.owner, id.number == number {
                let types = types.filter { !$0.hasPrefix(Self.markerType) }
                return WaylandOffer(display: display, id: id, selection: selection, types: types)
            }
        }
        return nil
    }

    // MARK: Readers

    /// Makes the bytes under a type that a Wayland program asks for, and sends them.
    private func provide(_ type: String, of source: SourceID, to descriptor: Descriptor) {
        guard let version = sources[source], let display else { return }
        if type == PasswordHint.target, version.hasPasswordHint, let mark = PasswordHint.bytes {
            return display.outgoing.send(mark.held, mark.range, to: descriptor) {}
        }
        guard let derivation = version.seatTypes.first(where: { $0.name == type })?.derivation
        else { return }
        guard provisions < limits.transfers else {
            return logger.info("a request of a Wayland program is refused: too many requests wait for bytes")
        }
        provisions += 1
        executor.start { [self] in
            defer { provisions -= 1 }
            do {
                let bytes = try await version.conversions.bytes(of: derivation, idleTimeout: Self.pieceTimeout)
                guard let bytes else { return logger.info("\(type) was not made in time for a Wayland program") }
                display.outgoing.send(bytes.held, bytes.range, to: descriptor) { [weak self] in
                    self?.notePaste(of: version, as: type)
                }
            } catch {
                // The reader sees an empty file: the protocol has no errors.
                logger.info("\(type) could not be made for a Wayland program: \(error)")
            }
        }
    }

    /// Records that a Wayland program has received all bytes of a type. The program is not known, so a clipboard
    /// manager counts like any other program, unless others follow the contents.
    private func notePaste(of version: PasteboardState.Version, as type: String) {
        guard let pasteboard = registry.all.first(where: { $0.version?.id == version.id }) else { return }
        pasteOnce.noteRead(
            [UniformType(target: type)], of: version, on: pasteboard, isManager: pasteOnce.isRead(byManager: version.id)
        )
    }

    // MARK: End

    /// Ends the connection. Contents that this bridge offered are no longer on the seat.
    func close() {
        display?.close()
        display = nil
        isAttached = false
    }
}

extension DataControlClient.Owner {
    /// The types of another program's selection.
    fileprivate var types: [String] { if case .foreign(_, let types) = self { types } else { [] } }
}

extension SeatSelection {
    /// The pasteboard of the selection.
    var pasteboard: PasteboardName {
        switch self {
        case .clipboard: .general
        case .primary: .find
        }
    }
}
