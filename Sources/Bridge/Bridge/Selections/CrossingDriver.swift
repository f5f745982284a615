import BridgeState
import DataControlProtocol
import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
import SelectionCrossing
import SelectionProtocol
import UniformTypes
import X11Bridge

/// The crossing of contents between the X display, the Wayland seat and the pasteboards.
///
/// ``SelectionOwnership`` and ``SeatOwnership`` report the events of their sides. A `CrossingMachine` for each
/// pasteboard decides on effects, which the driver performs on both sides and on the pasteboard.
final class CrossingDriver: SeatObserver, CaptureObserver {
    /// The crossing of one pasteboard.
    private final class Crossing {
        var machine: CrossingMachine
        /// A lock that is held while a side is changed or queried, so that a query follows all earlier changes.
        let mutex = AsyncMutex()
        /// The number of changes and queries under way.
        var workCount = 0
        /// The types of the seat's selections that are not decided yet.
        var types: [ForeignOfferID: [String]] = [:]
        /// The tasks that wait until an event has been handled.
        private var waiting: [PendingValue<Void>] = []

        init(holder: CrossingHolder, isSeatExpected: Bool) {
            machine = CrossingMachine(holder: holder, isSeatExpected: isSeatExpected)
        }

        var isSettled: Bool { workCount == 0 && machine.isSettled }

        /// Waits until an event has been handled, or the task is cancelled.
        func change() async {
            let change = PendingValue<Void>()
            waiting.append(change)
            await change.get { change.deliver(()) }
        }

        func noteChange() {
            let waiting = waiting
            self.waiting = []
            for change in waiting { change.deliver(()) }
        }
    }

    private let registry: PasteboardRegistry
    let display: DisplayProxy
    let ownership: SelectionOwnership
    let seat: SeatOwnership
    private let foreign: ForeignSelections
    let captures: CaptureController
    private let changes: PasteboardChanges
    private let persistence: PasteboardPersistence
    let settings: Settings
    private let executor: EventLoopExecutor
    private let logger: Logger
    private var crossings: [PasteboardName: Crossing] = [:]

    /// Called when the contents of a pasteboard's owner are captured.
    var onCapture: (PasteboardState) -> Void = { _ in }

    /// The time that a call waits to learn whether a program has copied.
    static let decisionTimeout = Duration.milliseconds(500)

    init(
        registry: PasteboardRegistry, ownership: SelectionOwnership, seat: SeatOwnership, foreign: ForeignSelections,
        captures: CaptureController, changes: PasteboardChanges, persistence: PasteboardPersistence,
        settings: Settings, executor: EventLoopExecutor, logger: Logger
    ) {
        self.registry = registry
        self.settings = settings
        display = ownership.display
        self.ownership = ownership
        self.seat = seat
        self.foreign = foreign
        self.captures = captures
        self.changes = changes
        self.persistence = persistence
        self.executor = executor
        self.logger = logger
        ownership.observer = self
        seat.observer = self
        captures.observer = self
    }

    private func crossing(of pasteboard: PasteboardState) -> Crossing {
        if let crossing = crossings[pasteboard.name] { return crossing }
        let holder: CrossingHolder =
            switch pasteboard.holder {
            case .client(let version): .bridge(version.crossingContents(on: display))
            case .nobody, .foreign: .nobody
            }
        let crossing = Crossing(holder: holder, isSeatExpected: seat.isExpected(for: pasteboard.name))
        if seat.isAbsent { _ = crossing.machine.handle(.seatAbsent, now: .now) }
        crossings[pasteboard.name] = crossing
        return crossing
    }

    /// Forgets a pasteboard that is removed.
    func forget(_ pasteboard: PasteboardName) { crossings[pasteboard] = nil }

    func isOnBothSides(_ pasteboard: PasteboardState) -> Bool {
        crossings[pasteboard.name]?.machine.isOnBothSides == true
    }

    func mayBeUnmarked(_ pasteboard: PasteboardState) -> Bool {
        crossings[pasteboard.name]?.machine.mayBeUnmarked == true
    }

    // MARK: Events

