import Machines
import PasteboardModel
import PasteboardSharing
import TestRandom
import Testing

/// Tests of random operations on machines that links join in different ways. ``ShareWorld`` checks the invariants.
@Suite struct ShareNetworkTests {
    private static let runs = 300
    /// A different seed in each run of the tests.
    private static let seed = UInt64.random(in: 0..<1_000_000_000)

    @Test("All machines get the newest contents, and each machine gets them once", arguments: ShareTopology.allCases)
    func holds(topology: ShareTopology) {
        for seed in Self.seed..<Self.seed + UInt64(Self.runs) {
            let failure = failure(topology, seed: seed)
            #expect(failure == nil, "seed \(seed), \(topology)")
            if failure != nil { return }
        }
    }

    private func failure(_ topology: ShareTopology, seed: UInt64) -> BrokenInvariant? {
        var generator = SeededGenerator(seed: seed)
        var world = ShareWorld(topology)
        do throws(BrokenInvariant) {
            for _ in 0..<generator.number(1..<500) { try world.step(world.random(using: &generator)) }
            try world.finish()
        } catch {
            return error
        }
        return nil
    }

    @Test("Any events in any order are handled, with at most one copy under way")
    func total() {
        var generator = SeededGenerator(seed: Self.seed)
        let kinds: [SideState.Kind] = [.contents, .contents, .empty, .withheld]
        for _ in 0..<200 {
            var machine = ShareMachine()
            var copying: Int?
            var last = 0
            for _ in 0..<200 {
                let side = generator.pick(ShareSide.allCases)
                let state = SideState(
                    origin: ContentsOrigin(time: generator.number(0..<4), machine: generator.pick(["a", "b"])),
                    count: generator.number(0..<4), kind: generator.pick(kinds), isIncomplete: generator.one(in: 3))
                let token = generator.one(in: 4) ? generator.number(-1..<9) : last
                let event = generator.pick([
                    ShareEvent.changed(side, state), .changed(side.other, state),
                    .copied(token: token, generator.pick(CopyResult.allCases)),
                ])
                if case .copied(let token, _) = event, token == copying { copying = nil }
                let effects = machine.handle(event)
                #expect(effects.filter { if case .copy = $0 { true } else { false } }.count <= 1)
                for case .copy(let token, _, _, _) in effects {
                    #expect(copying == nil && token > last)
                    (copying, last) = (token, token)
                }
            }
        }
    }
}
