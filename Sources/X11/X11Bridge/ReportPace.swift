package import EventLoop
import SelectionProtocol

/// The pace of reports about changes that no call waits for.
///
/// Dragging over text changes the owner of PRIMARY hundreds of times a second, and each change that is reported alone
/// wakes up two threads. Changes that follow each other closely are reported, and read, together.
package struct ReportPace {
    /// The minimum time between two reports: one frame of a screen.
    package static let interval = Duration.milliseconds(16)
    /// The extra delay of a delayed report. During a burst, the next change takes the report with it, so that only the
    /// last report of the burst has the full delay.
    package static let slack = Duration.milliseconds(5)

    /// The time from which the next change is reported at once.
    private(set) var next: ContinuousClock.Instant?
    /// The time at which the delayed changes are reported.
    package private(set) var deadline: ContinuousClock.Instant?

    package init() {}

    /// Returns true if the report of a change is delayed.
    package mutating func delaysReport(at now: ContinuousClock.Instant) -> Bool {
        if let next, now < next {
            deadline = next + Self.slack
            return true
        }
        noteReport(at: now)
        return false
    }

    /// Records that all changes so far are reported.
    package mutating func noteReport(at now: ContinuousClock.Instant) {
        next = now + Self.interval
        deadline = nil
    }
}

/// The merging of changes of one selection's owner.
///
/// An X client can change an owner a million times a second, and each change costs the service more time than the
/// client. In a burst that no call waits for, or that is too long to be reported one by one, the last change stands for
/// the changes before it.
extension DisplayReport {
    /// The number of queued reports above which changes are merged even if a client watches.
    static let maxUnmerged = 4_096

    /// True for a change of owner that adds nothing but a count after another change.
    var isMergeable: Bool {
        if case .changed(_, let change) = self { change.isMergeable } else { false }
    }

    /// Merges this change of owner into an earlier change of the same selection. Reports about other selections may
    /// come in between, because selections are independent.
    package func merge(into earlier: inout DisplayReport) -> MessageQueue<DisplayReport>.Merging {
        guard case .changed(let selection, let change) = self, change.isMergeable,
            case .changed(let other, let former) = earlier
        else { return .barred }
        guard selection == other else { return .passed }
        guard former.isMergeable else { return .barred }
        var merged = change
        merged.steps += former.steps
        earlier = .changed(selection: selection, merged)
        return .merged
    }
}

extension OwnershipTracker.Change {
    fileprivate var isMergeable: Bool {
        switch owner {
        case .foreign: true
        case .compositor, .ours: false
        // The service may have counted the end of the bridge's ownership.
        case .none: !isDeath && !endsOurs
        }
    }
}