    func handle(_ event: CrossingEvent, on pasteboard: PasteboardState) {
        guard !pasteboard.isRemoved else { return }
        if event.endsProgram(of: pasteboard) {
            captures.ownerEnded(pasteboard, notesLoss: event.losesContents)
        }
        let crossing = crossing(of: pasteboard)
        let effects = crossing.machine.handle(event, now: .now)
        pasteboard.followsSecret = crossing.machine.followsSecret
        if crossing.machine.isOnBothSides { logger.debug("\(pasteboard.name): \(event) -> \(effects)") }
        perform(effects, on: pasteboard, crossing)
        if !crossing.types.isEmpty {
            let undecided = Set(crossing.machine.undecided)
            crossing.types = crossing.types.filter { undecided.contains($0.key) }
        }
        crossing.noteChange()
    }

    func displayChanged(to owner: DisplayOwner, _ change: DisplayChange, on pasteboard: PasteboardState) {
        var change = change
        change.former = captures.secrecy(of: pasteboard)
        handle(.displayChanged(owner, change), on: pasteboard)
    }

    func seatChanged(to owner: SeatOwner, types: [String], isFound: Bool, on pasteboard: PasteboardState) {
        var event = isFound ? CrossingEvent.seatFound(owner) : .seatChanged(owner)
        if case .program(let offer) = owner {
            crossing(of: pasteboard).types[offer] = types
            if !isFound, types.contains(Self.refillMark) { event = .seatRefilled(offer) }
        }
        handle(event, on: pasteboard)
    }

    func compositorRefused(_ pasteboard: PasteboardState) { handle(.compositorEmptied, on: pasteboard) }

    func captured(_ pasteboard: PasteboardState, isWhole: Bool) {
        guard let captured = pasteboard.captured else { return }
        let contents = CrossingContents(captured.id, isConcealed: captured.hasHint, isWhole: isWhole)
        handle(.captured(contents), on: pasteboard)
        onCapture(pasteboard)
    }

    /// Reports a change of the focus to the crossing machines.
    func focusChanged() {
        for pasteboard in registry.all where isOnBothSides(pasteboard) { handle(.focusChanged, on: pasteboard) }
    }

    // MARK: Effects

    private func perform(_ effects: [CrossingEffect], on pasteboard: PasteboardState, _ crossing: Crossing) {
        // The sides change before the watchers of the pasteboard are notified.
        for effect in effects { performOnSides(effect, on: pasteboard) }
        for effect in effects {
            switch effect {
            case .step(let holder, let steps): step(to: holder, steps: steps, on: pasteboard)
            case .count(let steps): changes.count(steps, on: pasteboard)
            case .hold(let holder): hold(holder, on: pasteboard)
            case .own(let contents): work(on: crossing) { [self] in await own(contents, on: pasteboard) }
            case .cross(let offer): work(on: crossing) { [self] in await cross(offer, on: pasteboard) }
            case .forget: work(on: crossing) { [self] in await ownership.ownNothing(on: pasteboard) }
            case .release, .offer, .clearSeat: break
            case .ask: work(on: crossing) { [self] in await answer(on: pasteboard, crossing) }
            case .look: work(on: crossing) { [self] in await look(on: pasteboard) }
            case .lookAtSeat(let offer): work(on: crossing) { [self] in await look(at: offer, on: pasteboard) }
            case .lookForRefill: work(on: crossing) { [self] in await lookForRefill(on: pasteboard) }
            case .wake(let time):
                _ = executor.timers.set(time) { [weak self] in self?.handle(.due, on: pasteboard) }
            }
        }
    }

    /// Sends a request to one of the sides, without waiting for an outcome.
    private func performOnSides(_ effect: CrossingEffect, on pasteboard: PasteboardState) {
        switch effect {
        case .release: ownership.releaseOwned(pasteboard)
        case .clearSeat: seat.clear(pasteboard)
        case .offer(let contents):
            if let version = version(contents.id, of: pasteboard) { seat.offer(version, of: pasteboard) }
        case .step, .count, .hold, .own, .cross, .forget, .ask, .look, .lookAtSeat, .lookForRefill, .wake: break
        }
    }

    /// Runs `body` after all earlier work on the same pasteboard.
    private func work(on crossing: Crossing, _ body: @escaping () async -> Void) {
        crossing.workCount += 1
        executor.start {
            await crossing.mutex.withLock(body)
            crossing.workCount -= 1
            crossing.noteChange()
        }
    }

