/// A program that owns a selection and is no client of the bridge.
package enum ForeignOwner: Hashable, Sendable {
    /// An X11 program, identified by the window that owns the selection.
    case window(UInt32)
    /// A Wayland program, identified by the number of its offer. A compositor does not tell whose an offer is.
    case offer(Int)
}
