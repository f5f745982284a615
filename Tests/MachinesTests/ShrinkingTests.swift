import Machines
import TestRandom
import Testing

@Suite struct ShrinkingTests {
    /// A world that fails when its sum exceeds a hundred.
    private struct Sum: MachineWorld {
        enum Operation: MachineOperation {
            case add(Int)
            case addAll([Int], twice: Bool)

            var kind: Int { 0 }
        }

        static let name = "sum"
        private var sum = 0
        let phase = 0

        init(injection: FaultInjection<Operation, Never>?) {}

        func random(using generator: inout SeededGenerator) -> Operation {
            generator.one(in: 2)
                ? .add(generator.number(0..<10))
                : .addAll(
                    (0..<generator.number(0..<5)).map { _ in generator.number(0..<10) }, twice: generator.one(in: 2))
        }

        mutating func step(_ operation: Operation) throws(BrokenInvariant) {
            switch operation {
            case .add(let value): sum += value
            case .addAll(let values, let twice): sum += values.reduce(0, +) * (twice ? 2 : 1)
            }
            try expect(sum <= 100, "the sum is \(sum)")
        }

        func finish() {}
    }

    @Test("Operations without influence on a failure are removed, and the values of other operations are reduced")
    func shortest() throws {
        let run = try #require((1...).lazy.map { Trial<Sum>.run(seed: $0) }.first { $0.failure != nil })
        let shortest = Shrinking<Sum>.shortest(run.operations)
        #expect(Trial<Sum>.failure(of: shortest)?.reason == BrokenInvariant("the sum is 101"))
        #expect(shortest.count < run.operations.count)
        for index in shortest.indices {
            var fewer = shortest
            fewer.remove(at: index)
            #expect(Trial<Sum>.failure(of: fewer) == nil)
        }
    }

    @Test("Values become smaller one at a time, and lists shorter")
    func simpler() {
        #expect(OperationText.simpler(than: Sum.Operation.add(5)) == [.add(0), .add(2), .add(4)])
        #expect(OperationText.simpler(than: Sum.Operation.add(0)) == [])
        #expect(
            OperationText.simpler(than: Sum.Operation.addAll([3, 1], twice: true)) == [
                .addAll([], twice: true), .addAll([1], twice: true), .addAll([3], twice: true),
                .addAll([0, 1], twice: true), .addAll([1, 1], twice: true), .addAll([2, 1], twice: true),
                .addAll([3, 0], twice: true), .addAll([3, 1], twice: false),
            ])
    }

    @Test("Operations survive a round trip through their text")
    func text() throws {
        for seed in UInt64(1)...20 {
            let operations = Trial<SelectionOwnerWorld>.run(seed: seed).operations
            #expect(try OperationText.operations(OperationText.lines(operations)) == operations)
            let conversions = Trial<ConversionWorld>.run(seed: seed).operations
            #expect(try OperationText.operations(OperationText.lines(conversions)) == conversions)
        }
    }
}
