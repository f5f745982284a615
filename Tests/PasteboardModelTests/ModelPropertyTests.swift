import PasteboardModel
import TestRandom
import Testing

/// Tests with random operations on the model and on a simple reference, which have to agree after each operation.
@Suite struct ModelPropertyTests {
    private static let runs: UInt64 = 50
    private static let operationsPerRun = 2_000

    private static func operations(seed: UInt64) -> [ModelOperation] {
        var generator = SeededGenerator(seed: seed)
        return (0..<operationsPerRun).map { _ in ModelOperation.random(using: &generator) }
    }

    @Test("The model agrees with a simple reference after each of 100,000 operations")
    func agreement() {
        for seed in 1...Self.runs {
            let operations = Self.operations(seed: seed)
            guard let failure = Run.failure(of: operations) else { continue }
            let shortest = Run.shortened(Array(operations[...failure.index]))
            let list = shortest.enumerated().map { "\($0): \($1)" }.joined(separator: "\n")
            Issue.record("seed \(seed): \(Run.failure(of: shortest)?.reason ?? failure.reason)\nafter\n\(list)")
            return
        }
    }

    @Test("Each operation occurs with each of its outcomes among the random operations")
    func coverage() {
        var reference = ModelReference()
        var seen: Set<String> = []
        for (time, operation) in Self.operations(seed: 1).enumerated() {
            let kind = String(String(describing: operation).prefix { $0 != "(" })
            switch reference.apply(operation, at: time) {
            case .failed(let words): seen.insert("\(kind) \(words.prefix { $0 != " " })")
            case .nothing: seen.insert("\(kind) nothing")
            case .steps(let steps): seen.insert("\(kind) steps \(min(steps.count, 2))")
            case .made(let isNew): seen.insert("\(kind) \(isNew)")
            case .name: seen.insert("\(kind) name")
            case .found: seen.insert("\(kind) found")
            }
        }
        let expected = [
            "write steps 1", "write absent", "write count", "write item", "write full", "clear steps 1",
            "clear nothing", "clear absent", "foreign steps 1", "adopt nothing", "revise nothing", "create true",
            "create false", "create full", "create visible", "create hidden", "createUnique name",
            "createUnique full", "persist nothing",
            "persist system", "persist absent", "remove steps 1", "remove system", "remove absent", "leave steps 0",
            "leave steps 1", "leave steps 2", "undo steps 1", "undo nothing", "redo steps 1", "redo nothing",
            "limits nothing", "read found", "read item",
        ]
        #expect(expected.filter { !seen.contains($0) } == [])
    }
}

/// A sequence of operations on a new model and a new reference.
private struct Run {
    private var subject = ModelSubject()
    private var reference = ModelReference()
    /// The last count of each pasteboard that ever existed.
    private var highest: [String: Int] = [:]
    /// The counts of the existing pasteboards before an operation.
    private var present = Dictionary(uniqueKeysWithValues: ModelOperation.systemNames.map { ($0, 0) })

    /// Returns the first operation after which a check fails, and the reason; nil if all checks succeed.
    static func failure(of operations: [ModelOperation]) -> (index: Int, reason: String)? {
        var run = Run()
        for (index, operation) in operations.enumerated() {
            // Times are not consecutive, so that a wrong time does not equal the right one by chance.
            if let reason = run.problem(with: operation, at: index * 2) { return (index, reason) }
        }
        return nil
    }

    /// Returns a shorter sequence that still fails: leaves out long runs of operations first, then single operations.
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

    private mutating func problem(with operation: ModelOperation, at time: Int) -> String? {
        let outcome = subject.apply(operation, at: time)
        let expected = reference.apply(operation, at: time)
        if outcome != expected { return "\(outcome)\ndiffers from\n\(expected)" }
        if let broken = subject.brokenPromise { return broken }
        return difference(touching: operation.name) ?? brokenCount(outcome)
    }

    /// Compares the named pasteboard in full, and the cheap properties of all other pasteboards, which are compared in
    /// full when an operation names them.
    private func difference(touching name: String?) -> String? {
        if subject.registry.unordered.count != reference.boards.count {
            return "\(subject.registry.entries.map(\.name.string)) differs from \(reference.boards.map(\.name))"
        }
        for board in reference.boards {
            guard let entry = subject.registry[ModelOperation.name(board.name)] else {
                return "\(board.name) does not exist"
            }
            if entry.count != board.count || entry.since != board.since || entry.isPersistent != board.isPersistent
                || entry.isHidden != board.isHidden
            {
                return "\(entry) differs from \(board)"
            }
        }
        for name in name.map({ [$0] }) ?? reference.boards.map(\.name) {
            let (board, expected) = (subject.board(name), reference.board(name))
            if board != expected {
                return "\(String(describing: board))\ndiffers from\n\(String(describing: expected))"
            }
            let (undo, line) = (subject.undo(name), reference.undo(name))
            if undo != line { return "\(undo)\ndiffers from\n\(line)" }
        }
        return nil
    }

    /// Checks that counts never decrease, and rise by one with each step that observers see, and only then.
    private mutating func brokenCount(_ outcome: ModelOutcome) -> String? {
        let steps = outcome.steps
        for step in steps where step.isRemoval {
            let name = step.name.string
            guard subject.registry[step.name] == nil, let former = present[name], step.count == former + 1 else {
                return "\(step) is not a removal"
            }
            highest[name] = step.count
        }
        var now: [String: Int] = [:]
        for entry in subject.registry.unordered {
            let name = entry.name.string
            let reported = steps.count { $0.name == entry.name }
            // A pasteboard that is created again continues from its own count or from the floor.
            guard reported <= 1, entry.count >= (highest[name] ?? 0) + reported,
                present[name].map({ entry.count == $0 + reported }) ?? true
            else { return "\(entry) was \(highest[name] ?? 0), with \(reported) steps since" }
            now[name] = entry.count
            highest[name] = entry.count
        }
        present = now
        return nil
    }
}
