/// The meaning of each new ownership of a selection by the compositor's window, where a compositor shows the copies of
/// Wayland programs on X11 alone: mutter has no protocol that shows them to other programs on its own side.
///
/// mutter has a clipboard manager, which reads one text or image of each copy. When the copy's program ends, X11 or
/// Wayland, the window owns the selection for that one representation, which has lost every mark. Until mutter 48, that
/// also happens before a second copy of the same program: its window then owns the selection twice, in 146 of 149 cases
/// with the same server time, otherwise a millisecond later.
package struct CompositorTracker: Sendable {
    package enum Meaning: Sendable, Equatable {
        /// A Wayland program has copied, or has ended.
        case copy
        /// This is the second ownership for the last copy, and the one that has the program's contents.
        case sameCopy
        /// An X11 program has died, and the compositor owns what it has kept of the contents.
        case rescue
    }

    /// The maximum time between two ownerships for one copy, in milliseconds of the server's time.
    private static let maxDistance: UInt32 = 3

    /// The time of the last ownership by the compositor's window, if the selection has had no other owner since.
    private var last: ServerTime?

    package init() {}

    /// Notes that the compositor's window owns the selection.
    package mutating func owned(at time: ServerTime, followsDeath: Bool) -> Meaning {
        defer { last = time }
        if followsDeath { return .rescue }
        guard let last, time.isWithin(Self.maxDistance, after: last) else { return .copy }
        return .sameCopy
    }

    /// Notes that another client owns the selection, or none.
    package mutating func lost() { last = nil }
}
