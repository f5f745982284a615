/// A machine by its name, with what can be done to it.
struct Machine: Sendable {
    let name: String
    /// How much of all steps it gets.
    let share: Int
    /// Carries out so many steps at least, to the end of a sequence, or until something is wrong. Each sequence has a seed
    /// of its own, which is told before it: the first one this, the next ones those that follow.
    let run: @Sendable (_ steps: Int, _ seed: UInt64, _ note: (UInt64) -> Void) -> MachineFigures
    /// Prints the operations of a sequence, each before it is carried out: the last is the one that trapped.
    let show: @Sendable (_ seed: UInt64) -> Void
    /// Carries out the operations of a text. It tells what went wrong, if something did.
    let replay: @Sendable (_ text: String) throws -> BrokenInvariant?

    static let all = [
        Machine(SelectionOwnerWorld.self, share: 50),
        Machine(ConversionWorld.self, share: 20),
        Machine(OwnershipWorld.self, share: 10),
        Machine(FramerWorld.self, share: 15),
        Machine(OutboxWorld.self, share: 5),
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
