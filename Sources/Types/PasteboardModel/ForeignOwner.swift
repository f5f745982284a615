/// A program that owns a selection and is not a client of the bridge.
package enum ForeignOwner: Hashable, Sendable {
    /// An X11 program, identified by the window that owns the selection.
    case window(UInt32)
    /// A Wayland program, identified by the number of its offer. A compositor does not report the program of an offer.
    case offer(Int)
}
