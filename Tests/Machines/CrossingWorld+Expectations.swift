import SelectionCrossing
import SelectionProtocol

/// The properties of a session in which everything is settled.
extension CrossingWorld {
    /// The number of the pasteboard's contents.
    var number: Int? {
        // A copy of the X11 selection has the contents of that selection's present owner.
        if case .offer(let offer) = bridge.machine.holder, case .copy(offer, _) = session.selection {
            return session.seatPaste
        }
        return bridge.contents?.number
    }

    func expectHolder() throws(BrokenInvariant) {
        guard case .offer = bridge.machine.holder, case .copy(_, of: .bridge) = session.selection else { return }
        throw BrokenInvariant("a program that a copy of the bridge's contents has replaced is not the holder")
    }

    /// Expects that the seat has no copy of contents that are gone, as far as the compositor shows.
    func expectNoCopyOfNothing() throws(BrokenInvariant) {
        guard session.isFocused, session.owner == .compositor else { return }
        try expect(!session.isCopyOfNothing, "a copy of nothing is cleared")
    }

    /// Expects that the program of a single copy keeps its selection, and that the compositor copies for the bridge.
    func expectOwner() throws(BrokenInvariant) {
        switch reference.onlySide {
        // wlroots owns the X11 selection for contents that the bridge offers for the program.
        case .display where session.isFocused || !session.habits.ownsOnceFocused:
            try expect(isOwnedByProgram, "an X11 program keeps its selection")
        // KWin 6 copies contents that the bridge owns for the program.
        case .seat where session.isFocused || !session.habits.copiesAlways:
            if case .program = session.selection { return }
            throw BrokenInvariant("a Wayland program keeps its selection")
        case .bridge where session.isFocused && bridge.contents?.isSecret == false:
            try expect(reference.works == 0, "the compositor copies what the bridge owns")
        case .display, .seat, .bridge, nil: break
        }
    }

    /// Expects that the bridge's second claim without the focus shows the habit of the compositor.
    func expectHabit() throws(BrokenInvariant) {
        let known = bridge.machine.copiesAlways
        try expect(known == nil || known == session.habits.copiesAlways, "the compositor's habit is learned correctly")
        guard reference.isSecondWrite, !session.isFocused, bridge.contents?.isSecret == false else { return }
        try expect(known != nil, "a claim without the focus shows the habit of the compositor")
    }

    func expectPastes() throws(BrokenInvariant) {
        let seat = session.seatPaste
        let display = session.displayPaste
        try expect(
            seat == number || isLeftToDisplay,
            "a Wayland program pastes the pasteboard's contents: \(seat ?? 0) is not \(number ?? 0)")
        try expect(
            display == number || isLeftToSeat || isOlder,
            "an X11 program pastes the pasteboard's contents: \(display ?? 0) is not \(number ?? 0)")
    }

    /// True for uncaptured contents, which only their X11 program has.
    private var isLeftToDisplay: Bool {
        guard case .window = bridge.machine.holder else { return false }
        return bridge.contents?.isSecret == true && session.seatPaste != bridge.contents?.number
    }

    /// True if an X11 program still has older contents, because neither a secret on the seat nor the secret's end has
    /// removed them, or if the seat's selection may be a copy of the program's secret.
    private var isOlder: Bool {
        let isUncaptured = bridge.machine.mayBeUnmarked && bridge.seenOnDisplay?.isSecret == true
        return (bridge.contents == nil || isUncaptured) && isOwnedByProgram
    }

    /// True for secrets on the seat, and for a Wayland program's contents that are captured in part. Only the
    /// compositor passes such contents on, and only to an X11 program with the focus.
    private var isLeftToSeat: Bool {
        var isPart = false
        if case .offer = bridge.machine.holder {
            let crosses = bridge.machine.copiesAlways == false && !session.isFocused
            isPart = bridge.contents?.isLarge == true && (!crosses || bridge.machine.mayBeUnmarked)
        }
        return (isPart || bridge.contents?.isSecret == true)
            && (!session.isFocused || session.displayPaste == nil || isOwnedByProgram)
    }

    var isOwnedByProgram: Bool {
        if case .program = session.owner { true } else { false }
    }
}
