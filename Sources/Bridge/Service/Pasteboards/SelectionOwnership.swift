import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardWire
package import SelectionProtocol
import UniformTypes
import X11Bridge

/// The selections that the service owns for its pasteboards: claims under way, and the versions that X clients may ask
/// for.
package final class SelectionOwnership {
    /// The time that a call waits for an X server that does not react, before the last known state is used.
    package static let serverTimeout = Duration.milliseconds(100)

    package struct Claim {
        let pasteboard: PasteboardState
        let version: PasteboardState.Version
    }

    weak var service: Service?
    let display: DisplayProxy
    let executor: EventLoopExecutor
    let logger: Logger
    /// Claims of new versions, until the change of owner is reported.
    private var claims: [OfferID: Claim] = [:]
    /// Claims in place of programs that asked for that, until the change of owner is reported.
    package private(set) var takeovers: [OfferID: Claim] = [:]
    /// The versions that X clients may ask for.
    package private(set) var offers: [OfferID: PasteboardState.Version] = [:]
    /// Contents of Wayland programs that X clients may ask for.
    var relays: [OfferID: Relay] = [:]
    /// The owners of selections that the display has reported last.
    private(set) var owners: [PasteboardName: OwnershipTracker.Owner] = [:]
    /// The number of changes of each selection that the display has reported since it found the owner.
    private var changeCounts: [PasteboardName: Int] = [:]
    /// The ownerships by the compositor's window.
    var compositors: [PasteboardName: CompositorTracker] = [:]
    /// True once a display has been attached.
    private(set) var wasAttached = false
    /// The time at which the X server went away, in milliseconds of the Unix epoch.
    private(set) var lostSince: Int?
    /// Set once the selections are released at the end of the bridge: the contents do not change by that.
    private var isReleasingAll = false

    init(display: DisplayProxy, executor: EventLoopExecutor, logger: Logger) {
        self.display = display
        self.executor = executor
        self.logger = logger
    }

    /// True while a claim is under way.
    var isClaiming: Bool { !claims.isEmpty }

    /// Returns the version of an offer that X clients may ask for.
    package func offered(_ offer: OfferID) -> PasteboardState.Version? { offers[offer] }

    /// Forgets an offer that can no longer be asked for.
    func forget(_ offer: OfferID) {
        // The offer of a claim that was lost may be claimed once more.
        guard claims[offer] == nil else { return }
        offers[offer] = nil
        relays[offer] = nil
    }

    // MARK: Owning

    /// Owns the selection of a pasteboard, and makes the version its contents. Returns the count of the version's step.
    func own(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState, within timeout: Duration
    ) async throws(BridgeError) -> Int {
        guard !pasteboard.isRemoved else { throw BridgeError(.noSuchPasteboard(pasteboard.name)) }
        let isSeen = display.state != .none && !pasteboard.isHidden
        let isLeftToCompositor =
            isSeen ? await service?.relay.isLeftToCompositor(version, on: pasteboard) ?? false : false
        // A program may have copied while the contents were stored.
        if let origin = version.sharedOrigin, origin < pasteboard.origin { throw .superseded }
        guard isSeen else {
            service?.change(pasteboard, to: .client(version))
            return pasteboard.count(of: version)
        }
        if isLeftToCompositor || version.isLocalOnly && display.isForwarded {
            return try await replaceUnseen(version, on: pasteboard, within: timeout)
        }
        claims[version.id] = Claim(pasteboard: pasteboard, version: version)
        let outcome = await attempt(pasteboard, version.sharedOrigin, within: timeout) { (count, timeout) in
            let condition = count.map { SelectionClaim.unlessChanged(since: $0) } ?? .always
            return await claim(version, of: pasteboard, condition, within: timeout)
        }
        // The change of owner, which is reported before the outcome (invariant 7), has removed the claim and made the
        // step (invariant 3).
        let isPending = claims.removeValue(forKey: version.id) != nil
        switch outcome {
        case .done where pasteboard.isRemoved: throw BridgeError(.noSuchPasteboard(pasteboard.name))
        case .done: break
        // The display went away meanwhile: the contents are on the pasteboard, and are offered when it is back.
        case .noDisplay where isPending: service?.change(pasteboard, to: .client(version))
        case .noDisplay: break
        case .lost:
            offers[version.id] = nil
            throw lostRace(for: pasteboard, version.sharedOrigin)
        case .timedOut where isPending: throw .displaySilent
        case .timedOut: break
        case .nameLimit: throw .nameLimit(pasteboard.selection)
        }
        return pasteboard.count(of: version)
    }

    /// Makes a version the contents of a pasteboard without owning its selection, so that the display does not see
    /// them.
    private func replaceUnseen(
        _ version: PasteboardState.Version, on pasteboard: PasteboardState, within timeout: Duration
    ) async throws(BridgeError) -> Int {
        let outcome = await attempt(pasteboard, version.sharedOrigin, within: timeout) { (count, timeout) in
            pasteboard.isReplacedUnseen = true
            defer { pasteboard.isReplacedUnseen = false }
            return await display.releaseOwnership(
                of: pasteboard.selection, unlessChangedSince: count, within: timeout)
        }
        switch outcome {
        case .done, .noDisplay, .nameLimit: service?.change(pasteboard, to: .client(version))
        case .lost: throw lostRace(for: pasteboard, version.sharedOrigin)
        case .timedOut: throw .displaySilent
        }
        return pasteboard.count(of: version)
    }

    /// Clears a pasteboard. Returns the count of the step that emptied it.
    func release(_ pasteboard: PasteboardState, within timeout: Duration) async throws(BridgeError) -> Int {
        let former = pasteboard.version?.id
        let outcome: ClaimOutcome =
            display.state == .none || pasteboard.isHidden
            ? .noDisplay
            : await attempt(pasteboard, pasteboard.clearingOrigin, within: timeout) { (count, timeout) in
                await display.releaseOwnership(of: pasteboard.selection, unlessChangedSince: count, within: timeout)
            }
        switch outcome {
        // There is no event for contents that the display does not see, and none of a Wayland program's.
        case .done where former != nil && pasteboard.version?.id == former || pasteboard.isOwnedByOffer, .noDisplay,
            .nameLimit:
            if !pasteboard.isHeldByNobody { service?.change(pasteboard, to: .nobody) }
        // The change was reported before, and has been counted.
        case .done: break
        case .lost: throw lostRace(for: pasteboard, pasteboard.clearingOrigin)
        case .timedOut: throw .displaySilent
        }
        return pasteboard.countEmptied
    }

    // MARK: Changes of other machines

    /// The number of attempts to claim or release a selection for a change of another machine.
    private static let maxAttempts = 3

    /// Claims or releases the selection of a pasteboard; for a change of another machine on the condition that no
    /// program has copied since the last report, since its copy is the later one.
    ///
    /// - Parameters:
    ///   - origin: The origin of a change of another machine; nil for one of this machine.
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
            // An owner without contents of its own, such as the compositor, is no later change.
            guard outcome == .lost, origin > pasteboard.origin else { break }
        }
        return outcome
    }

    /// Returns the error for a selection that another owner took.
    private func lostRace(for pasteboard: PasteboardState, _ origin: ContentsOrigin?) -> BridgeError {
        if let origin, origin < pasteboard.origin { return .superseded }
        return .raceLost(pasteboard.selection)
    }

    /// Has the X thread own the selection of a pasteboard and serve a version on it.
    private func claim(
        _ version: PasteboardState.Version, of pasteboard: PasteboardState, _ claim: SelectionClaim = .always,
        within timeout: Duration
    ) async -> ClaimOutcome {
        offers[version.id] = version
        let outcome = await display.claim(offer(of: version, on: pasteboard), claim, within: timeout)
        // The X thread never had the offer, and does not report its end.
        if outcome == .noDisplay || outcome == .nameLimit { offers[version.id] = nil }
        return outcome
    }

    /// Returns a version as the X thread serves it.
    private func offer(of version: PasteboardState.Version, on pasteboard: PasteboardState) -> Offer {
        var offer = version.plan.offer(version.id, on: pasteboard.selection) { version.bytes(ofSource: $0) }
        if version.options.once { offer.pasted = version.plan.pastedBodies }
        offer.isWithheldFromManager = isWithheldFromManager(version)
        mark(&offer)
        return offer
    }

    /// Adds a target by which the compositor's copy of an offer is known on the Wayland side. It has no contents.
    func mark(_ offer: inout Offer) {
        guard let marker = service?.seat.marker(of: offer.id) else { return }
        offer.targets.append(Offer.Target(name: marker, type: marker, body: offer.bodies.count))
        offer.bodies.append(Offer.Body(content: .made(within: .zero)))
    }

    /// Makes a body of an offer that a requestor asks for.
    func provide(_ body: Int, of offer: OfferID) async {
        let source = offers[offer].map { ($0.plan, $0.conversions) } ?? relays[offer].map { ($0.plan, $0.conversions) }
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

    /// Owns a selection with captured contents after the death of its owner. This is not a step, because the contents
    /// are the same.
    ///
    /// - Parameter death: The server's time of the death.
    func takeOver(_ version: PasteboardState.Version, of pasteboard: PasteboardState, afterDeath death: ServerTime) {
        offers[version.id] = version
        let offer = offer(of: version, on: pasteboard)
        executor.start { [self] in
            // Even a late claim does no harm: the server refuses it if anybody has owned the selection since.
            let outcome = await display.claim(offer, .afterDeath(death), within: CallTimeout.max)
            guard outcome != .done else { return }
            // If the X thread never had the offer, it does not report its end.
            offers[version.id] = nil
            // A later owner is reported by an event of its own.
            logger.info("\(pasteboard.selection) was not taken over: \(outcome)")
        }
    }

    /// Owns a selection with captured contents in place of its owner, which asked for that.
    ///
    /// - Parameter time: A time of the server's at which the owner had the selection.
    /// - Returns: true if it is owned now.
    func takeOver(
        _ version: PasteboardState.Version, of pasteboard: PasteboardState, from window: WindowID, at time: ServerTime
    ) async -> Bool {
        guard !display.isForwarded else { return false }
        takeovers[version.id] = Claim(pasteboard: pasteboard, version: version)
        offers[version.id] = version
        let outcome = await display.claim(
            offer(of: version, on: pasteboard), .from(window, at: time), beginningWithin: .seconds(1))
        guard outcome != .done else { return true }
        logger.info("\(pasteboard.selection) was not taken over: \(outcome)")
        takeovers[version.id] = nil
        // The owner may have died meanwhile, and the version may be owned since.
        if pasteboard.version?.id != version.id { offers[version.id] = nil }
        return false
    }

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
        relays = [:]
        owners = [:]
        compositors = [:]
        changeCounts = [:]
        guard let service else { return }
        for pasteboard in service.registry.all
        where pasteboard.isOwnedByWindow && !service.captures.takeOver(pasteboard, after: .displayLost) {
            service.change(pasteboard, to: .nobody)
        }
    }

    func pasteboard(of selection: String) -> PasteboardState? {
        service?.registry[PasteboardName(selection: selection)]
    }

    /// Handles the owner that was there when a display was attached: a living foreign owner wins, otherwise the
    /// contents of the pasteboard are claimed.
    func found(_ owner: OwnershipTracker.Owner, of selection: String) {
        guard let service, let pasteboard = pasteboard(of: selection) else { return }
        owners[pasteboard.name] = owner
        changeCounts[pasteboard.name] = 0
        pasteboard.isBehindCompositor = false
        switch owner {
        case .foreign(let window) where pasteboard.isEmpty: service.found(.foreign(.window(window.id)), on: pasteboard)
        case .foreign(let window): service.change(pasteboard, to: .foreign(.window(window.id)))
        case .none:
            if let version = pasteboard.version {
                executor.start { [self] in await reclaim(version, of: pasteboard) }
            } else {
                service.relay.bringInLine(pasteboard)
            }
        case .compositor(let window) where service.seat.isAbsent: found(compositor: window, on: pasteboard)
        case .compositor: service.relay.bringInLine(pasteboard)
        case .ours: break
        }
    }

    /// Handles a change of owner.
    func changed(_ selection: String, _ change: OwnershipTracker.Change) {
        guard let service, let pasteboard = pasteboard(of: selection) else {
            // The pasteboard was removed while the claim was on its way.
            if case .ours(let offer) = change.owner { display.withdraw(offer) }
            return
        }
        let wasOfCompositor = isOwnedByCompositor(pasteboard)
        let wasOfNobody = owners[pasteboard.name] == OwnershipTracker.Owner.none
        owners[pasteboard.name] = change.owner
        changeCounts[pasteboard.name, default: 0] += change.steps
        noteSecrecy(of: pasteboard)
        pasteboard.isBehindCompositor = false
        if !isOwnedByCompositor(pasteboard) { compositors[pasteboard.name]?.lost() }
        switch change.owner {
        case .compositor(let window) where service.seat.isAbsent:
            changed(toCompositor: window, change, on: pasteboard, afterNobody: wasOfNobody)
        case .compositor: service.relay.bringInLine(pasteboard)
        case .foreign(let window):
            pasteboard.foreignEvent =
                change.acquired == .current ? nil : "\(window.id) \(change.acquired.milliseconds)"
            service.change(pasteboard, to: .foreign(.window(window.id)), steps: change.steps)
        case .none where pasteboard.isReplacedUnseen || isReleasingAll: break
        // The compositor has released its copy, or this bridge that of a Wayland program.
        case .none where service.relay.isShared(pasteboard) && (wasOfCompositor || pasteboard.isOwnedByOffer):
            service.relay.bringInLine(pasteboard)
        // Released for a pasteboard of that name that was removed.
        case .none where pasteboard.isHeldByNobody: break
        case .none where change.isDeath && service.captures.takeOver(pasteboard, after: .died(change.time)):
            break
        case .none: service.change(pasteboard, to: .nobody, steps: change.steps)
        case .ours(let offer): claimed(offer, on: pasteboard)
        }
    }

    /// Handles that an offer of this bridge is owned now.
    private func claimed(_ offer: OfferID, on pasteboard: PasteboardState) {
        guard let service else { return }
        if let relay = relays[offer] {
            // The Wayland program may have been replaced meanwhile.
            if case .foreign(relay.holder) = pasteboard.holder { return }
            return service.relay.bringInLine(pasteboard)
        }
        if let takeover = takeovers.removeValue(forKey: offer), takeover.pasteboard === pasteboard,
            pasteboard.captured?.id == offer
        {
            service.captures.noteOmissions(of: pasteboard)
            pasteboard.setHolder(.client(takeover.version), at: UnixTime.now)
            return service.captures.ownerChanged(pasteboard)
        }
        // Another pasteboard of that name may have been made since.
        if let claim = claims.removeValue(forKey: offer), claim.pasteboard === pasteboard {
            service.change(pasteboard, to: .client(claim.version))
        } else if pasteboard.version?.id != offer {
            undo(offer, on: pasteboard)
        }
    }

    /// Undoes a claim that succeeded after its call had timed out: restores the contents from before, unless newer ones
    /// are being claimed.
    private func undo(_ offer: OfferID, on pasteboard: PasteboardState) {
        guard !claims.values.contains(where: { $0.pasteboard === pasteboard }) else { return }
        if let version = pasteboard.version {
            executor.start { [self] in await reclaim(version, of: pasteboard) }
        } else {
            // The claim took the selection from a foreign owner: there is nothing to restore.
            display.withdraw(offer)
        }
    }

    /// The claim for contents that the pasteboard has, or that a Wayland program has: another program may copy at the
    /// same moment, and is not to lose the selection by that.
    func quietClaim(on pasteboard: PasteboardState) -> SelectionClaim {
        .unlessChanged(since: changeCounts[pasteboard.name] ?? 0)
    }

    /// Owns the selection of a pasteboard for the contents that the pasteboard has, unless another program has just
    /// taken it.
    func reclaim(_ version: PasteboardState.Version, of pasteboard: PasteboardState) async {
        guard !version.isLocalOnly || !display.isForwarded else { return }
        let outcome = await claim(version, of: pasteboard, quietClaim(on: pasteboard), within: CallTimeout.default)
        if outcome != .done { logger.info("\(pasteboard.selection) could not be claimed again: \(outcome)") }
    }

    // MARK: End

    /// Has the X thread release all selections, and end.
    package func releaseAll() {
        isReleasingAll = true
        display.stop()
    }
}

