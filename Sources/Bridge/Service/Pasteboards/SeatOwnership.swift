import Configuration
import DataControlProtocol
import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
import SelectionProtocol
import UniformTypes
import WaylandBridge
import X11Bridge

/// The selections of a Wayland seat, as the service owns them for its pasteboards: the seat's selection is that of
/// general, and its primary selection that of find.
///
/// Pasteboards change first, and the seat follows: ``holderChanged(_:)`` brings the seat's selection in line with the
/// pasteboard. A copy of a Wayland program comes the other way, by an event, which changes the pasteboard.
///
/// While a request of this bridge is on its way, events that arrive were sent before the compositor handled it, so the
/// copies they report are already replaced. The last of them counts only if the compositor refuses the request.
package final class SeatOwnership {
    private struct Selection {
        /// The owner that the compositor reported last.
        var owner = DataControlClient.Owner.nobody
        /// The owner that the pasteboard has followed.
        var followed = DataControlClient.Owner.nobody
        /// The number of the latest request of this bridge; nil once the compositor has handled it.
        var request: Int?
        /// The version that was offered last.
        var offered: OfferID?
        /// The count of the pasteboard at which the owner was taken for the compositor's copy of the X11 selection.
        var copied: Int?
    }

    weak var service: Service?
    private let executor: EventLoopExecutor
    private let logger: Logger
    private(set) var display: WaylandDisplay?
    private var selections: [SeatSelection: Selection] = [:]
    /// The versions that Wayland programs may ask for.
    private var sources: [SourceID: PasteboardState.Version] = [:]
    /// True once the selections of the seat are known.
    private(set) var isAttached = false
    /// True if the compositor does not show the bridge the selections of its programs: it has no protocol for that, or
    /// there is no connection to it.
    private(set) var isAbsent = false
    private var lastRequest = 0
    /// The limits on transfers with Wayland programs.
    private var limits = Configuration.Limits()
    /// The number of requests whose bytes are being made.
    private var provisions = 0
    /// Held while it is found out if a selection is a copy.
    private let judging = AsyncMutex()
    /// A name for this bridge in its markers.
    private let markerPrefix: String

    /// The time for each piece of contents that are made for a reader.
    private static let pieceTimeout = Duration.seconds(30)

    init(executor: EventLoopExecutor, logger: Logger) {
        self.executor = executor
        self.logger = logger
        markerPrefix = "\(Self.markerType)\(UInt64.random(in: .min ... .max))-"
    }

    // MARK: Markers

    /// The beginning of the type by which contents of a bridge are known: a compositor does not tell whose they are.
    private static let markerType = "application/x-xpb-version;id="

    /// Returns the type by which an offer is known; nil while no seat is attached.
    func marker(of offer: OfferID) -> String? { isAttached ? "\(markerPrefix)\(offer.number)" : nil }

    // MARK: The connection

    /// Uses a connection, which has not begun.
    func attach(_ display: WaylandDisplay) {
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
    func handle(_ event: WaylandDisplay.Event) {
        switch event {
        case .attached: selections = [.clipboard: Selection(), .primary: Selection()]
        case .changed(let selection, let owner):
            selections[selection]?.owner = owner
            follow(selection)
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

    /// Notes that the bridge does not see the seat.
    package func becomeAbsent() {
        // Each failed attempt to connect again ends here.
        guard !isAbsent else { return }
        isAbsent = true
        service?.ownership.seatIsAbsent()
    }

    /// Handles the owners that were there when the seat was attached: a foreign owner wins, otherwise the contents of
    /// the pasteboard are offered.
    private func settled() {
        isAttached = true
        isAbsent = false
        for selection in SeatSelection.allCases {
            guard let pasteboard = pasteboard(of: selection), let owner = selections[selection]?.owner else { continue }
            selections[selection]?.followed = owner
            // A copy of what this bridge or the one before it has offered is no change.
            guard case .foreign(let offer, let types) = owner, !types.contains(where: { $0.hasPrefix(Self.markerType) })
            else {
                holderChanged(pasteboard)
                continue
            }
            let holder = PasteboardState.Holder.foreign(.offer(offer.number))
            if service?.relay.isShared(pasteboard) == true {
                judge(offer, on: selection, of: pasteboard)
            } else if pasteboard.isEmpty {
                service?.found(holder, on: pasteboard)
            } else {
                service?.change(pasteboard, to: holder)
            }
        }
    }

    private func detached() {
        isAttached = false
        selections = [:]
        sources = [:]
        for selection in SeatSelection.allCases {
            guard let pasteboard = pasteboard(of: selection) else { continue }
            ownerEnded(of: pasteboard)
        }
    }

    private func pasteboard(of selection: SeatSelection) -> PasteboardState? {
        service?.registry[selection.pasteboard]
    }

    /// Returns the seat's selection of a pasteboard; nil if no Wayland program sees the pasteboard, or no seat is
    /// attached that has the selection.
    func selection(of pasteboard: PasteboardState) -> SeatSelection? {
        guard isAttached, let display,
            let selection = SeatSelection.allCases.first(where: { $0.pasteboard == pasteboard.name }),
            display.canSet(selection)
        else { return nil }
        return selection
    }

    // MARK: From the pasteboard to the seat

    /// Brings the seat's selection in line with a pasteboard whose holder has changed.
    func holderChanged(_ pasteboard: PasteboardState) {
        guard let selection = selection(of: pasteboard), let state = selections[selection] else { return }
        switch pasteboard.holder {
        case .client(let version):
            if service?.relay.isShared(pasteboard) != true { offer(version, of: pasteboard) }
        case .nobody where state.offered != nil || state.owner != .nobody:
            _ = display?.clear(selection)
            selections[selection]?.offered = nil
            awaitRequest(on: selection)
        case .nobody, .foreign: selections[selection]?.offered = nil
        }
        service?.relay.bringInLine(pasteboard)
    }

    /// Returns true if Wayland programs are offered a version, by this bridge or by the compositor's copy of it.
    func carries(_ version: PasteboardState.Version, of pasteboard: PasteboardState) -> Bool {
        guard let selection = selection(of: pasteboard), let state = selections[selection] else { return false }
        switch state.owner {
        case .ours: return state.offered == version.id
        case .foreign(_, let types):
            return marker(of: version.id).map(types.contains) == true
                || pasteboard.isOwnedByWindow && state.copied == pasteboard.count
        case .nobody: return false
        }
    }

    /// Offers a version on the seat's selection.
    func offer(_ version: PasteboardState.Version, of pasteboard: PasteboardState) {
        guard let selection = selection(of: pasteboard), selections[selection]?.offered != version.id,
            let marker = marker(of: version.id),
            let source = display?.set(selection, types: version.seatTypes.map(\.name), marker: marker)
        else { return }
        sources[source] = version
        selections[selection]?.offered = version.id
        awaitRequest(on: selection)
    }

    /// Waits until the compositor has handled the latest request. Its events up to then were sent before.
    private func awaitRequest(on selection: SeatSelection) {
        lastRequest += 1
        let request = lastRequest
        selections[selection]?.request = request
        executor.start { [self] in
            _ = await display?.synchronize(within: CallTimeout.max)
            guard selections[selection]?.request == request else { return }
            selections[selection]?.request = nil
            follow(selection)
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
        _ = await executor.withTimeout(timeout, cancels: false) { [judging] in await judging.withLock {} }
    }

    // MARK: From the seat to the pasteboard

    /// Brings a pasteboard in line with the owner of the seat's selection.
    private func follow(_ selection: SeatSelection) {
        guard isAttached, let state = selections[selection], state.request == nil, state.owner != state.followed,
            let pasteboard = pasteboard(of: selection)
        else { return }
        selections[selection]?.followed = state.owner
        switch state.owner {
        case .ours: break
        // A copy of what this bridge offers, of the compositor or of another program.
        case .foreign(_, let types) where isCopy(types, of: pasteboard):
            copied(pasteboard, on: selection)
        case .foreign(let offer, _) where service?.relay.isShared(pasteboard) == true:
            judge(offer, on: selection, of: pasteboard)
        case .foreign(let offer, _): changed(to: offer, on: selection, of: pasteboard)
        case .nobody:
            selections[selection]?.offered = nil
            guard pasteboard.version != nil else { return ownerEnded(of: pasteboard) }
            if case .ours = state.followed {
                service?.change(pasteboard, to: .nobody)
                service?.relay.bringInLine(pasteboard)
            } else {
                // The copy of another program has ended, and the contents are still here.
                holderChanged(pasteboard)
            }
        }
    }

    /// Returns true if a selection with these types is a copy of what this bridge offers.
    ///
    /// A clipboard manager may bring back earlier contents, with the marker that they had. Beside an X display, such a
    /// selection may also be one that the compositor copied late, so it is taken for a copy there.
    private func isCopy(_ types: [String], of pasteboard: PasteboardState) -> Bool {
        if service?.relay.isShared(pasteboard) == true { return types.contains { $0.hasPrefix(markerPrefix) } }
        return pasteboard.version.flatMap { marker(of: $0.id) }.map(types.contains) == true
    }

    private func changed(to offer: ForeignOfferID, on selection: SeatSelection, of pasteboard: PasteboardState) {
        selections[selection]?.offered = nil
        service?.change(pasteboard, to: .foreign(.offer(offer.number)))
        service?.relay.bringInLine(pasteboard)
    }

    /// Handles a copy of what this bridge offers, by which a Wayland program may have lost the selection.
    private func copied(_ pasteboard: PasteboardState, on selection: SeatSelection) {
        guard let service else { return }
        if case .foreign(.offer) = pasteboard.holder, !service.captures.takeOver(pasteboard, after: .ended) {
            service.relay.holderLost(pasteboard, service.ownership.ownedVersion(of: pasteboard))
        }
        service.relay.bringInLine(pasteboard)
    }

    /// Returns the version that this bridge offers on the seat's selection of a pasteboard.
    func ownedVersion(of pasteboard: PasteboardState) -> PasteboardState.Version? {
        guard let selection = selection(of: pasteboard), case .ours(let source)? = selections[selection]?.owner else {
            return nil
        }
        return sources[source]
    }

    /// Finds out if a selection is the compositor's copy of the X11 selection, which is no change.
    private func judge(_ offer: ForeignOfferID, on selection: SeatSelection, of pasteboard: PasteboardState) {
        executor.start { [self] in
            await judging.withLock {
                // A change on the X11 side of which this is the copy is known after this.
                await service?.display.catchUp(within: SelectionOwnership.serverTimeout)
                let isCopied = await isCopied(pasteboard)
                guard case .foreign(offer, _)? = selections[selection]?.owner else { return }
                guard isCopied, selections[selection]?.copied != pasteboard.count else {
                    return changed(to: offer, on: selection, of: pasteboard)
                }
                selections[selection]?.copied = pasteboard.count
                service?.relay.bringInLine(pasteboard)
            }
        }
    }

    /// Returns true if the present selection is the compositor's copy of the X11 selection.
    ///
    /// Right after a copy of a Wayland program the compositor claims the X11 selection, and its claim is on its way to
    /// the X server when the compositor answers.
    private func isCopied(_ pasteboard: PasteboardState) async -> Bool {
        guard let service, await service.relay.isCopied(pasteboard) else { return false }
        _ = await display?.synchronize(within: SelectionOwnership.serverTimeout)
        await service.relay.awaitClaims()
        return await service.relay.isCopied(pasteboard)
    }

    /// Follows the Wayland program that owns the seat's selection, if there is one: the holder of the pasteboard has
    /// lost the X11 selection. Contents of the bridge are replaced only by a selection that was taken for a copy.
    ///
    /// - Returns: true if there is one, so that the pasteboard has changed.
    func follows(anotherProgramOn pasteboard: PasteboardState) -> Bool {
        guard let selection = selection(of: pasteboard), let state = selections[selection],
            case .foreign(let offer, let types) = state.owner, !types.contains(where: { $0.hasPrefix(markerPrefix) }),
            pasteboard.isOwnedByWindow || state.copied == pasteboard.count
        else { return false }
        changed(to: offer, on: selection, of: pasteboard)
        return true
    }

    /// Handles the end of a Wayland program that owned a selection, or its clearing, which a compositor reports alike:
    /// captured contents become those of the pasteboard.
    private func ownerEnded(of pasteboard: PasteboardState) {
        guard case .foreign(.offer) = pasteboard.holder, let service else { return }
        if service.captures.takeOver(pasteboard, after: isAttached ? .ended : .displayLost) {
            holderChanged(pasteboard)
        } else {
            service.change(pasteboard, to: .nobody)
        }
        service.relay.bringInLine(pasteboard)
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
        guard let version = sources[source], let display,
            let derivation = version.seatTypes.first(where: { $0.name == type })?.derivation
        else { return }
        guard provisions < limits.transfers else {
            return logger.info("a request of a Wayland program is refused: too many wait for their bytes")
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

    /// Notes that a Wayland program has been given contents, all of them. Nothing is known of it, so a clipboard
    /// manager counts as any other program.
    private func notePaste(of version: PasteboardState.Version, as type: String) {
        guard let service, let pasteboard = service.registry.all.first(where: { $0.version?.id == version.id }) else {
            return
        }
        service.pasteOnce.noteRead([UniformType(target: type)], of: version, on: pasteboard, isManager: false)
    }

    // MARK: End

    /// Ends the connection. Contents that this bridge offered are then those of nobody.
    func close() {
        display?.close()
        display = nil
        isAttached = false
    }
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

extension PasteboardState.Version {
    /// The types that Wayland programs are offered, and what each is made of.
    ///
    /// Of the names of X11's texts, Wayland programs know three, and have UTF-8 under all of them. Only one of them is
    /// UTF-8 on X11.
    var seatTypes: [(name: String, derivation: Derivation)] {
        let targets = plan.targets.map { (name: $0.name, derivation: plan.bodies[$0.body].derivation) }
        let texts = ["UTF8_STRING", "STRING", "TEXT"]
        let types = targets.filter { !texts.contains($0.name) && $0.name != "COMPOUND_TEXT" }
        guard let text = targets.first(where: { $0.name == texts[0] })?.derivation else { return types }
        return types + texts.map { ($0, text) }
    }
}
