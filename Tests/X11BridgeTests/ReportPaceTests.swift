import EventLoop
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct ReportPaceTests {
    private let start = ContinuousClock.now

    /// Returns true if the report of a change at this time after the start is delayed.
    private func isDelayed(_ pace: inout ReportPace, after time: Duration) -> Bool {
        pace.delaysReport(at: start + time)
    }

    @Test("The first change is reported at once, and so is a change after a pause")
    func apart() {
        var pace = ReportPace()
        for number in 0..<3 {
            let isDelayed = isDelayed(&pace, after: ReportPace.interval * number)
            #expect(!isDelayed && pace.deadline == nil)
        }
    }

    @Test("Changes soon after a report are delayed, until a change comes later")
    func burst() {
        var pace = ReportPace()
        _ = isDelayed(&pace, after: .zero)
        for part in 1..<10 {
            let isDelayed = isDelayed(&pace, after: ReportPace.interval / 10 * part)
            #expect(isDelayed && pace.deadline == start + ReportPace.interval + ReportPace.slack)
        }
        let isDelayed = isDelayed(&pace, after: ReportPace.interval)
        #expect(!isDelayed && pace.deadline == nil)
    }

    @Test("The last changes are reported at the deadline, and the next change is delayed again")
    func end() throws {
        var pace = ReportPace()
        _ = isDelayed(&pace, after: .zero)
        _ = isDelayed(&pace, after: .milliseconds(1))
        let deadline = try #require(pace.deadline)
        pace.noteReport(at: deadline)
        #expect(pace.deadline == nil)
        let delays = [ReportPace.interval / 2, ReportPace.interval].map { pace.delaysReport(at: deadline + $0) }
        #expect(delays == [true, false])
    }
}

@Suite struct DisplayReportMergingTests {
    private static func change(
        _ owner: OwnershipTracker.Owner, of selection: String = "CLIPBOARD", isDeath: Bool = false
    ) -> DisplayReport {
        .changed(selection: selection, .init(owner: owner, isDeath: isDeath))
    }

    private static let ours = change(.ours(OfferID(1)))
    private static let theirs = change(.foreign(WindowID(1)))

    /// Returns the queue after these reports: for each, the selection, its owner and the number of changes.
    private func queued(_ reports: [DisplayReport]) throws -> [String] {
        let queue = try MessageQueue<DisplayReport>()
        for report in reports { queue.send(report, mergingBeyond: 1) { report.merge(into: &$0) } }
        return queue.drain().map { report in
            guard case .changed(let selection, let change) = report else { return "other" }
            let owner =
                switch change.owner {
                case .foreign(let window), .compositor(let window): "\(window.id)"
                case .ours: "ours"
                case .none: change.isDeath ? "dead" : "none"
                }
            return "\(selection) \(owner) \(change.steps)"
        }
    }

    @Test("The last change of a burst is reported, with the number of changes")
    func burst() throws {
        let changes = (1...5).map { Self.change($0 == 3 ? .none : .foreign(WindowID($0))) }
        #expect(try queued(changes) == ["CLIPBOARD 5 5"])
        #expect(try queued(changes + [Self.change(.none)]) == ["CLIPBOARD none 6"])
    }

    @Test("Changes of two selections are merged separately")
    func selections() throws {
        let changes = (1...6).map { Self.change(.foreign(WindowID($0)), of: $0 % 2 == 0 ? "PRIMARY" : "CLIPBOARD") }
        #expect(try queued(changes) == ["CLIPBOARD 5 3", "PRIMARY 6 3"])
    }

    @Test("The release of the bridge's own selection may be counted already, so it is not merged with the next claim")
    func released() throws {
        var release = OwnershipTracker.Change(owner: .none, isDeath: false)
        release.endsOurs = true
        let reports = [Self.theirs, Self.ours, .changed(selection: "CLIPBOARD", release), Self.theirs, Self.theirs]
        #expect(
            try queued(reports)
                == ["CLIPBOARD 1 1", "CLIPBOARD ours 1", "CLIPBOARD none 1", "CLIPBOARD 1 2"])
    }

    @Test("The bridge's claims, deaths and other reports are not merged")
    func apart() throws {
        let dead = Self.change(.none, isDeath: true)
        #expect(
            try queued([Self.theirs, Self.ours, Self.theirs, dead, Self.theirs, .transfers(1), Self.theirs])
                == [
                    "CLIPBOARD 1 1", "CLIPBOARD ours 1", "CLIPBOARD 1 1", "CLIPBOARD dead 1", "CLIPBOARD 1 1", "other",
                    "CLIPBOARD 1 1",
                ])
    }
}