extension OfferPlan {
    /// The bodies with contents, not those of marks.
    fileprivate var pastedBodies: Set<Int> {
        Set(targets.filter { !UniformType(target: $0.name).isMark }.map(\.body))
    }
}

extension BridgeError {
    fileprivate static func raceLost(_ selection: String) -> BridgeError {
        BridgeError(.refused, "another program took \(selection) at the same moment; try once more")
    }

    /// Returns the error for a selection whose name would exceed the limit on atoms.
    fileprivate static func nameLimit(_ selection: String) -> BridgeError {
        BridgeError(
            .refused,
            "'\(selection)' would be one name more for the X server, which keeps each, than 'limit-atoms' allows; "
                + "raise that or restart the X server")
    }

    fileprivate static let displaySilent = BridgeError(
        .displayUnavailable,
        "the X server did not answer in time, and nothing was changed; a program may hold it, or the connection is lost"
    )
}

extension PasteboardState.Version {
    /// The origin of a copy of another machine; nil for one of this machine.
    fileprivate var sharedOrigin: ContentsOrigin? { writer.isShared ? writer.origin : nil }

    /// Returns the bytes of a source, if they are available.
    func bytes(ofSource index: Int) -> Offer.Bytes? {
        sources[index].bytes.map { Offer.Bytes($0.held, $0.range) }
    }
}
