/// A request for something to be done rather than for bytes (ICCCM 2.6.3), such as SAVE_TARGETS.
///
/// It is answered by an empty property, once it is done. Each request is one of its own: what was done for one says
/// nothing about the next.
package struct SideEffect: Hashable, Sendable {
    package let number: Int
    /// Whose target was asked for.
    package let offer: OfferID
    package let target: Atom
    package let requestor: WindowID
    /// Where the requestor may have put what it wants done; none from obsolete requestors, which can say nothing.
    package let property: Atom

    package init(number: Int, offer: OfferID, target: Atom, requestor: WindowID, property: Atom) {
        self.number = number
        self.offer = offer
        self.target = target
        self.requestor = requestor
        self.property = property
    }
}
