/// A tracker of the compositor's window as the owner of a selection, which finds the meaning of each new ownership. It
/// is needed where the copies from Wayland programs are seen only on X11: mutter has no Wayland protocol that shows
/// them to other programs.
///
/// mutter has a clipboard manager, which reads one text or image of each copy. When the program of the copy ends,
/// whether X11 or Wayland, the window owns the selection with that one representation, which has lost every mark. Up to
/// mutter 48, this also happens before a second copy by the same program: the window then owns the selection twice, in
/// 146 of 149 cases with the same server time, otherwise a millisecond later.
package struct CompositorTracker: Sendable {
    package enum Meaning: Sendable, Equatable {
        /// A Wayland program has copied, or has ended.
        case copy
        /// This is the second ownership for the last copy, and it has the program's contents.
        case repeatedOwnership
        /// An X11 program has died, and the compositor owns the part of the contents that it has kept.
        case rescue
    }

    /// The maximum time between two ownerships for one copy, in milliseconds of the server's time.
    private static let maxDistance: UInt32 = 3

    /// The time of the last ownership by the compositor's window, if the selection has had no other owner since.
    private var last: ServerTime?

    package init() {}

    /// Records that the compositor's window owns the selection.
    package mutating func owned(at time: ServerTime, followsDeath: Bool) -> Meaning {
        defer { last = time }
        if followsDeath { return .rescue }
        guard let last, time.isWithin(Self.maxDistance, after: last) else { return .copy }
        return .repeatedOwnership
    }

    /// Records that another client, or nobody, owns the selection.
    package mutating func lost() { last = nil }
}
