/// What came of running a machine.
struct MachineFigures: Sendable {
    struct Finding: Sendable {
        /// Of the sequence that failed first.
        var seed: UInt64
        var reason: BrokenInvariant
        /// The shortest sequence that fails.
        var operations: String
    }

    var steps = 0
    var sequences = 0
    /// The situations in which there was each kind of operation, told apart by a number.
    var reached: Set<Int> = []
    /// How many there were of several machines.
    private var reachedByOthers = 0
    var finding: Finding?
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
        row(["machine", "steps", "sequences", "situations × events", "violations", "seconds"])
    }

    func row(_ name: String, violations: Int? = nil) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded())
        return Self.row([
            name, Self.grouped(steps), Self.grouped(sequences), Self.grouped(reached.count + reachedByOthers),
            "\(violations ?? (finding == nil ? 0 : 1))", "\(tenths / 10).\(tenths % 10)",
        ])
    }

    /// Thousands apart.
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
