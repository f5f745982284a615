import Testing
import xpbd

@Suite struct LogBudgetTests {
    private let start = ContinuousClock.now

    @Test("A burst is written completely, further lines are dropped, and the next line has the number of dropped lines")
    func burst() {
        var budget = LogBudget(burst: 3, rate: 1)
        for _ in 0..<3 { #expect(budget.admitLine(at: start) == 0) }
        for _ in 0..<5 { #expect(budget.admitLine(at: start + .milliseconds(999)) == nil) }
        #expect(budget.admitLine(at: start + .seconds(1)) == 5)
        #expect(budget.admitLine(at: start + .seconds(1)) == nil)
        #expect(budget.admitLine(at: start + .seconds(2)) == 1)
    }

    @Test("A pause earns at most one burst")
    func quiet() {
        var budget = LogBudget(burst: 2, rate: 1)
        for _ in 0..<3 { _ = budget.admitLine(at: start) }
        let later = start + .seconds(3_600)
        #expect(budget.admitLine(at: later) == 1)
        #expect(budget.admitLine(at: later) == 0)
        #expect(budget.admitLine(at: later) == nil)
    }
}
