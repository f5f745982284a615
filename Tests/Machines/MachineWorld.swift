package import TestRandom

/// An operation on a machine. It refers to objects whether they exist or not, so that any operations in any order form
/// a possible sequence, including those that no X server and no kernel would produce.
package protocol MachineOperation: Codable, Equatable, Sendable {
    /// A small number for the kind of operation, to count the combinations that were reached.
    var kind: Int { get }
}

/// A machine together with a model of its environment. The model knows enough to decide after each operation whether
/// the machine behaved correctly, without looking into the machine.
package protocol MachineWorld: SendableMetatype {
    associatedtype Operation: MachineOperation
    associatedtype Effect

    /// The name for the command line and for the folder of found failures.
    static var name: String { get }

    /// - Parameter injection: A fault to inject, for the tests of these tests.
    init(injection: FaultInjection<Operation, Effect>?)

    /// A number for the state of the machine, to count the combinations that were reached.
    var phase: Int { get }

    /// Returns a possible next operation. The choice may depend on the state, so that rare situations occur.
    func random(using generator: inout SeededGenerator) -> Operation

    /// Performs an operation.
    ///
    /// - Throws: An invariant that does not hold.
    mutating func step(_ operation: Operation) throws(BrokenInvariant)

    /// Lets time pass without further operations, until everything that waits has ended.
    mutating func finish() throws(BrokenInvariant)
}

/// A fault injected into a machine: its effects are changed, or operations are withheld from it.
package struct FaultInjection<Operation, Effect> {
    package var effects: (inout [Effect]) -> Void
    package var receives: (Operation) -> Bool

    package init(
        effects: @escaping (inout [Effect]) -> Void = { _ in }, receives: @escaping (Operation) -> Bool = { _ in true }
    ) {
        self.effects = effects
        self.receives = receives
    }
}

/// An invariant that did not hold.
package struct BrokenInvariant: Error, Equatable, CustomStringConvertible {
    /// The invariant, and the actual state.
    package let description: String

    package init(_ description: String) { self.description = description }
}

package func expect(_ holds: Bool, _ invariant: @autoclosure () -> String) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(invariant()) }
}

extension SeededGenerator {
    package mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    package mutating func one(in count: Int) -> Bool { number(0..<count) == 0 }
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }
}
