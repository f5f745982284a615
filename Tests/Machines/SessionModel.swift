import DataControlProtocol
import SelectionCrossing
import SelectionProtocol

/// The observed habits of a compositor.
struct CompositorHabits: Sendable {
    let name: String
    /// True if X11 selections are copied to the seat even while no X11 window has the focus.
    var copiesAlways = false
    /// True if the compositor's window owns the X11 selection after each copy on the seat, once an X11 window has had
    /// the focus.
    var ownsOnceFocused = false
    /// True if the compositor's window takes the X11 selection when an X11 window gets the focus, and releases it when
    /// the focus is lost.
    var followsFocus = false
    /// True if a copy of an X11 program's selection leaves the seat when that program ends.
    var emptiesSeat = true
    /// True if the compositor's window releases the X11 selection when the seat's selection is emptied.
    var releasesDisplay = true
    /// True if the compositor's copy of an X11 program's secret has the program's mark.
    var copiesMarks = true

    static let all = [
        CompositorHabits(name: "wlroots", ownsOnceFocused: true, copiesMarks: false),
        CompositorHabits(name: "KWin 5.27", followsFocus: true, emptiesSeat: false, releasesDisplay: false),
        CompositorHabits(
            name: "KWin 6.3", copiesAlways: true, followsFocus: true, releasesDisplay: false, copiesMarks: false),
        CompositorHabits(name: "KWin 6.7", copiesAlways: true, followsFocus: true),
    ]
}

/// The contents of a copy, with a number, types and perhaps a mark.
struct ModelContents: Equatable {
    let number: Int
    let types: Int
    let isSecret: Bool
    /// True if a clipboard manager has put the contents back.
    var isRefill = false
    /// True if not all formats are captured.
    var isLarge: Bool { number.isMultiple(of: 5) }
}

/// A session of a compositor with Xwayland: the owners of one selection on both sides, and the messages under way
/// between the X server, the compositor and the bridge.
struct SessionModel {
    enum Owner: Equatable {
        case nobody
        case program(WindowID, ModelContents)
        case compositor
        case bridge(CrossingContents, ModelContents)
        case crossing(ForeignOfferID)
    }

    enum Selection: Equatable {
        case nobody
        case program(ForeignOfferID, ModelContents)
        /// The compositor's copy of the X11 selection.
        case copy(ForeignOfferID, of: Owner)
        case bridge(CrossingContents, ModelContents)
    }

    enum DisplayRequest: Equatable {
        case claim(Owner, unlessAfter: Int)
        case release(unlessAfter: Int)
        case question
    }

    enum DisplayEvent: Equatable {
        case owner(Owner, isDeath: Bool, serial: Int)
        case answer(isFocused: Bool)
    }

    enum SeatRequest: Equatable {
        case offer(CrossingContents, ModelContents)
        case clear
        case question
    }

    enum SeatEvent: Equatable {
        case owner(Selection)
        case answer
    }

    static let compositorWindow = WindowID(1)

    let habits: CompositorHabits
    var owner = Owner.nobody
    var selection = Selection.nobody
    var isFocused = false
    private var wasFocused = false
    /// The number of changes of the X11 selection's owner.
    private(set) var serial = 0
    private var lastOffer = 0

    var displayRequests: [DisplayRequest] = []
    var displayEvents: [DisplayEvent] = []
    var seatRequests: [SeatRequest] = []
    var seatEvents: [SeatEvent] = []
    /// The changes of the X11 selection's owner that the compositor has not handled.
    var compositorEvents: [Owner] = []
    /// The compositor's own claims and releases of the X11 selection that the X server has not handled.
    var compositorRequests: [Owner] = []
    /// True if programs have lost their contents because their copies crossed each other.
    var hasLost = false
    /// The reason why the model is in a state that no session may have.
    var fault: String?

    init(_ habits: CompositorHabits) { self.habits = habits }

    var isQuiet: Bool {
        displayRequests.isEmpty && displayEvents.isEmpty && seatRequests.isEmpty && seatEvents.isEmpty
            && compositorEvents.isEmpty && compositorRequests.isEmpty
    }

    // MARK: The X server

    mutating func set(_ owner: Owner, isDeath: Bool = false) {
        guard owner != .nobody || self.owner != .nobody else { return }
        self.owner = owner
        serial += 1
        noteLoss()
        displayEvents.append(.owner(owner, isDeath: isDeath, serial: serial))
        compositorEvents.append(owner)
    }

    /// Gives the X11 selection to another program after the death of its owner. The bridge reports both as one change.
    mutating func follow(_ owner: Owner) {
        set(.nobody, isDeath: true)
        displayEvents.removeLast()
        set(owner)
    }

    /// Ends the connections of the bridge to both sides.
    mutating func disconnect() {
        (displayRequests, seatRequests) = ([], [])
        switch owner {
        case .bridge, .crossing: set(.nobody, isDeath: true)
        case .nobody, .program, .compositor: break
        }
        if case .bridge = selection { changeSeat(.nobody) }
    }

    mutating func serveBridge() {
        guard !displayRequests.isEmpty else { return }
        switch displayRequests.removeFirst() {
        case .claim(let owner, let seen): if seen >= serial { set(owner) }
        case .release(let seen): if seen >= serial { set(.nobody) }
        case .question:
            // The bridge's second query is read after everything that was sent before its first query.
            while !compositorRequests.isEmpty { serveCompositor() }
            displayEvents.append(.answer(isFocused: isFocused))
        }
    }

