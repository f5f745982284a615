package import EventLoop
import SelectionProtocol

/// A client of X11 changes an owner millions of times in a second if it likes, and each change costs the service more than
/// that: of a burst that is too long to be told one by one, or that nobody waits for, the last change stands for those
/// before it.
extension DisplayReport {
    /// So many wait to be taken one by one.
    static let mostWaiting = 16_384

    /// Whether it is one of an owner that nothing but the number of changes is told by once another has followed.
    var mayBeMerged: Bool {
        if case .changed(_, let change) = self { change.mayBeMerged } else { false }
    }

    /// Makes this change of owner one with an earlier one of the same selection. Selections are independent, so those of
    /// others may stand between.
    package func merge(into earlier: inout DisplayReport) -> MessageQueue<DisplayReport>.Merging {
        guard case .changed(let selection, let change) = self, change.mayBeMerged,
            case .changed(let other, let former) = earlier
        else { return .barred }
        guard selection == other else { return .passed }
        guard former.mayBeMerged else { return .barred }
        var both = change
        both.steps += former.steps
        earlier = .changed(selection: selection, both)
        return .merged
    }
}

extension OwnershipTracker.Change {
    /// Whether nothing but the number of changes is told by it once another has followed.
    fileprivate var mayBeMerged: Bool {
        switch owner {
        case .foreign: true
        case .none: !byDeath
        case .ours: false
        }
    }
}
