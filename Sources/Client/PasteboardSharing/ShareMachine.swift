import PasteboardModel

/// A link, which keeps one pasteboard the same on two machines. Each machine may have links to other machines.
///
/// This is a pure state machine: reports of the two bridges in, copies between them out. It has no socket, no clock and
/// no contents, only origins, and its size is constant. When the connection to a side ends, so does the machine, and
/// the next one begins without any state.
///
/// ## Rules
///
/// * The side with the newer origin is copied to the other.
/// * Sides with equal origins have the same contents. If only one side is incomplete, the complete side is copied to
///   it, which renews its promises.
/// * A side whose withheld contents are gone counts as withheld until it has other contents: its emptiness says nothing
///   about the other side's contents, which were left alone.
/// * A newer side that is withheld is not copied. The other side is not copied over it either, since the other side is
///   older. The last copy from the withheld side is withdrawn, so that another link may renew its promises.
/// * One copy is under way at a time. Reports that arrive during a copy are considered when the copy ends.
/// * Each report leads to one copy at most. A failed copy is therefore tried again only after the next report of either
///   side.
/// * A side's reports from before a copy reached it are out of date, and the side is left alone until it reports again.
///
/// ## Rings
///
/// Links form a ring if the machines are linked to each other in turn. Contents do not circulate in a ring: a link
/// passes them on with the origin that they came with, and a bridge accepts only an origin that is newer than its own.
/// So a bridge accepts each origin once at most. Where contents arrive by two ways, the later link finds equal origins
/// and does nothing; if it has already begun its copy, the bridge ignores the copy and keeps its count. Without a new
/// count there is no report, and without a report there is no further copy.
package struct ShareMachine: Sendable {
    private struct Side {
        /// The last report; nil if there is none yet.
        var report: SideState?
        /// The origin of the last copy to this side; the side's origin is now this origin or a newer one.
        var reached: ContentsOrigin?
        /// True after a copy to this side, until it is withdrawn.
        var mayHavePromises = false

        /// The state of the side; nil if it is unknown, or its report is on its way.
        var state: SideState? {
            guard let report, let reached else { return report }
            return report.origin < reached ? nil : report
        }
    }

    private struct Copy {
        let token: Int
        let target: ShareSide
        let origin: ContentsOrigin
    }

    private var sides: [ShareSide: Side] = [.local: Side(), .remote: Side()]
    /// The copy under way.
    private var copy: Copy?
    /// True if a report has come since the last decision.
    private var isReported = false
    private var lastToken = 0

    package init() {}

    package mutating func handle(_ event: ShareEvent) -> [ShareEffect] {
        switch event {
        case .changed(let side, let state):
            let wasWithheld = sides[side]?.report?.kind == .withheld
            sides[side]?.report = wasWithheld && state.kind == .empty ? state.withheld : state
            isReported = true
        case .copied(let token, let result):
            guard let ended = copy, ended.token == token else { return [] }
            copy = nil
            if result != .failed { sides[ended.target]?.reached = ended.origin }
            sides[ended.target]?.mayHavePromises = true
        }
        return withdrawals() + decide()
    }

    /// Withdraws copies from a side that withholds its current contents.
    private mutating func withdrawals() -> [ShareEffect] {
        var withdrawn: [ShareEffect] = []
        for side in ShareSide.allCases where sides[side]?.report?.kind == .withheld {
            guard sides[side.other]?.mayHavePromises == true else { continue }
            sides[side.other]?.mayHavePromises = false
            withdrawn.append(.withdraw(from: side))
        }
        return withdrawn
    }

    private mutating func decide() -> [ShareEffect] {
        guard copy == nil, isReported, let local = sides[.local]?.state, let remote = sides[.remote]?.state else {
            return []
        }
        isReported = false
        guard let source = Self.source(local, remote) else { return [] }
        let state = source == .local ? local : remote
        lastToken += 1
        copy = Copy(token: lastToken, target: source.other, origin: state.origin)
        return [.copy(token: lastToken, from: source, count: state.count, origin: state.origin)]
    }

    /// Returns the side that has to be copied to the other; nil if there is nothing to do.
    private static func source(_ local: SideState, _ remote: SideState) -> ShareSide? {
        let isLocal: Bool
        if local.origin != remote.origin {
            isLocal = local.origin > remote.origin
        } else if local.isIncomplete != remote.isIncomplete {
            isLocal = remote.isIncomplete
        } else {
            return nil
        }
        guard (isLocal ? local : remote).kind != .withheld else { return nil }
        return isLocal ? .local : .remote
    }
}
