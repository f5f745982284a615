import Machines
import Testing

@Suite struct MachineTests {
    private static let steps = 200_000
    /// A different seed in each run.
    private static let seed = UInt64.random(in: 0..<1_000_000_000)

    @Test(
        "Every machine keeps its invariants in any order of operations", arguments: Machine.all.map(\.name), [1, seed])
    func holds(name: String, seed: UInt64) throws {
        let machine = try #require(Machine.all.first { $0.name == name })
        let finding = machine.run(Self.steps * machine.share / 200, seed) { _ in }.finding
        #expect(
            finding == nil,
            """
            seed \(finding?.seed ?? seed): \(finding?.reason.description ?? "")
            \(finding?.operations ?? "")
            """)
    }

    @Test("Random operations reach most of the possible states")
    func reaches() {
        let reached = Dictionary(
            uniqueKeysWithValues: Machine.all.map { machine in
                (machine.name, machine.run(Self.steps * machine.share / 200, 1) { _ in }.reached.count)
            })
        for (name, least) in [
            "selection-owner": 1_000, "conversion": 250, "ownership": 30, "framer": 30, "outbox": 80,
            "data-control": 400, "share": 400, "crossing": 1_000,
            "crossing-window": 100, "mutter": 200,
        ] {
            #expect(reached[name] ?? 0 >= least, "\(name)")
        }
    }

    @Test("A seed always produces the same sequence")
    func repeats() {
        let first = Trial<SelectionOwnerWorld>.run(seed: 7)
        #expect(first.operations == Trial<SelectionOwnerWorld>.run(seed: 7).operations)
        #expect(first.operations != Trial<SelectionOwnerWorld>.run(seed: 8).operations)
    }
}
