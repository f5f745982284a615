package import PasteboardModel

/// One of the two bridges of a link.
package enum ShareSide: Hashable, Sendable, CaseIterable {
    case local
    case remote

    package var other: ShareSide { self == .local ? .remote : .local }
}

/// The state of a side's pasteboard, as its bridge reports it.
package struct SideState: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case contents
        case empty
        /// Contents that stay on their machine: concealed, local-only, or for one paste.
        case withheld
    }

    package let origin: ContentsOrigin
    package let count: Int
    package let kind: Kind
    /// True for contents with promises whose provider is gone, so that the promised bytes can no longer be read on this
    /// side. A copy of incomplete contents is incomplete too.
    package let isIncomplete: Bool

    package init(origin: ContentsOrigin, count: Int, kind: Kind = .contents, isIncomplete: Bool = false) {
        self.origin = origin
        self.count = count
        self.kind = kind
        self.isIncomplete = isIncomplete
    }
}

extension SideState {
    /// The same state with the contents withheld.
    package var withheld: SideState {
        SideState(origin: origin, count: count, kind: .withheld, isIncomplete: isIncomplete)
    }
}

package enum ShareEvent: Hashable, Sendable {
    /// A side reported its state, for the first time or after a change. The reports of a side come in order, and the
    /// side's origin never goes back.
    case changed(ShareSide, SideState)
    /// A copy ended. This event follows each ``ShareEffect/copy(token:from:count:origin:)`` at most once.
    case copied(token: Int, CopyResult)
}

package enum CopyResult: Hashable, Sendable, CaseIterable {
    /// The bridge has the contents, which it may report before or after this event.
    case done
    /// The bridge has a newer origin, which it may report before or after this event.
    case superseded
    case failed
}

package enum ShareEffect: Hashable, Sendable {
    /// Copy the contents (or the emptiness) that a side has at this count to the other side, with their origin. If the
    /// other side already has that origin, its promises are renewed and its count stays the same.
    case copy(token: Int, from: ShareSide, count: Int, origin: ContentsOrigin)
    /// Break any promises that the other side has of a side's previous contents, since these promises can no longer be
    /// kept.
    case withdraw(from: ShareSide)
}