    private func step(to holder: CrossingHolder, steps: Int, on pasteboard: PasteboardState) {
        pasteboard.isBehindCompositor = holder.isCompositor
        guard case .bridge(let contents) = holder, let version = version(contents.id, of: pasteboard) else {
            return changes.change(pasteboard, to: state(of: holder), steps: steps)
        }
        let isWritten = ownership.endClaim(of: contents.id)
        changes.change(pasteboard, to: .client(version), steps: steps)
        // A client's contents are in the store already.
        if !isWritten { persistence.storeLate(pasteboard) }
    }

    private func hold(_ holder: CrossingHolder, on pasteboard: PasteboardState) {
        pasteboard.isBehindCompositor = holder.isCompositor
        switch holder {
        case .bridge: captures.keep(on: pasteboard)
        case .nobody: changes.foundNobody(on: pasteboard)
        case .window, .offer, .compositor: changes.found(state(of: holder), on: pasteboard)
        }
    }

    private func state(of holder: CrossingHolder) -> PasteboardState.Holder {
        switch holder {
        case .window(let window), .compositor(let window): .foreign(.window(window.id))
        case .offer(let offer): .foreign(.offer(offer.number))
        case .nobody, .bridge: .nobody
        }
    }

    /// Returns a version that is still known: one of the pasteboard, one that a client writes, or one that programs on
    /// either side may ask for.
    func version(_ id: OfferID, of pasteboard: PasteboardState) -> PasteboardState.Version? {
        if let version = pasteboard.version, version.id == id { return version }
        if let captured = pasteboard.captured, captured.id == id { return captured }
        return ownership.version(id) ?? seat.offered(id)
    }

    private func own(_ contents: CrossingContents, on pasteboard: PasteboardState) async {
        guard let version = version(contents.id, of: pasteboard) else { return }
        await ownership.reclaim(version, of: pasteboard)
    }

    private func cross(_ offer: ForeignOfferID, on pasteboard: PasteboardState) async {
        guard case .foreign(.offer(offer.number)) = pasteboard.holder else { return }
        let reader = foreign.reader(of: pasteboard, idleTimeout: CallTimeout.default)
        guard let contents = try? await foreign.contents(of: reader),
            case .foreign(.offer(offer.number)) = pasteboard.holder
        else { return }
        await ownership.cross(contents, of: offer, on: pasteboard)
    }

    // MARK: Questions

    /// Finds out where the focus is, once both sides have reported all changes up to now, and answers the machine.
    private func answer(on pasteboard: PasteboardState, _ crossing: Crossing) async {
        await seat.catchUp(within: CallTimeout.default)
        // A single query could overtake claims that are on their way to the server. A second query, sent after the
        // first answer, cannot.
        _ = await isDisplayFocused(within: CallTimeout.default)
        let isFocused = await isDisplayFocused(within: CallTimeout.default)
        await display.catchUp(within: CallTimeout.default)
        let machine = crossing.machine
        let offers = machine.undecided.map { (id: $0, types: crossing.types[$0] ?? []) }
        let alike = await alike(offers, on: pasteboard) { machine.comparesContents(of: $0, isFocused: isFocused) }
        let isCopyOfNothing = isFocused ? await isCopyOfNothing(pasteboard, crossing, alike) : false
        if pasteboard.isOwnedByWindow, !ownership.isOwnedByProgram(pasteboard) {
            captures.ownerEnded(pasteboard)
        }
        let answer = CrossingAnswer(isFocused: isFocused, alike: alike, isCopyOfNothing: isCopyOfNothing)
        handle(.answered(answer), on: pasteboard)
        if isCopyOfNothing, pasteboard.isEmpty { captures.noteCrossing(on: pasteboard) }
    }

    /// Returns true if the seat's selection is a copy of contents that nobody has. Returns false if something has
    /// changed since the query, or if a program has copied with types that no compositor's copy has.
    private func isCopyOfNothing(
        _ pasteboard: PasteboardState, _ crossing: Crossing, _ alike: Set<ForeignOfferID>
    ) async -> Bool {
        let machine = crossing.machine
        guard !machine.isDue, machine.mayBeCopyOfNothing else { return false }
        guard let last = machine.undecided.last else { return await isCopyOfNothing(pasteboard, isOnlyCopy: false) }
        return alike.contains(last) ? await isCopyOfNothing(pasteboard, isOnlyCopy: alike.count == 1) : false
    }

