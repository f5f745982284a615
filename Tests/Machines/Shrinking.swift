/// The reduction of a failing sequence to one that is as short and simple as possible and still fails.
package struct Shrinking<World: MachineWorld> {
    package typealias Operation = World.Operation

    let injection: FaultInjection<Operation, World.Effect>?
    /// The remaining number of attempts. Each attempt runs a whole sequence, so the reduction of long sequences has a
    /// limit.
    var triesLeft = 20_000

    package static func shortest(
        _ operations: [Operation], injection: FaultInjection<Operation, World.Effect>? = nil
    ) -> [Operation] {
        var shrinking = Shrinking(injection: injection)
        var best = operations
        while true {
            let before = best
            best = shrinking.simplified(shrinking.shortened(best))
            if best == before { return best }
        }
    }

    private mutating func fails(_ operations: [Operation]) -> Bool {
        guard triesLeft > 0 else { return false }
        triesLeft -= 1
        return Trial<World>.failure(of: operations, injection: injection) != nil
    }

    /// Removes as many operations as possible, in large blocks first and finally one by one.
    private mutating func shortened(_ operations: [Operation]) -> [Operation] {
        var shortest = operations
        // Operations after the failure are irrelevant.
        if let failure = Trial<World>.failure(of: shortest, injection: injection) {
            shortest = Array(shortest.prefix(failure.index + 1))
        }
        var length = max(shortest.count / 2, 1)
        while length > 0 {
            var start = 0
            while start < shortest.count {
                var fewer = shortest
                fewer.removeSubrange(start..<min(start + length, shortest.count))
                if fails(fewer) { shortest = fewer } else { start += length }
            }
            length /= 2
        }
        return shortest
    }

    /// Makes the values of each operation as small as possible, one after another.
    private mutating func simplified(_ operations: [Operation]) -> [Operation] {
        var simplest = operations
        for index in simplest.indices {
            var found = true
            while found {
                found = false
                for simpler in OperationText.simpler(than: simplest[index]) {
                    var changed = simplest
                    changed[index] = simpler
                    if fails(changed) {
                        simplest = changed
                        found = true
                        break
                    }
                }
            }
        }
        return simplest
    }
}
