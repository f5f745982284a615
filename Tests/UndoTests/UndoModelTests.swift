import TestRandom
import Testing
import Undo

/// Tests with random operations on the undo manager and on its model, which must agree after each operation.
@Suite struct UndoModelTests {
    private static let operationsPerRun = 1_000

    private static func operations(seed: UInt64) -> [ModelOperation] {
        var generator = SeededGenerator(seed: seed)
        return (0..<operationsPerRun).map { _ in ModelOperation.random(using: &generator) }
    }

    @Test("The undo manager agrees with its model after each of a million operations", arguments: 0..<4)
    func agreement(part: UInt64) {
        for seed in part * 250..<part * 250 + 250 {
            let operations = Self.operations(seed: seed)
            guard let failure = Run.failure(of: operations) else { continue }
            let shortest = Run.shortened(Array(operations[...failure.index]))
            let list = shortest.enumerated().map { "\($0): \($1)" }.joined(separator: "\n")
            Issue.record("seed \(seed): \(Run.failure(of: shortest)?.reason ?? failure.reason)\nafter\n\(list)")
            return
        }
    }

    @Test("Each notice and error occurs among the random operations")
    func coverage() {
        var seen: [String: Int] = [:]
        for seed in 0..<20 as Range<UInt64> {
            var model = UndoModel()
            for operation in Self.operations(seed: seed) {
                model.apply(operation)
                for notice in model.notices { seen[notice, default: 0] += 1 }
            }
        }
        let expected = [
            "checkpoint", "open", "event", "close", "closed", "closed discardable", "undo", "undone", "redo", "redone",
            "groupOpen", "noGroupOpen", "registrationEnabled", "groupNotEnded", "handlerFailed", "groupTooLarge",
        ]
        #expect(expected.filter { seen[$0, default: 0] < 20 } == [], "\(seen)")
    }
}

/// A sequence of operations on a new undo manager and a new model.
private struct Run {
    /// Returns the first operation after which a check fails, and the reason; nil if all checks succeed.
    static func failure(of operations: [ModelOperation]) -> (index: Int, reason: String)? {
        let subject = ModelSubject()
        var model = UndoModel()
        var isLate = false
        for (index, operation) in operations.enumerated() {
            subject.apply(operation)
            model.apply(operation)
            let (state, expected) = (subject.state, model.state)
            if state != expected { return (index, "\(state)\ndiffers from\n\(expected)") }
            if subject.notices != model.notices {
                return (index, "\(subject.notices)\ndiffers from\n\(model.notices)")
            }
            // The undo manager notices the release of a target only in a later call.
            if case .end = operation { isLate = true }
            let isShown = subject.shown == state.menu
            if isShown { isLate = false }
            if !isShown, !isLate { return (index, "a menu shows \(subject.shown)") }
        }
        return nil
    }

    /// Returns a shorter sequence that still fails. Long runs of operations are left out first, then single operations.
    static func shortened(_ operations: [ModelOperation]) -> [ModelOperation] {
        var shortest = operations
        var length = max(operations.count / 2, 1)
        while length > 0 {
            var start = 0
            while start < shortest.count {
                var fewer = shortest
                fewer.removeSubrange(start..<min(start + length, shortest.count))
                if failure(of: fewer) != nil { shortest = fewer } else { start += length }
            }
            length /= 2
        }
        return shortest
    }
}
