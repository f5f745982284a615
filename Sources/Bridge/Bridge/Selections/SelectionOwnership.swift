package import BridgeState
import Configuration
import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardWire
import SelectionCrossing
package import SelectionProtocol
import UniformTypes
import X11Bridge

/// The selections of the X display: claims for the pasteboards, the versions that X clients may ask for, and the owners
/// as the display reports them. ``CrossingDriver`` handles changes of owner.
package final class SelectionOwnership {
    /// The time that a call waits for an X server that does not react, before the call uses the last known state. While
    /// other programs keep all processors busy, the bridge's threads alone need a tenth of a second.
    package static let serverTimeout = Duration.milliseconds(500)

    weak var observer: (any SelectionObserver)?
    let registry: PasteboardRegistry
    let display: DisplayProxy
    let seat: SeatOwnership
    let versions: VersionFactory
    let logger: Logger
    private let lifetime: BridgeLifetime
    /// The versions that clients write, until they are the contents.
    private var claims: [OfferID: PasteboardState.Version] = [:]
    /// The versions that X clients may ask for.
    package private(set) var offers: [OfferID: PasteboardState.Version] = [:]
    /// Contents of Wayland programs that X clients may ask for.
    var crossedOffers: [OfferID: CrossedOffer] = [:]
    /// The owners of selections that the display reported last.
    private(set) var owners: [PasteboardName: OwnershipTracker.Owner] = [:]
    /// The number of changes of each selection that the display has reported since it found the owner.
    private var changeCounts: [PasteboardName: Int] = [:]
    /// The server's times of owners' deaths, for selections that have had no owner since.
    private var deaths: [PasteboardName: ServerTime] = [:]
    /// The server's time at which a program last asked to save CLIPBOARD; nil if a client has cleared CLIPBOARD since.
    private var lastSave: ServerTime?
    /// True once a display has been attached.
    private(set) var wasAttached = false
    /// The time at which the X server went away, in milliseconds since the Unix epoch.
    private(set) var lostSince: Int?
    /// The pasteboards whose selections are released for contents that the display must not see. The release and the
    /// new contents are one step.
    private var replacedUnseen: Set<PasteboardName> = []
    /// True once the bridge releases its selections at its end, which does not change the contents.
    private var isReleasingAll = false

    init(
        registry: PasteboardRegistry, display: DisplayProxy, seat: SeatOwnership, versions: VersionFactory,
        lifetime: BridgeLifetime, logger: Logger
    ) {
        self.registry = registry
        self.display = display
        self.seat = seat
        self.versions = versions
        self.lifetime = lifetime
        self.logger = logger
    }

    /// True while a claim is under way.
    var isClaiming: Bool { !claims.isEmpty }

    /// Returns the version of an offer that X clients may ask for.
    package func offered(_ offer: OfferID) -> PasteboardState.Version? { offers[offer] }

    /// Returns a version that a client writes, or that X clients may ask for.
    func version(_ id: OfferID) -> PasteboardState.Version? { claims[id] ?? offers[id] }

    /// Records that a version has become the contents. Returns true if a client was writing the version.
    func endClaim(of version: OfferID) -> Bool { claims.removeValue(forKey: version) != nil }

    /// Forgets an offer that can no longer be asked for.
    func forget(_ offer: OfferID) {
        // The offer of a lost claim may be claimed again.
        guard claims[offer] == nil else { return }
        offers[offer] = nil
        crossedOffers[offer] = nil
    }

    // MARK: Owning

    /// Owns the selection of a pasteboard, and makes the version the pasteboard's contents. Returns the count of the
    /// version's step.
    func own(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState, within timeout: Duration
    ) async throws(BridgeError) -> Int {
        guard !pasteboard.isRemoved else { throw BridgeError(.noSuchPasteboard(pasteboard.name)) }
        // A program may have copied while the contents were stored.
        if let origin = version.yieldingOrigin, origin < pasteboard.origin { throw .superseded }
        guard display.state != .none, !pasteboard.isHidden else { return write(version, on: pasteboard) }
        let isLeftToSeat = version.hasHint && observer?.isOnBothSides(pasteboard) == true
        if isLeftToSeat || version.isLocalOnly && display.isForwarded {
            return try await replaceUnseen(version, on: pasteboard, within: timeout)
        }
        claims[version.id] = version
        let contents = version.crossingContents(on: display)
        observer?.handle(.writing(contents), on: pasteboard)
        let outcome = await attempt(pasteboard, version.yieldingOrigin, within: timeout) { (count, timeout) in
            let condition = count.map { SelectionClaim.unlessChanged(since: $0) } ?? .always
            return await claim(version, of: pasteboard, condition, within: timeout)
        }
        // The change of owner, which is reported before the outcome (invariant 7), has ended the claim and made the
        // step (invariant 3).
        let isPending = endClaim(of: version.id)
        // The display is gone, and the contents are offered on the next display.
        if outcome == .noDisplay, isPending { return write(version, on: pasteboard) }
        if isPending { observer?.handle(.gaveUp(contents), on: pasteboard) }
        switch outcome {
        case .done where pasteboard.isRemoved: throw BridgeError(.noSuchPasteboard(pasteboard.name))
        case .done, .noDisplay: break
        case .lost:
            offers[version.id] = nil
            throw lostRace(for: pasteboard, version.yieldingOrigin)
        case .timedOut where isPending: throw .displaySilent
        case .timedOut: break
        case .nameLimit: throw .nameLimit(pasteboard.selection)
        }
        return pasteboard.count(of: version)
    }

    /// Makes a version the contents of a pasteboard whose selection the bridge does not own. Returns the count of the
    /// version's step.
    private func write(_ version: PasteboardState.Version, on pasteboard: PasteboardState) -> Int {
        claims[version.id] = version
        observer?.handle(.wrote(version.crossingContents(on: display)), on: pasteboard)
        claims[version.id] = nil
        return pasteboard.count(of: version)
    }

    /// Makes a version the contents of a pasteboard without owning its selection, so that the display does not see the
    /// contents.
    private func replaceUnseen(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState, within timeout: Duration
    ) async throws(BridgeError) -> Int {
        let outcome = await attempt(pasteboard, version.yieldingOrigin, within: timeout) { (count, timeout) in
            replacedUnseen.insert(pasteboard.name)
            defer { replacedUnseen.remove(pasteboard.name) }
            return await display.releaseOwnership(
                of: pasteboard.selection, unlessChangedSince: count, within: timeout)
        }
        switch outcome {
        case .done, .noDisplay, .nameLimit: return write(version, on: pasteboard)
        case .lost: throw lostRace(for: pasteboard, version.yieldingOrigin)
        case .timedOut: throw .displaySilent
        }
    }

    /// Clears a pasteboard. Returns the count of the step that emptied it.
    func release(_ pasteboard: PasteboardState, within timeout: Duration) async throws(BridgeError) -> Int {
        let former = pasteboard.version?.id
        lastSave = nil
        let outcome: ClaimOutcome =
            display.state == .none || pasteboard.isHidden
            ? .noDisplay
            : await attempt(pasteboard, pasteboard.clearingOrigin, within: timeout) { (count, timeout) in
                await display.releaseOwnership(of: pasteboard.selection, unlessChangedSince: count, within: timeout)
            }
        switch outcome {
        // The display reports no event for contents that it does not see, nor for a Wayland program's contents.
        case .done where former != nil && pasteboard.version?.id == former || pasteboard.isOwnedByOffer, .noDisplay,
            .nameLimit:
            observer?.handle(.cleared, on: pasteboard)
        // The change has already been reported and counted.
        case .done: break
        case .lost: throw lostRace(for: pasteboard, pasteboard.clearingOrigin)
        case .timedOut: throw .displaySilent
        }
        return pasteboard.countEmptied
    }

    // MARK: Changes that yield to later changes

    /// The number of attempts to claim or release a selection for a change that yields to later changes.
    private static let maxAttempts = 3

    /// Claims or releases the selection of a pasteboard. A change that yields to later changes fails if a program has
    /// copied since the last report.
    ///
    /// - Parameters:
    ///   - origin: The origin of a change that yields to later changes; nil for any other change.
    ///   - body: Makes an attempt, unless there were more than the given number of changes.
    private func attempt(
        _ pasteboard: PasteboardState, _ origin: ContentsOrigin?, within timeout: Duration,
        _ body: (_ changes: Int?, Duration) async -> ClaimOutcome
    ) async -> ClaimOutcome {
        guard let origin else { return await body(nil, timeout) }
        let deadline = ContinuousClock.now + timeout
        var outcome = ClaimOutcome.lost
        for _ in 1...Self.maxAttempts {
            outcome = await body(changeCounts[pasteboard.name] ?? 0, deadline - .now)
            // An owner without its own contents, such as the compositor, is not a later change.
            guard outcome == .lost, origin > pasteboard.origin else { break }
        }
        return outcome
    }

    /// Returns the error for a selection that another owner took.
    private func lostRace(for pasteboard: PasteboardState, _ origin: ContentsOrigin?) -> BridgeError {
        if let origin, origin < pasteboard.origin { return .superseded }
        return .raceLost(pasteboard.selection)
    }

    /// Makes the X thread own the selection of a pasteboard and serve a version on it.
    private func claim(
        _ version: PasteboardState.Version, of pasteboard: PasteboardState, _ claim: SelectionClaim = .always,
        within timeout: Duration
    ) async -> ClaimOutcome {
        offers[version.id] = version
        let outcome = await display.claim(offer(of: version, on: pasteboard), claim, within: timeout)
        // The X thread never had the offer, and does not report the offer's end.
        if outcome == .noDisplay || outcome == .nameLimit { offers[version.id] = nil }
        return outcome
    }

    /// Returns the offer by which the X thread serves a version.
    private func offer(of version: PasteboardState.Version, on pasteboard: PasteboardState) -> Offer {
        var offer = version.plan.offer(version.id, on: pasteboard.selection) { version.bytes(ofSource: $0) }
        if version.tracksPastes { offer.pasted = version.plan.pastedBodies }
        offer.isWithheldFromManager = isWithheldFromManager(version)
        if version.isTemporary { offer.addPasswordHint() }
        if version.isSecret || version.isLocalOnly {
            offer.refusesReader = { ProcessName.of($0).map(Configuration.isSender(named:)) ?? false }
        }
        mark(&offer)
        return offer
    }

    /// Adds a target without contents that identifies the compositor's copy of an offer on the Wayland side.
    func mark(_ offer: inout Offer) {
        guard let marker = seat.marker(of: offer.id) else { return }
        offer.targets.append(Offer.Target(name: marker, type: marker, body: offer.bodies.count))
        offer.bodies.append(Offer.Body(content: .made(within: .zero)))
    }

    /// Makes a body of an offer that a requestor asks for.
    func provide(_ body: Int, of offer: OfferID) async {
        let source =
            offers[offer].map { ($0.plan, $0.conversions) } ?? crossedOffers[offer].map { ($0.plan, $0.conversions) }
        guard let (plan, conversions) = source, plan.bodies.indices.contains(body) else {
            return display.provide(offer, body: body, .impossible)
        }
        do throws(ConversionFailure) {
            let bytes = try await conversions.bytes(of: plan.bodies[body].derivation)
            display.provide(offer, body: body, .made(Offer.Bytes(bytes.held, bytes.range)))
        } catch {
            switch error {
            case .impossible, .failed, .noEntry: display.provide(offer, body: body, .impossible)
            case .broken, .source, .refused, .promiseBroken: display.provide(offer, body: body, .failed)
            }
        }
    }

    // MARK: Taking over

    /// Takes a selection over, with captured contents, from an owner that asked to save them.
    ///
    /// - Parameter time: A server time at which the owner had the selection.
    /// - Returns: true if the bridge owns the selection now.
    func takeOver(
        _ version: PasteboardState.Version, of pasteboard: PasteboardState, from window: WindowID, at time: ServerTime
    ) async -> Bool {
        guard !display.isGuest else { return false }
        offers[version.id] = version
        let outcome = await display.claim(
            offer(of: version, on: pasteboard), .from(window, at: time), beginningWithin: .seconds(1))
        guard outcome != .done else { return true }
        logger.info("\(pasteboard.selection) was not taken over: \(outcome)")
        // The owner may have died, and the bridge may have owned the version since.
        if pasteboard.version?.id != version.id { offers[version.id] = nil }
        return false
    }

    /// The maximum time between a program's request to save its contents and its release of the selection, in
    /// milliseconds.
    private static let saveTime: UInt32 = 1_000

    /// Records the server's time of a program's request to save CLIPBOARD, whose contents the bridge now holds.
    func noteSave(at time: ServerTime) { lastSave = time }

    // MARK: Events of the display

    func attached(to name: String) {
        logger.notice("attached to display \(name)")
        wasAttached = true
        lostSince = nil
    }

    func detached(from name: String) {
        logger.warning("lost display \(name); its pasteboards are kept")
        lostSince = UnixTime.now
        offers = [:]
        crossedOffers = [:]
        owners = [:]
        deaths = [:]
        changeCounts = [:]
        for pasteboard in registry.all { observer?.handle(.displayLost, on: pasteboard) }
    }

    /// True if a selection has the owner that it had when the display was attached.
    func isAsFound(_ pasteboard: PasteboardState) -> Bool { changeCounts[pasteboard.name] == 0 }

    private func pasteboard(of selection: String) -> PasteboardState? {
        registry[PasteboardName(selection: selection)]
    }

    /// Handles the owner that was there when a display was attached.
    func found(_ owner: OwnershipTracker.Owner, of selection: String) {
        guard let pasteboard = pasteboard(of: selection) else { return }
        owners[pasteboard.name] = owner
        changeCounts[pasteboard.name] = 0
        observer?.handle(.displayFound(crossingOwner(owner)), on: pasteboard)
    }

    /// Handles a change of owner.
    func changed(_ selection: String, _ change: OwnershipTracker.Change) {
        guard let pasteboard = pasteboard(of: selection) else {
            // The pasteboard was removed while the claim was on its way.
            if case .ours(let offer) = change.owner { display.withdraw(offer) }
            return
        }
        owners[pasteboard.name] = change.owner
        changeCounts[pasteboard.name, default: 0] += change.steps
        deaths[pasteboard.name] = change.isDeath ? change.time : nil
        switch change.owner {
        // The step follows, or the bridge is ending, which is not a step.
        case .none where replacedUnseen.contains(pasteboard.name) || isReleasingAll: return
        case .foreign(let window):
            pasteboard.foreignEvent =
                change.acquired == .current ? nil : "\(window.id) \(change.acquired.milliseconds)"
        case .none, .compositor, .ours: break
        }
        // GTK destroys its window and then releases the selection, when a program quits.
        let isDeath = change.isDeath || change.followsDeath && change.owner == .none
        let followsSave =
            change.endsOurs && pasteboard.name == .general
            && lastSave.map { change.acquired.isWithin(Self.saveTime, after: $0) } == true
        let circumstances = DisplayChange(
            acquired: change.acquired, isDeath: isDeath, followsDeath: change.followsDeath,
            mayBeRefill: change.mayBeRefill, followsSave: followsSave, steps: change.steps)
        observer?.displayChanged(to: crossingOwner(change.owner), circumstances, on: pasteboard)
    }

    private func crossingOwner(_ owner: OwnershipTracker.Owner) -> DisplayOwner {
        switch owner {
        case .none: return .nobody
        case .foreign(let window): return .program(window)
        case .compositor(let window): return .compositor(window)
        case .ours(let offer):
            if let crossed = crossedOffers[offer] { return .crossing(crossed.offer) }
            let contents = version(offer).map { $0.crossingContents(on: display) }
            return .bridge(contents ?? CrossingContents(offer))
        }
    }

    /// Returns the claim for contents that the pasteboard or a Wayland program already has. An X11 program that copies
    /// at the same moment keeps the selection.
    func quietClaim(on pasteboard: PasteboardState) -> SelectionClaim {
        // Even a late claim after a death does no harm: the server refuses it if the selection has had an owner since.
        if let death = deaths[pasteboard.name] { return .afterDeath(death) }
        return .unlessChanged(since: changeCounts[pasteboard.name] ?? 0)
    }

    /// Owns the selection of a pasteboard for the contents that the pasteboard has, unless another program has just
    /// taken the selection.
    func reclaim(_ version: PasteboardState.Version, of pasteboard: PasteboardState) async {
        guard !version.isLocalOnly || !display.isForwarded, !lifetime.isLeaving else { return }
        let timeout = deaths[pasteboard.name] == nil ? CallTimeout.default : CallTimeout.max
        let outcome = await claim(version, of: pasteboard, quietClaim(on: pasteboard), within: timeout)
        guard outcome != .done else { return }
        // A later owner is reported by its own event.
        logger.info("\(pasteboard.selection) could not be claimed again: \(outcome)")
        // If the X thread never had the offer, it does not report the offer's end.
        if pasteboard.version?.id != version.id { offers[version.id] = nil }
    }

    /// Releases the selection of a pasteboard, if this bridge owns it.
    func releaseOwned(_ pasteboard: PasteboardState) {
        if case .ours(let offer) = owners[pasteboard.name] { display.withdraw(offer) }
    }

    // MARK: End

    /// Makes the X thread release all selections and end.
    package func releaseAll() {
        isReleasingAll = true
        display.stop()
    }
}

