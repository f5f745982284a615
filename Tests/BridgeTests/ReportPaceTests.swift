import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

struct ReportPaceTests {
    private let start = ContinuousClock.now

    /// A change so long after the start.
    private func waits(_ pace: inout ReportPace, after time: Duration) -> Bool { pace.delaysReport(at: start + time) }

    @Test("The first change is told at once, and so is one after a rest")
    func apart() {
        var pace = ReportPace()
        for number in 0..<3 {
            let waits = waits(&pace, after: ReportPace.interval * number)
            #expect(!waits && pace.deadline == nil)
        }
    }

    @Test("Those close behind it wait, until one comes later")
    func burst() {
        var pace = ReportPace()
        _ = waits(&pace, after: .zero)
        for part in 1..<10 {
            let waits = waits(&pace, after: ReportPace.interval / 10 * part)
            #expect(waits && pace.deadline == start + ReportPace.interval + ReportPace.slack)
        }
        let waits = waits(&pace, after: ReportPace.interval)
        #expect(!waits && pace.deadline == nil)
    }

    @Test("The last ones are told when their time is over, and the next one waits for as long again")
    func end() throws {
        var pace = ReportPace()
        _ = waits(&pace, after: .zero)
        _ = waits(&pace, after: .milliseconds(1))
        let deadline = try #require(pace.deadline)
        pace.noteReport(at: deadline)
        #expect(pace.deadline == nil)
        let waits = [ReportPace.interval / 2, ReportPace.interval].map { pace.delaysReport(at: deadline + $0) }
        #expect(waits == [true, false])
    }
}
