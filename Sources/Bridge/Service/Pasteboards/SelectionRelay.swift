import DataControlProtocol
import EventLoop
import FormatConversion
import Logging
import PasteboardModel
import SelectionProtocol
import UniformTypes
import X11Bridge

/// The crossing of contents between the X display and the Wayland seat of one session.
///
/// ## What compositors do
///
/// While a window of an X11 program has the focus, a compositor copies selections itself: its own window takes the X11
/// selection after each change on the Wayland side, and a source of its own becomes the Wayland selection after each
/// change on the X11 side. Without such a focus wlroots still takes the X11 selection, as soon as any X11 window had
/// the focus once, but gives its contents to nobody; KWin releases it. Both ignore changes on the X11 side then.
///
/// Two changes that cross each other, one on each side, can leave a compositor with two copies of each other and no
/// contents. So the bridge changes one side at a time, and waits for what the compositor makes of it. Programs that
/// copy at the same moment cross the bridge's own changes as well: it claims the X11 selection only if the owner is
/// still the one that it knows, and an offer of its own that took a selection away is the contents again.
///
/// ## The rules
///
/// * An ownership by the compositor's window is no change of contents. If the bridge has the contents, it takes the
///   selection back.
/// * A Wayland selection that is a copy of an X11 selection is no change either. It has the bridge's marker, or it is
///   the first after a change on the X11 side while an X11 window has the focus. If the compositor owns the X11
///   selection after that, it was a copy by a Wayland program all the same.
/// * Contents of the bridge are owned on X11 first. While an X11 window has the focus, the compositor's copy serves
///   Wayland programs; otherwise, or if that copy does not come, the bridge offers them on the seat.
/// * Concealed contents are owned on the seat only, while an X11 window has the focus. The compositor's copy of an X11
///   selection would not have their mark, by which clipboard managers know them, but its window on X11 has it.
/// * Contents of a Wayland program are offered on X11 while no X11 window has the focus: otherwise the compositor would
///   put a copy of that offer in the place of the Wayland program.
/// * Contents of an X11 program are offered to Wayland programs once they are captured, if the compositor has not
///   copied them: it may then take the X11 selection away from that program.
final class SelectionRelay {
    /// The work on one pasteboard, one pass after the other.
    private final class Crossing {
        let mutex = AsyncMutex()
        /// True if something has changed since the last pass began.
        var isDue = false
        /// Delivered when something changes during a pass.
        var change = PendingValue<Void>()
        /// The version for which the compositor's copy was awaited, and did not come.
        var uncopied: OfferID?
        /// The times at which the selection was taken back from the compositor lately.
        var reclaims: [ContinuousClock.Instant] = []
    }

    private unowned let service: Service
    private let display: DisplayProxy
    private let seat: SeatOwnership
    private let ownership: SelectionOwnership
    private let executor: EventLoopExecutor
    private let logger: Logger
    private var crossings: [PasteboardName: Crossing] = [:]

    /// The time for the compositor to copy an X11 selection.
    private static let copyTimeout = Duration.milliseconds(500)
    /// The number of times that a selection is taken back from the compositor in a second.
    private static let maxReclaims = 8

    init(_ service: Service, logger: Logger) {
        self.service = service
        self.logger = logger
        display = service.display
        seat = service.seat
        ownership = service.ownership
        executor = service.executor
    }

    /// Returns true for a pasteboard that both sides have.
    func isShared(_ pasteboard: PasteboardState) -> Bool {
        display.isAttached && seat.selection(of: pasteboard) != nil && !pasteboard.isHidden && !pasteboard.isRemoved
    }

    /// True while an X11 window has the focus, so that the compositor copies selections.
    private var isDisplayFocused: Bool {
        get async { await display.ask(FocusQuery(), within: SelectionOwnership.serverTimeout) == true }
    }

    /// Waits until claims are known that are on their way to the X server. The server may read one question of this
    /// bridge ahead of them, but not a second one, which follows the answer.
    func awaitClaims() async {
        for _ in 1...2 { _ = await isDisplayFocused }
        await display.catchUp(within: SelectionOwnership.serverTimeout)
    }

    /// Returns true if Wayland programs are given the contents of an X11 program only once they are captured.
    func needsCapture(_ pasteboard: PasteboardState) async -> Bool {
        guard isShared(pasteboard), pasteboard.isOwnedByWindow else { return false }
        return await !isDisplayFocused
    }

    // MARK: Passes

    /// Brings both sides in line with a pasteboard, of which one side has changed.
    func bringInLine(_ pasteboard: PasteboardState) {
        guard isShared(pasteboard) else { return }
        let crossing = crossings[pasteboard.name, default: Crossing()]
        crossings[pasteboard.name] = crossing
        crossing.change.deliver(())
        guard !crossing.isDue else { return }
        crossing.isDue = true
        executor.start { [self] in
            await crossing.mutex.withLock {
                while crossing.isDue {
                    crossing.isDue = false
                    crossing.change = PendingValue()
                    await pass(over: pasteboard, crossing)
                }
            }
        }
    }

    /// Handles that another window has the focus. The compositor gives what a Wayland program has copied to X11
    /// programs only while one of them has the focus.
    func focusChanged(_ pasteboards: some Sequence<PasteboardState>) {
        // Captured contents survive if the compositor copies them now, and the program loses the selection by that.
        for pasteboard in pasteboards where pasteboard.isOwnedByOffer && pasteboard.captured != nil {
            bringInLine(pasteboard)
        }
    }

    /// Waits until the compositor has handled what the bridge has sent for a pasteboard, and both sides are in line
    /// with it, or until the timeout.
    func settle(_ pasteboard: PasteboardState, within timeout: Duration) async {
        await seat.settle(within: SelectionOwnership.serverTimeout)
        guard let crossing = crossings[pasteboard.name] else { return }
        _ = await executor.withTimeout(timeout, cancels: false) { await crossing.mutex.withLock {} }
    }

