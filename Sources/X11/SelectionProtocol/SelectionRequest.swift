/// A peer's request to convert a selection that the bridge owns (ICCCM 2.2), as in the SelectionRequest event.
package struct SelectionRequest: Hashable, Sendable {
    /// The window that was asked. It identifies the version that is offered.
    package var owner: WindowID
    package var requestor: WindowID
    package var selection: Atom
    package var target: Atom
    /// The property for the answer; none from obsolete requestors.
    package var property: Atom
    /// The time in the request. Requests are answered whatever their time, and the answer repeats it: Emacs sends its
    /// last user time, which precedes the ownership, and AWT ignores an answer with a different time.
    package var time: ServerTime
    /// True if the requestor is the compositor of a Wayland session.
    package var isOfCompositor = false

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

    /// The property that receives the answer. If an obsolete requestor names no property, it is the property with the
    /// target's name (ICCCM 2.2).
    package var destination: Atom { property == .none ? target : property }
}

/// A request for an action instead of data (ICCCM 2.6.3), such as SAVE_TARGETS.
///
/// It is answered with an empty property after the action is complete. Each request is performed separately; the result
/// of one request does not apply to the next.
package struct SideEffect: Hashable, Sendable {
    package let number: Int
    package let requestor: WindowID
    /// The property with the requestor's parameters; none from obsolete requestors, which cannot pass parameters.
    package let property: Atom
    /// The time that the requestor waits.
    package let timeout: Duration

    package init(number: Int, requestor: WindowID, property: Atom, timeout: Duration) {
        self.number = number
        self.requestor = requestor
        self.property = property
        self.timeout = timeout
    }
}
