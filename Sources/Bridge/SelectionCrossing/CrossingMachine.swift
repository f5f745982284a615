package import DataControlProtocol
import SelectionProtocol

/// The crossing of one pasteboard's contents between an X display and a Wayland seat.
///
/// This is a pure state machine, which takes the owners of the two selections, and returns changes of the pasteboard
/// and requests to the two sides. The machine does no I/O and reads no clock.
///
/// ## Sessions
///
/// A session has a display, a seat, or both. If the compositor shows the bridge no seat (mutter, Weston), an ownership
/// of its X11 window stands for a Wayland program's copy. Until the absence of a seat is known, such an ownership has
/// no meaning.
///
/// ## What compositors do
///
/// A compositor copies selections from one side to the other: a source of its own becomes the seat's selection after a
/// claim of an X11 program, and its window owns the X11 selection after a copy from a Wayland program. Some compositors
/// copy only while an X11 window has the focus (wlroots, KWin 5); others always copy X11 selections (KWin 6). The
/// bridge learns which kind a compositor is from its reaction to the bridge's own claims.
///
/// Simultaneous changes of both sides can leave a compositor with two copies of each other and no contents. So the
/// bridge changes one side at a time, and asks for the compositor's reaction before it goes on.
///
/// ## The rules
///
/// 1. A claim of an X11 program is a change at once.
/// 2. A selection of the seat with the bridge's marker is a copy of what the bridge owns on X11.
/// 3. A selection of the seat without the marker is a copy of an X11 program's selection if three conditions are met.
///    The selection is the first one after the program's claim, it has the same types, and the compositor may have
///    copied it: an X11 window has the focus or had it just now, the compositor always copies, or this is not known and
///    the claim was just now. But if the compositor's window owns the X11 selection, a Wayland program copied. Copies
///    of earlier claims come before the copy of the last claim.
/// 4. Any other selection of the seat is a change. Each such change is counted, even if other changes have followed.
/// 5. An ownership of the compositor's window is not a change while there is a seat. The bridge takes the selection
///    back for contents that it has.
/// 6. The bridge owns its contents on X11 first, and awaits the compositor's copy if a copy is expected. If no copy
///    comes, the bridge offers the contents on the seat. Secrets are offered only on the seat: the compositor's copy
///    would lose their mark.
/// 7. A Wayland program's contents are owned on X11 while no X11 window has the focus. If the compositor copies all
///    claims, its copy replaces the program, so the bridge owns the contents only after all formats are captured.
/// 8. Captured contents stay on the pasteboard, at the same count, when their program ends, when a copy of them
///    replaces it, and when a program whose contents were saved releases the bridge's selection as it ends. A
///    compositor without a seat keeps one format of a program that has ended, but must forget a secret's format.
/// 9. Empty text of a compositor without a seat is not a change: the screen is locked. Then nothing is brought back.
/// 10. If a program of each side copies at the same moment, the compositor may own each side's selection for the other
///    side, although neither program owns a selection any longer. Its window refuses the contents then, and the seat's
///    selection is cleared.
/// 11. A clipboard manager that puts back the contents of a program that has ended makes no change. Captured contents
///    replace the manager's contents, unless the manager has all of them.
package struct CrossingMachine: Sendable {
    /// The timeout for the compositor to copy a selection.
    static let copyTimeout = Duration.milliseconds(500)
    /// The time after which a compositor has seen a claim, even on a busy machine.
    static let recentTime = Duration.seconds(2)
    /// The timeout for a compositor to own contents that it has kept of a program that has died. GNOME Shell 43.9 took
    /// 1.3 seconds on a busy machine.
    static let rescueTimeout = Duration.seconds(10)
    /// The maximum number of times per second that the sides are brought in line, if no client changes anything.
    static let maxRepairs = 32
    /// The number of questions after which the machine decides, even if changes continue.
    static let maxDeferrals = 16

    /// An owner that may have the bridge's contents.
    struct Unseen {
        enum Kind {
            /// The owner was there when the side was attached.
            case found
            /// The owner came later, and is counted if another owner follows before the answer.
            case followed
        }

        let owner: CrossingHolder
        let kind: Kind
    }

    /// A selection of the seat that may be a copy.
    struct Candidate {
        let offer: ForeignOfferID
        let time: ContinuousClock.Instant
        /// True if a claim of another owner was reported later.
        var isFollowed = false
    }

    package internal(set) var holder = CrossingHolder.nobody
    /// The contents that were captured from the present holder.
    var captured: CrossingContents?
    /// The owner of the X11 selection; nil while no display is attached.
    var display: DisplayOwner?
    /// The owner of the seat's selection; nil while no seat is attached.
    var seat: SeatOwner?
    /// Contents that a client writes.
    var writing: Set<CrossingContents> = []
    /// True if the compositor's window stands for the copies from Wayland programs.
    var isSeatAbsent = false
    /// True until it is known whether there is a seat. A Wayland program may have copied while there was no bridge.
    var isSeatExpected: Bool

    /// The time at which the bridge last became the owner of the X11 selection.
    var lastOwned: ContinuousClock.Instant?

    // Questions.
    var isAsking = false
    /// True if something has changed since the last question.
    package internal(set) var isDue = false
    /// The number of answers that were followed by another question at once.
    var deferrals = 0
    /// Selections of the seat that are not decided yet.
    var candidates: [Candidate] = []

    // Copies by the compositor.
    /// The number of X11 programs' claims since the last claim whose copy has been seen, and the time of the last
    /// claim.
    var uncopiedClaims = 0
    var lastClaim: ContinuousClock.Instant?
    /// True once a selection of the seat was taken for a copy of the last claim.
    var isLastClaimCopied = false
    /// The selection that the seat had when it was found, or that came right after an X11 program's claim.
    var unsureOffer: ForeignOfferID?
    /// The selection that the seat had when it was found.
    var foundOffer: ForeignOfferID?
    /// The selection of the seat that was taken for a copy of the X11 selection.
    var programCopy: SeatOwner?
    /// True if the compositor copies X11 selections even while no X11 window has the focus; nil if that is not known
    /// yet.
    package internal(set) var copiesAlways: Bool?
    /// Contents that the bridge claimed while there was no focus, the time by which the compositor would have copied
    /// them, and whether it has.
    var probe: (id: OfferID, until: ContinuousClock.Instant, isCopied: Bool)?
    /// The bridge's contents that the compositor copied last, if the focus has not changed since.
    var lastCopied: OfferID?
    var wasFocused: Bool?
    var lastFocusChange: ContinuousClock.Instant?
    /// The contents whose copy by the compositor is awaited, and the last contents that it did not copy.
    var awaited: (id: OfferID, until: ContinuousClock.Instant)?
    var uncopied: OfferID?
    /// The times at which the sides were brought in line lately.
    var repairs: [ContinuousClock.Instant] = []
    /// The last effects by which the sides were brought in line, if nothing has changed since.
    var lastRepair: [CrossingEffect] = []
    var tracker = CompositorTracker()
    /// True if the contents before those of the compositor's window were, or may have been, a secret. The compositor
    /// keeps one format of a secret without the mark, and the bridge does not capture that format.
    package internal(set) var followsSecret = false
    /// The end of the period in which the compositor may own the X11 selection for contents that it has kept. The
    /// period begins when the selection is left without contents.
    var rescueEnd: ContinuousClock.Instant?
    /// The time at which a secret's program died, if the X11 selection has had no owner since.
    var secretDeath: ContinuousClock.Instant?
    /// True while the bridge owns the X11 selection without contents. The compositor takes some time to see that, and
    /// would keep what it has if the selection had no owner by then.
    var isForgetting = false
    /// An owner of a selection whose contents are not known yet.
    var unseen: Unseen?

    /// - Parameters:
    ///   - holder: The holder of the contents that the pasteboard already has.
    ///   - isSeatExpected: True until a seat is found or known to be absent. Nothing is brought in line before that.
    package init(holder: CrossingHolder = .nobody, isSeatExpected: Bool = false) {
        self.holder = holder
        self.isSeatExpected = isSeatExpected
    }

    /// True if the present holder's contents are captured.
    package var isCaptured: Bool { captured != nil }

    /// True if the bridge has the pasteboard's contents.
    var hasContents: Bool {
        if case .bridge = holder { true } else { isCaptured }
    }

    /// True if a program, not the bridge, has the contents.
    package var isHeldByProgram: Bool {
        switch holder {
        case .window, .offer, .compositor: true
        case .nobody, .bridge: false
        }
    }

    /// True if the holder was taken for a Wayland program but may be the compositor's copy of an X11 program's
    /// contents. A secret's copy may lack its mark: nothing is captured while the X11 program has a secret.
    package var mayBeUnmarked: Bool {
        guard case .offer(let offer) = holder, offer == unsureOffer else { return false }
        return display?.isProgram == true
    }

    /// True if the seat's selection may be the compositor's copy of an X11 selection that the compositor's window owns
    /// now, so that nobody has its contents (rule 10).
    package var mayBeCopyOfNothing: Bool {
        guard display?.isCompositor == true, case .program(let offer) = seat else { return false }
        if offer == unsureOffer || seat == programCopy { return true }
        guard let lastClaim, let last = candidates.last else { return false }
        return last.time - lastClaim <= Self.recentTime
    }

    /// True if both sides have the selection.
    package var isOnBothSides: Bool { display != nil && seat != nil }

    /// True if it is decided which of the reported owners are changes.
    package var isDecided: Bool { candidates.isEmpty && unseen == nil }

    /// The selections of the seat that may be copies of the X11 selection, and are not decided yet.
    package var undecided: [ForeignOfferID] { candidates.map(\.offer) }

    /// True if both sides are in line with the pasteboard, as far as it depends on the bridge and the compositor.
    package var isSettled: Bool { !isAsking && !isDue && awaited == nil && isDecided }

    /// Returns true if a selection of the seat needs the contents of the X11 selection, not just its types, to be
    /// alike: it was there when the seat was found, or it is not known whether the compositor copies X11 selections
    /// even while no X11 window has the focus.
    package func comparesContents(of offer: ForeignOfferID, isFocused: Bool) -> Bool {
        offer == unsureOffer || copiesAlways == nil && !isFocused
    }

    /// Returns true if programs on the other side get the present contents only after their capture.
    package func needsCapture(isFocused: Bool) -> Bool {
        guard isOnBothSides, !isFocused else { return false }
        return switch holder {
        case .window: copiesAlways != true
        case .offer: copiesAlways != false
        case .nobody, .bridge, .compositor: false
        }
    }

    package mutating func handle(_ event: CrossingEvent, now: ContinuousClock.Instant) -> [CrossingEffect] {
        switch event {
        case .answered, .due: break
        case .writing, .wrote, .cleared: (lastRepair, repairs) = ([], [])
        default: lastRepair = []
        }
        return switch event {
        case .displayFound(let owner): displayFound(owner, now: now)
        case .displayChanged(let owner, let change): displayChanged(owner, change, now: now)
        case .displayLost: displayLost()
        case .seatFound(let owner): seatFound(owner, now: now)
        case .seatChanged(let owner): seatChanged(owner, now: now)
        case .seatRefilled(let offer): seatRefilled(offer, now: now)
        case .seatCleared: seatCleared()
        case .seatLost: seatLost()
        case .seatAbsent: seatAbsent()
        case .compositorEmptied: compositorEmptied()
        case .looked(let contents): looked(contents)
        case .answered(let answer): answered(answer, now: now)
        case .focusChanged: focusChanged(now: now)
        case .writing(let contents): writing(contents)
        case .gaveUp(let contents): gaveUp(contents)
        case .wrote(let contents): wrote(contents)
        case .cleared: (holder == .nobody ? [] : step(to: .nobody)) + bringInLine()
        case .captured(let contents): captured(contents)
        case .due: due()
        }
    }

    private mutating func focusChanged(now: ContinuousClock.Instant) -> [CrossingEffect] {
        lastFocusChange = now
        wasFocused = nil
        probe = nil
        lastCopied = nil
        // Captured contents survive if the compositor's copy now takes the selection from the program.
        return captured == nil && !mayBeCopyOfNothing ? [] : bringInLine()
    }

    private mutating func due() -> [CrossingEffect] {
        isForgetting = false
        // The answer on its way will have the same effect.
        return isOnBothSides && isAsking ? [] : bringInLine()
    }

    private mutating func writing(_ contents: CrossingContents) -> [CrossingEffect] {
        writing.insert(contents)
        return []
    }

    private mutating func gaveUp(_ contents: CrossingContents) -> [CrossingEffect] {
        writing.remove(contents) == nil ? [] : bringInLine()
    }

    private mutating func wrote(_ contents: CrossingContents) -> [CrossingEffect] {
        writing.remove(contents)
        if display != nil { display = .nobody }
        followCandidates()
        return step(to: .bridge(contents)) + bringInLine()
    }

    private mutating func captured(_ contents: CrossingContents) -> [CrossingEffect] {
        switch holder {
        case .window, .offer, .compositor: captured = contents
        case .nobody, .bridge: return []
        }
        return bringInLine()
    }

    // MARK: Changes of the pasteboard

    mutating func step(to holder: CrossingHolder, steps: Int = 1) -> [CrossingEffect] {
        self.holder = holder
        captured = nil
        return [.step(holder, steps: steps)]
    }

    /// Gives the same contents another holder.
    mutating func hold(_ holder: CrossingHolder) -> [CrossingEffect] {
        self.holder = holder
        captured = nil
        return [.hold(holder)]
    }

    /// Keeps the captured contents of a program that has ended or lost the selection.
    mutating func keepCaptured() -> [CrossingEffect] {
        captured.map { hold(.bridge($0)) } ?? step(to: .nobody)
    }
}