    mutating func serveCompositor() {
        guard !compositorRequests.isEmpty else { return }
        let request = compositorRequests.removeFirst()
        // A program may have copied since the compositor sent its claim.
        if request == .compositor, case .program(_, let contents) = owner, contents.number > seatPaste ?? 0 {
            hasLost = true
        }
        if request == .compositor || owner == .compositor { set(request) }
    }

    // MARK: The compositor

    mutating func focus(_ isFocused: Bool) {
        guard isFocused != self.isFocused else { return }
        self.isFocused = isFocused
        wasFocused = wasFocused || isFocused
        guard habits.followsFocus else { return }
        if isFocused { ownDisplay() } else { compositorRequests.append(.nobody) }
    }

    /// Handles a change of the X11 selection's owner.
    mutating func composeDisplay() {
        guard !compositorEvents.isEmpty else { return }
        let owner = compositorEvents.removeFirst()
        switch owner {
        case .compositor: break
        case .nobody: if case .copy = selection, habits.emptiesSeat { select(.nobody) }
        case .program, .bridge, .crossing:
            // The owner is asked for its types.
            guard isFocused || habits.copiesAlways, self.owner == owner else { return }
            noteFault(of: owner)
            lastOffer += 1
            select(.copy(ForeignOfferID(lastOffer), of: owner))
        }
    }

    private mutating func noteFault(of owner: Owner) {
        if case .bridge(let contents, let model) = owner {
            if contents.isConcealed { fault = "the compositor's copy of a secret of the bridge has no mark" }
            if case .program(_, model) = selection, !contents.isWhole {
                fault = "the compositor's copy of a part takes the other formats from Wayland programs"
            }
        }
        guard case .crossing = owner else { return }
        // An X11 window may get the focus right after the bridge has taken the selection for a Wayland program.
        if habits.copiesAlways {
            fault = "the compositor's copy takes the place of a program whose contents are not captured"
        } else {
            hasLost = true
        }
    }

    mutating func composeSeat() {
        guard !seatRequests.isEmpty else { return }
        switch seatRequests.removeFirst() {
        case .offer(let contents, let model): changeSeat(.bridge(contents, model))
        case .clear: if selection != .nobody { changeSeat(.nobody) }
        case .question: seatEvents.append(.answer)
        }
    }

    /// Plays a program on the seat that copies.
    mutating func copyOnSeat(_ contents: ModelContents) {
        lastOffer += 1
        changeSeat(.program(ForeignOfferID(lastOffer), contents))
    }

    mutating func changeSeat(_ selection: Selection) {
        select(selection)
        if selection != .nobody {
            if isFocused || habits.ownsOnceFocused && wasFocused { compositorRequests.append(.compositor) }
        } else if habits.releasesDisplay {
            compositorRequests.append(.nobody)
        }
    }

    private mutating func ownDisplay() {
        switch selection {
        case .program, .bridge: compositorRequests.append(.compositor)
        case .nobody, .copy: break
        }
    }

    private mutating func select(_ selection: Selection) {
        self.selection = selection
        noteLoss()
        seatEvents.append(.owner(selection))
    }

    private mutating func noteLoss() {
        if owner == .compositor, isCopyOfNothing { hasLost = true }
    }

    /// True if the seat's selection is the compositor's copy of the X11 selection.
    var isCopy: Bool {
        if case .copy = selection { true } else { false }
    }

    /// True if the seat's selection is the compositor's copy of the contents of the X11 selection's present owner.
    var isCopyOfOwner: Bool {
        if case .copy(_, of: owner) = selection { true } else { false }
    }

    /// True if the seat's selection is a copy of an X11 selection that has no contents. Two copies that cross each
    /// other can leave each side with a copy of the other side's copy.
    var isCopyOfNothing: Bool { isCopy && seatPaste == nil }

    // MARK: Readers

    /// Returns the contents that the bridge reads from a holder, and whether the bridge sees that they are a secret.
    func contents(of holder: CrossingHolder) -> (model: ModelContents, isMarked: Bool)? {
        switch (holder, owner, selection) {
        case (.window(let holder), .program(let window, let model), _) where window == holder:
            return (model, model.isSecret)
        case (.offer(let holder), _, .program(let offer, let model)) where offer == holder:
            return (model, model.isSecret)
        case (.offer(let holder), _, .copy(let offer, of: .program(_, let copied))) where offer == holder:
            return contents(of: selection).map { ($0, copied.isSecret && habits.copiesMarks) }
        default: return nil
        }
    }

    /// The number of the contents that an X11 program pastes; nil if it gets no contents.
    var displayPaste: Int? { contents(of: owner, crosses: true)?.number }

    /// The number of the contents that a Wayland program pastes; nil if it gets no contents.
    var seatPaste: Int? { contents(of: selection)?.number }

    private func contents(of owner: Owner, crosses: Bool = false) -> ModelContents? {
        switch owner {
        case .nobody: return nil
        case .program(_, let contents), .bridge(_, let contents): return contents
        case .compositor: return isFocused && crosses ? contents(of: selection, crosses: false) : nil
        case .crossing(let offer):
            if case .program(offer, let contents) = selection { return contents }
            return nil
        }
    }

    private func contents(of selection: Selection, crosses: Bool = true) -> ModelContents? {
        switch selection {
        case .nobody: nil
        case .program(_, let contents), .bridge(_, let contents): contents
        // The compositor asks the present owner.
        case .copy: owner == .compositor ? nil : contents(of: owner)
        }
    }
}
