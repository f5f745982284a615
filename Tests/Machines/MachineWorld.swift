import TestRandom

/// What happens to a machine. It names what it is about whether that is there or not, so that any operations in any order
/// are a possible sequence: also one that no X server and no kernel would bring about.
protocol MachineOperation: Codable, Equatable, Sendable {
    /// A small number for what kind it is, for the count of what was reached.
    var kind: Int { get }
}

/// A machine, and beside it what is known of the world around it: enough to say after each operation whether the machine
/// did what it must, without looking at how it does it.
protocol MachineWorld: SendableMetatype {
    associatedtype Operation: MachineOperation
    associatedtype Effect

    /// As the command line and the folder of what was found have it.
    static var name: String { get }

    /// - Parameter spoiling: What is done to the machine so that it goes wrong; for the tests of the tests.
    init(spoiling: Spoiling<Operation, Effect>?)

    /// A number for the situation that the machine is in, for the count of what was reached.
    var phase: Int { get }

    /// What may happen next. It may look at the world, so that what is rare comes about.
    func random(using generator: inout SeededGenerator) -> Operation

    /// Lets it happen.
    ///
    /// - Throws: What should hold and does not.
    mutating func step(_ operation: Operation) throws(BrokenInvariant)

    /// Nothing happens any more, but that time passes: whatever waits must come to an end.
    mutating func finish() throws(BrokenInvariant)
}

/// How a machine is made to go wrong: something is done to what it returns, or it is not told what happens.
struct Spoiling<Operation, Effect> {
    var effects: (inout [Effect]) -> Void = { _ in }
    var isTold: (Operation) -> Bool = { _ in true }
}

/// What must always hold did not.
struct BrokenInvariant: Error, Equatable, CustomStringConvertible {
    /// What should hold, and what was instead.
    let description: String

    init(_ description: String) { self.description = description }
}

func expect(_ holds: Bool, _ invariant: @autoclosure () -> String) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(invariant()) }
}

extension SeededGenerator {
    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func one(in count: Int) -> Bool { number(0..<count) == 0 }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }
}
