import Testing

@testable import Bridge
@testable import FormatConversion
@testable import Machines
@testable import X11Bridge

@Suite struct ReadingTurnsRandomTests {
    @Test(
        "Nobody waits for nothing or for ever, whoever comes and goes", arguments: [1, UInt64.random(in: 0..<1 << 30)])
    func turns(seed: UInt64) {
        for seed in seed..<seed + 200 {
            let run = Trial<ReadingTurnsWorld>.run(seed: seed)
            guard let failure = run.failure else { continue }
            let shortest = Shrinking<ReadingTurnsWorld>.shortest(run.operations)
            Issue.record("seed \(seed): \(failure)\n\(OperationText.lines(shortest))")
            return
        }
    }

    @Test("A turn that is lost, or given twice, is seen")
    func spoiled() {
        for effects: (inout [Ticket]) -> Void in [{ $0 = [] }, { $0 += $0 }] {
            let spoiling = Spoiling<ReadingTurnsOperation, Ticket>(effects: effects)
            let failures = (1...20).lazy.compactMap {
                Trial<ReadingTurnsWorld>.run(seed: $0, spoiling: spoiling).failure
            }
            #expect(failures.first != nil)
        }
    }
}
