/// A machine with its name and the ways to run it.
package struct Machine: Sendable {
    package let name: String
    /// The share of all steps that this machine gets.
    package let share: Int
    /// Performs at least the given number of steps, until the end of a sequence or a failure. Each sequence has its own
    /// seed, which is passed to `note` before the sequence starts: first the given seed, then consecutive seeds.
    package let run: @Sendable (_ steps: Int, _ seed: UInt64, _ note: (UInt64) -> Void) -> MachineFigures
    /// Prints each operation of a sequence before performing it, so that the last printed operation is the operation
    /// that trapped.
    let show: @Sendable (_ seed: UInt64) -> Void
    /// Performs the operations in `text`, and returns the failure, if any.
    package let replay: @Sendable (_ text: String) throws -> BrokenInvariant?

    package static let all = [
        Machine(SelectionOwnerWorld.self, share: 50),
        Machine(ConversionWorld.self, share: 20),
        Machine(OwnershipWorld.self, share: 10),
        Machine(FramerWorld.self, share: 15),
        Machine(OutboxWorld.self, share: 5),
        Machine(DataControlWorld.self, share: 20),
        Machine(ShareWorld.self, share: 10),
        Machine(CrossingWorld.self, share: 20),
        Machine(WindowWorld.self, share: 5),
        Machine(MutterWorld.self, share: 5),
    ]

    private init<World: MachineWorld>(_ world: World.Type, share: Int) {
        name = World.name
        self.share = share
        run = { Trial<World>.run(steps: $0, seed: $1, note: $2) }
        show = { Trial<World>.show($0) }
        replay = { text in Trial<World>.failure(of: try OperationText.operations(text))?.reason }
    }
}

extension Trial {
    fileprivate static func run(steps: Int, seed: UInt64, note: (UInt64) -> Void) -> MachineFigures {
        var figures = MachineFigures()
        let start = ContinuousClock.now
        while figures.steps < steps, figures.finding == nil {
            let seed = seed &+ UInt64(figures.sequences)
            note(seed)
            let (operations, failure) = run(seed: seed) { phase, operation in
                figures.reached.insert(phase << 16 | operation.kind)
            }
            figures.steps += operations.count
            figures.sequences += 1
            guard let failure else { continue }
            let shortest = Shrinking<World>.shortest(operations)
            figures.finding = MachineFigures.Finding(
                seed: seed, reason: Self.failure(of: shortest)?.reason ?? failure,
                operations: OperationText.lines(shortest))
        }
        figures.duration = .now - start
        return figures
    }

    fileprivate static func show(_ seed: UInt64) {
        let failure = run(seed: seed) { _, operation in print(OperationText.line(operation)) }.failure
        if let failure { print(failure) }
    }
}

/// The results of running a machine.
package struct MachineFigures: Sendable {
    package struct Finding: Sendable {
        /// The seed of the first sequence that failed.
        package var seed: UInt64
        package var reason: BrokenInvariant
        /// The shortest sequence that fails.
        package var operations: String
    }

    var steps = 0
    var sequences = 0
    /// The combinations of a state and a kind of operation that were reached, encoded as numbers.
    package var reached: Set<Int> = []
    /// The number of combinations reached by other machines, for totals.
    private var reachedByOthers = 0
    package var finding: Finding?
    var duration = Duration.zero

    mutating func add(_ other: MachineFigures) {
        steps += other.steps
        sequences += other.sequences
        reachedByOthers += other.reached.count
        duration += other.duration
    }

    // MARK: As a table

    private static let widths = [16, 11, 10, 20, 11, 8]

    static var heading: String {
        row(["machine", "steps", "sequences", "states × operations", "violations", "seconds"])
    }

    func row(_ name: String, violations: Int? = nil) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded())
        return Self.row([
            name, Self.grouped(steps), Self.grouped(sequences), Self.grouped(reached.count + reachedByOthers),
            "\(violations ?? (finding == nil ? 0 : 1))", "\(tenths / 10).\(tenths % 10)",
        ])
    }

    /// Formats a number with thousands separators.
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max($0 - 3, 0)..<$0]) }
        return groups.reversed().joined(separator: ",")
    }

    private static func row(_ cells: [String]) -> String {
        zip(cells, widths).enumerated().map { index, cell in
            let room = String(repeating: " ", count: max(cell.1 - cell.0.count, 0))
            return index == 0 ? cell.0 + room : room + cell.0
        }.joined(separator: "  ")
    }
}
