/// A peer's request for what a window of ours offers (ICCCM 2.2), as the SelectionRequest event carries it.
package struct SelectionRequest: Hashable, Sendable {
    /// The window asked: it names the version that is offered.
    package var owner: WindowID
    package var requestor: WindowID
    package var selection: Atom
    package var target: Atom
    /// Where the answer is to go; none from obsolete requestors.
    package var property: Atom
    /// Served whatever it is, and echoed: Emacs sends its last user time, older than the ownership, and AWT drops an
    /// answer with another time than it sent.
    package var time: ServerTime

    package init(
        owner: WindowID, requestor: WindowID, selection: Atom, target: Atom, property: Atom, time: ServerTime
    ) {
        self.owner = owner
        self.requestor = requestor
        self.selection = selection
        self.target = target
        self.property = property
        self.time = time
    }

    /// The property the answer goes to: an obsolete requestor that names none gets it under the target's name
    /// (ICCCM 2.2).
    package var destination: Atom { property == .none ? target : property }
}
