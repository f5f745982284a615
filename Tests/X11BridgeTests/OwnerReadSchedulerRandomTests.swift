import Machines
import Testing
import X11Bridge

@Suite struct OwnerReadSchedulerRandomTests {
    @Test(
        "Each conversion starts when it may, whatever others do", arguments: [1, UInt64.random(in: 0..<1 << 30)])
    func order(seed: UInt64) {
        for seed in seed..<seed + 200 {
            let run = Trial<OwnerReadSchedulerWorld>.run(seed: seed)
            guard let failure = run.failure else { continue }
            let shortest = Shrinking<OwnerReadSchedulerWorld>.shortest(run.operations)
            Issue.record("seed \(seed): \(failure)\n\(OperationText.lines(shortest))")
            return
        }
    }

    @Test("A start that is lost or doubled is detected")
    func detection() {
        for effects: (inout [Ticket]) -> Void in [{ $0 = [] }, { $0 += $0 }] {
            let injection = FaultInjection<OwnerReadSchedulerOperation, Ticket>(effects: effects)
            let failures = (1...20).lazy.compactMap {
                Trial<OwnerReadSchedulerWorld>.run(seed: $0, injection: injection).failure
            }
            #expect(failures.first != nil)
        }
    }
}
