package import DataControlProtocol
package import SelectionProtocol

/// Contents that the bridge has: a client wrote them, or they were captured from a program. Two values are equal if
/// they have the same number.
package struct CrossingContents: Hashable, Sendable {
    package let id: OfferID
    /// True for a secret. A compositor's copy of an X11 selection does not have a secret's mark.
    package let isConcealed: Bool
    /// False for captured contents that lack a format of their program.
    package let isWhole: Bool

    package init(_ id: OfferID, isConcealed: Bool = false, isWhole: Bool = true) {
        self.id = id
        self.isConcealed = isConcealed
        self.isWhole = isWhole
    }

    package static func == (one: CrossingContents, other: CrossingContents) -> Bool { one.id == other.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The holder of a pasteboard's contents.
package enum CrossingHolder: Hashable, Sendable {
    case nobody
    case bridge(CrossingContents)
    /// An X11 program, by its window.
    case window(WindowID)
    /// A Wayland program, by its offer on the seat.
    case offer(ForeignOfferID)
    /// A Wayland program whose selection is seen only on X11, where the compositor's window owns it.
    case compositor(WindowID)
}

/// The owner of the X11 selection.
package enum DisplayOwner: Hashable, Sendable {
    case nobody
    case program(WindowID)
    case compositor(WindowID)
    /// The bridge, for its own or captured contents.
    case bridge(CrossingContents)
    /// The bridge, for a Wayland program's contents, which the bridge reads on request.
    case crossing(ForeignOfferID)

    var isProgram: Bool { if case .program = self { true } else { false } }
    var isCompositor: Bool { if case .compositor = self { true } else { false } }
}

/// The owner of the seat's selection.
package enum SeatOwner: Hashable, Sendable {
    case nobody
    case program(ForeignOfferID)
    /// A copy of contents that the bridge owns on X11, known by its marker; nil for a Wayland program's contents, and
    /// for contents that are no longer there.
    case copy(CrossingContents?)
    case bridge(CrossingContents)
}

package enum CrossingEvent: Sendable {
    /// A display was attached; its selection has this owner.
    case displayFound(DisplayOwner)
    case displayChanged(DisplayOwner, DisplayChange = DisplayChange())
    case displayLost
    /// A seat was attached; its selection has this owner.
    case seatFound(SeatOwner)
    case seatChanged(SeatOwner)
    /// A clipboard manager has put back the contents of a program that has ended, as the manager's mark says.
    case seatRefilled(ForeignOfferID)
    /// A program has cleared the seat's selection. Most compositors report that as an owner's end.
    case seatCleared
    case seatLost
    /// The compositor does not show the bridge a seat, so its window stands for the copies from Wayland programs.
    case seatAbsent
    /// The compositor's window has no contents: a Wayland program has cleared the selection.
    case compositorEmptied
    /// The answer to ``CrossingEffect/look``, ``CrossingEffect/lookAtSeat(_:)`` or ``CrossingEffect/lookForRefill``.
    case looked(OwnerContents)
    /// The answer to ``CrossingEffect/ask``. All changes from before the question were reported before the answer.
    case answered(CrossingAnswer)
    /// Another window of the display has the focus.
    case focusChanged
    /// A client writes contents, and the bridge is about to own the X11 selection for them.
    case writing(CrossingContents)
    /// The bridge does not own the X11 selection for contents that a client writes: the claim has failed, or was not
    /// answered in time and may still succeed.
    case gaveUp(CrossingContents)
    /// A client has written contents, and the bridge has released the X11 selection instead of owning it for them.
    case wrote(CrossingContents)
    /// The bridge has removed the contents.
    case cleared
    /// The present holder's contents are captured.
    case captured(CrossingContents)
    /// The time of ``CrossingEffect/wake(at:)`` has come.
    case due
}

/// The circumstances of a change of the X11 selection's owner.
package struct DisplayChange: Hashable, Sendable {
    /// The time with which the owner acquired the selection.
    package var acquired: ServerTime
    /// True if the former owner has died.
    package var isDeath: Bool
    /// True if the former owner died just before.
    package var followsDeath: Bool
    /// True if the owner may be a clipboard manager that puts back a program's contents.
    package var mayBeRefill: Bool
    /// True for the release of a selection that the bridge owned, right after a program has asked to save its contents.
    /// A wxWidgets program does that as it ends.
    package var followsSave: Bool
    /// The secrecy of the former owner's contents.
    package var former: FormerSecrecy
    /// The number of changes: this change, and earlier changes that were not reported.
    package var steps: Int

    package init(
        acquired: ServerTime = .current, isDeath: Bool = false, followsDeath: Bool = false, mayBeRefill: Bool = false,
        followsSave: Bool = false, former: FormerSecrecy = .open, steps: Int = 1
    ) {
        self.acquired = acquired
        self.isDeath = isDeath
        self.followsDeath = followsDeath
        self.mayBeRefill = mayBeRefill
        self.followsSave = followsSave
        self.former = former
        self.steps = steps
    }
}

/// The secrecy of the contents that the former owner of the X11 selection had.
package enum FormerSecrecy: Hashable, Sendable {
    case open
    /// The owner has not listed its targets yet.
    case unknown
    case secret
}

/// The contents that the bridge sees when it examines an owner: the compositor's window that stands for Wayland
/// programs, an owner that was found, or a program that may have put something back.
package enum OwnerContents: Hashable, Sendable {
    /// A part of the captured contents. mutter keeps a single format of a program that has ended, and clipboard
    /// managers put back the text.
    case part
    /// The contents of the bridge, or the contents that it has captured.
    case same
    /// Empty text, which GNOME sets when the screen is locked.
    case blank
    case other
}

package struct CrossingAnswer: Hashable, Sendable {
    /// True if an X11 window has the focus.
    package var isFocused: Bool
    /// The seat's selections since the last answer that have the types of a copy of the present X11 selection, and also
    /// its contents where ``CrossingMachine/comparesContents(of:isFocused:)`` asks for a comparison. While no X11
    /// program owns the X11 selection, the seat's selections with types that a copy may have.
    package var alike: Set<ForeignOfferID>
    /// True if an X11 window has the focus and the compositor's window refuses its contents, where
    /// ``CrossingMachine/mayBeCopyOfNothing`` asks for that.
    package var isCopyOfNothing: Bool

    package init(isFocused: Bool, alike: Set<ForeignOfferID> = [], isCopyOfNothing: Bool = false) {
        self.isFocused = isFocused
        self.alike = alike
        self.isCopyOfNothing = isCopyOfNothing
    }
}

package enum CrossingEffect: Hashable, Sendable {
    /// The contents or their owner have changed `steps` times.
    case step(CrossingHolder, steps: Int)
    /// A number of changes came before the last reported change. The holder stays.
    case count(Int)
    /// The same contents have another holder.
    case hold(CrossingHolder)
    /// Own the X11 selection for contents, unless another owner follows the last reported owner.
    case own(CrossingContents)
    /// Own the X11 selection for a Wayland program, unless another owner follows the last reported owner.
    case cross(ForeignOfferID)
    /// Release the X11 selection, which the bridge owns, unless another owner follows the last reported owner.
    case release
    /// Offer contents on the seat.
    case offer(CrossingContents)
    case clearSeat
    /// Find out where the focus is after both sides have reported all changes up to now, including the compositor's
    /// reactions to changes on the other side.
    case ask
    /// Own the X11 selection without contents, so that the compositor forgets what it has kept of a secret.
    case forget
    /// Find out the contents of the X11 selection's owner.
    case look
    /// Find out whether this selection of the seat has the contents of the bridge.
    case lookAtSeat(ForeignOfferID)
    /// Find out whether the owner of the X11 selection is a clipboard manager that puts back a program's contents.
    case lookForRefill
    case wake(at: ContinuousClock.Instant)
}