    func isDisplayFocused(within timeout: Duration) async -> Bool {
        await display.ask(FocusQuery(), within: timeout) == true
    }

    private func look(on pasteboard: PasteboardState) async {
        let contents =
            ownership.isOwnedByProgram(pasteboard)
            ? await programContents(on: pasteboard) : await compositorContents(on: pasteboard)
        handle(.looked(contents), on: pasteboard)
    }

    private func look(at offer: ForeignOfferID, on pasteboard: PasteboardState) async {
        handle(.looked(await contents(of: offer, on: pasteboard)), on: pasteboard)
    }

    private func lookForRefill(on pasteboard: PasteboardState) async {
        let contents = ownership.isOwnedByProgram(pasteboard) ? await refilledContents(on: pasteboard) : .other
        handle(.looked(contents), on: pasteboard)
    }

    // MARK: Waiting

    /// Waits until both sides are in line with a pasteboard, or until the timeout.
    func settle(_ pasteboard: PasteboardState, within timeout: Duration) async {
        guard let crossing = crossings[pasteboard.name] else { return }
        await wait(for: crossing, within: timeout) { $0.isSettled }
        await seat.settle(within: SelectionOwnership.serverTimeout)
    }

    /// Waits until it is decided which of the reported owners are changes, or until the timeout.
    func awaitDecisions(within timeout: Duration) async {
        for crossing in crossings.values {
            await wait(for: crossing, within: timeout) { $0.machine.isDecided }
        }
    }

    private func wait(
        for crossing: Crossing, within timeout: Duration, until condition: @escaping (Crossing) -> Bool
    ) async {
        guard !condition(crossing) else { return }
        _ = await executor.withTimeout(timeout) {
            while !condition(crossing), !Task.isCancelled { await crossing.change() }
        }
    }

    /// Returns true if programs on the other side get a program's contents only after their capture.
    func needsCapture(_ pasteboard: PasteboardState) async -> Bool {
        guard let crossing = crossings[pasteboard.name], crossing.machine.needsCapture(isFocused: false) else {
            return false
        }
        let isFocused = await isDisplayFocused(within: SelectionOwnership.serverTimeout)
        return crossing.machine.needsCapture(isFocused: isFocused)
    }
}

extension CrossingHolder {
    fileprivate var isCompositor: Bool { if case .compositor = self { true } else { false } }
}

extension CrossingEvent {
    /// True if uncaptured contents of the program that has ended are lost: neither the display nor the seat is gone,
    /// and no later claim may put the contents back.
    fileprivate var losesContents: Bool {
        switch self {
        case .displayLost, .seatLost, .seatRefilled: false
        case .displayChanged(_, let change): !change.mayBeRefill
        default: true
        }
    }

    /// Returns true if the program that owns a pasteboard has ended, or was replaced by the compositor's copy of its
    /// contents.
    fileprivate func endsProgram(of pasteboard: PasteboardState) -> Bool {
        switch self {
        case .displayLost: pasteboard.isOwnedByWindow
        case .displayChanged(let owner, let change):
            pasteboard.isOwnedByWindow
                && (change.isDeath || change.mayBeRefill || change.followsDeath && owner.isCompositor)
        case .seatLost, .seatChanged(.nobody), .seatChanged(.copy), .seatRefilled: pasteboard.isOwnedByOffer
        default: false
        }
    }
}

extension DisplayOwner {
    fileprivate var isCompositor: Bool { if case .compositor = self { true } else { false } }
}

extension PasteboardState.Version {
    /// True for contents with the hint to clipboard managers. If a display and a seat are one session, such contents
    /// are offered only on the seat: a compositor that copies the X11 selection drops the hint, whose names are not
    /// MIME types.
    var hasHint: Bool { isSecret || isTemporary }

    /// Returns the contents in the terms of the machine. Like secrets, contents that the display must not see are left
    /// to the seat.
    func crossingContents(on display: DisplayProxy) -> CrossingContents {
        CrossingContents(id, isConcealed: hasHint || isLocalOnly && display.isForwarded)
    }
}
