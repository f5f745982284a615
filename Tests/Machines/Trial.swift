import TestRandom

/// Operations carried out one after the other on a world of their own, from its beginning to its end.
enum Trial<World: MachineWorld> {
    typealias Operation = World.Operation
    typealias Breakage = Spoiling<Operation, World.Effect>

    struct Failure {
        /// The operation after which something is wrong; their number if it is at the end.
        var index: Int
        var reason: BrokenInvariant
    }

    static func failure(of operations: [Operation], spoiling: Breakage? = nil) -> Failure? {
        var world = World(spoiling: spoiling)
        for (index, operation) in operations.enumerated() {
            do {
                try world.step(operation)
            } catch {
                return Failure(index: index, reason: error)
            }
        }
        do {
            try world.finish()
        } catch {
            return Failure(index: operations.count, reason: error)
        }
        return nil
    }

    /// How many operations the sequence of that seed has.
    static func length(using generator: inout SeededGenerator) -> Int {
        // Short ones are soon at the end, where everything has to come to rest; in long ones more is under way.
        generator.one(in: 4) ? generator.number(1..<40) : generator.number(40..<500)
    }

    /// Makes up a sequence while it is carried out.
    ///
    /// - Parameter about: Is told the situation and the operation before each.
    /// - Returns: The operations, and what went wrong.
    static func run(
        seed: UInt64, spoiling: Breakage? = nil, about: (_ phase: Int, Operation) -> Void = { _, _ in }
    ) -> (operations: [Operation], failure: BrokenInvariant?) {
        var generator = SeededGenerator(seed: seed)
        var world = World(spoiling: spoiling)
        var operations: [Operation] = []
        let length = length(using: &generator)
        operations.reserveCapacity(length)
        do throws(BrokenInvariant) {
            for _ in 0..<length {
                let operation = world.random(using: &generator)
                about(world.phase, operation)
                operations.append(operation)
                try world.step(operation)
            }
            try world.finish()
        } catch {
            return (operations, error)
        }
        return (operations, nil)
    }
}
