import TestRandom

/// A run of operations on a new world, from its beginning to its end.
package enum Trial<World: MachineWorld> {
    package typealias Operation = World.Operation
    package typealias Injection = FaultInjection<Operation, World.Effect>

    package struct Failure {
        /// The index of the operation after which an invariant failed; the number of operations if it failed at the
        /// end.
        package var index: Int
        package var reason: BrokenInvariant
    }

    package static func failure(of operations: [Operation], injection: Injection? = nil) -> Failure? {
        var world = World(injection: injection)
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

    /// Returns the length of a sequence.
    static func length(using generator: inout SeededGenerator) -> Int {
        // Short sequences soon reach the end, where everything has to finish; long sequences have more in progress.
        generator.one(in: 4) ? generator.number(1..<40) : generator.number(40..<500)
    }

    /// Generates a sequence while performing it.
    ///
    /// - Parameter about: Called before each operation with the state and the operation.
    /// - Returns: The operations, and the invariant that failed.
    package static func run(
        seed: UInt64, injection: Injection? = nil, about: (_ phase: Int, Operation) -> Void = { _, _ in }
    ) -> (operations: [Operation], failure: BrokenInvariant?) {
        var generator = SeededGenerator(seed: seed)
        var world = World(injection: injection)
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