    private func pass(over pasteboard: PasteboardState, _ crossing: Crossing) async {
        await seat.catchUp(within: SelectionOwnership.serverTimeout)
        await display.catchUp(within: SelectionOwnership.serverTimeout)
        let isFocused = await isDisplayFocused
        guard isShared(pasteboard) else { return }
        switch pasteboard.holder {
        case .client where ownership.isOwnedByCompositor(pasteboard) && seat.follows(anotherProgramOn: pasteboard):
            // A Wayland program had copied, as the compositor's ownership shows.
            break
        case .client(let version):
            if !ownership.isOwned(pasteboard, for: version), !(isFocused && version.isConcealed) {
                await reclaim(version, of: pasteboard, crossing)
            }
            await offer(version, of: pasteboard, isFocused: isFocused, crossing)
        case .foreign(.window) where !ownership.isOwnedByProgram(pasteboard):
            // The compositor has taken the selection from the program, or this bridge in the same moment.
            if !seat.follows(anotherProgramOn: pasteboard), !service.captures.takeOver(pasteboard, after: .ended) {
                holderLost(pasteboard, seat.ownedVersion(of: pasteboard))
            }
            bringInLine(pasteboard)
        case .foreign(.window):
            if let captured = pasteboard.captured {
                await offer(captured, of: pasteboard, isFocused: isFocused, crossing)
            }
        case .foreign(.offer): if !isFocused { await relay(pasteboard) }
        case .nobody: ownership.endRelay(on: pasteboard)
        }
    }

    /// Handles that a program has lost a selection to an offer of this bridge, which was on its way when the program
    /// copied: what the bridge still offers on the other side is the contents again.
    func holderLost(_ pasteboard: PasteboardState, _ offered: PasteboardState.Version?) {
        guard let offered else { return service.change(pasteboard, to: .nobody) }
        service.change(pasteboard, to: .client(offered))
        service.persistence.storeLate(pasteboard)
    }

    // MARK: Onto the X display

    /// Returns true if the compositor is to own the X11 selection for a version, and not the bridge.
    func isLeftToCompositor(_ version: PasteboardState.Version, on pasteboard: PasteboardState) async -> Bool {
        guard version.isConcealed, isShared(pasteboard) else { return false }
        return await isDisplayFocused
    }

    /// Owns the X11 selection again, which the compositor has taken.
    private func reclaim(
        _ version: PasteboardState.Version, of pasteboard: PasteboardState, _ crossing: Crossing
    ) async {
        crossing.reclaims.removeAll { $0 < .now - .seconds(1) }
        guard crossing.reclaims.count < Self.maxReclaims else {
            logger.info("the compositor takes \(pasteboard.selection) again and again")
            _ = executor.timers.set(.now + .seconds(1)) { [weak self] in self?.bringInLine(pasteboard) }
            return
        }
        crossing.reclaims.append(.now)
        await ownership.reclaim(version, of: pasteboard)
    }

    /// Offers the contents of a Wayland program to X11 programs.
    private func relay(_ pasteboard: PasteboardState) async {
        let count = pasteboard.count
        guard !ownership.isRelayed(pasteboard) else { return }
        if let captured = pasteboard.captured { return await ownership.relay(captured: captured, on: pasteboard) }
        let reader = service.reader(of: pasteboard, idleTimeout: CallTimeout.default)
        guard let contents = try? await service.contents(of: reader), pasteboard.count == count else { return }
        await ownership.relay(contents, on: pasteboard)
    }

    // MARK: Onto the Wayland seat

    /// Offers contents to Wayland programs, unless the compositor copies them from the X display.
    private func offer(
        _ version: PasteboardState.Version, of pasteboard: PasteboardState, isFocused: Bool, _ crossing: Crossing
    ) async {
        // Another program may have copied since the pass began, and would lose its selection to an offer of older
        // contents.
        guard pasteboard.has(version), !seat.carries(version, of: pasteboard) else { return }
        if isFocused, !version.isConcealed, crossing.uncopied != version.id {
            let isChanged: Void? = await executor.withTimeout(Self.copyTimeout, cancels: false) {
                [change = crossing.change] in await change.get()
            }
            // The next pass looks at what has changed.
            guard isChanged == nil else { return }
            crossing.uncopied = version.id
            guard pasteboard.has(version) else { return }
        }
        let count = pasteboard.count
        seat.offer(version, of: pasteboard)
        await seat.settle(within: SelectionOwnership.serverTimeout)
        await display.catchUp(within: SelectionOwnership.serverTimeout)
        if pasteboard.count == count, ownership.isOwnedByCompositor(pasteboard) { bringInLine(pasteboard) }
    }

    /// Returns true if the present Wayland selection is the compositor's copy of what an X11 program has or had. The
    /// compositor owns the X11 selection after a change of another Wayland program.
    func isCopied(_ pasteboard: PasteboardState) async -> Bool {
        guard await isDisplayFocused else { return false }
        // A copy of what a program had is still on its way when the bridge has taken the selection from the program.
        return pasteboard.isOwnedByWindow && !ownership.isOwnedByCompositor(pasteboard)
            || pasteboard.version != nil && ownership.ownedVersion(of: pasteboard)?.id == pasteboard.version?.id
    }
}

extension PasteboardState {
    /// Returns true if a version is the contents, or what was captured of them.
    fileprivate func has(_ version: Version) -> Bool { self.version?.id == version.id || captured?.id == version.id }
}

extension PasteboardState.Version {
    fileprivate var isConcealed: Bool { draft.options.concealed }
}