extension OfferPlan {
    /// The bodies with contents, without the bodies of marks.
    fileprivate var pastedBodies: Set<Int> {
        Set(targets.filter { !UniformType(target: $0.name).isMark }.map(\.body))
    }
}

extension BridgeError {
    fileprivate static func raceLost(_ selection: String) -> BridgeError {
        BridgeError(.refused, "another program took \(selection) at the same moment; try again")
    }

    /// Returns the error for a selection whose name would exceed the limit on atoms.
    fileprivate static func nameLimit(_ selection: String) -> BridgeError {
        BridgeError(
            .refused,
            "the X server keeps every name, and 'limit-atoms' does not allow another one, '\(selection)'; "
                + "raise that limit or restart the X server")
    }

    fileprivate static let displaySilent = BridgeError(
        .displayUnavailable,
        "the X server did not answer in time, and nothing was changed; a program may block it, or the connection is "
            + "lost"
    )
}

extension PasteboardState.Version {
    /// The origin of a copy that does not replace later copies; nil for a copy that replaces any other.
    fileprivate var yieldingOrigin: ContentsOrigin? { writer.yieldsToLater ? writer.origin : nil }

    /// Returns the bytes of a source, if they are available.
    func bytes(ofSource index: Int) -> Offer.Bytes? {
        sources[index].bytes.map { Offer.Bytes($0.held, $0.range) }
    }
}
