import FoundationEssentials

/// Operations as text: a line of JSON each, in files that are read and compared by eye.
enum OperationText {
    static func lines(_ operations: [some MachineOperation]) -> String {
        operations.map { line($0) + "\n" }.joined()
    }

    static func line(_ operation: some MachineOperation) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Numbers and words only: nothing that could not be encoded.
        guard let data = try? encoder.encode(operation) else { return String(describing: operation) }
        return String(decoding: data, as: UTF8.self)
    }

    static func operations<Operation: MachineOperation>(
        _ text: String, of type: Operation.Type = Operation.self
    ) throws -> [Operation] {
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").map { try decoder.decode(Operation.self, from: Data($0.utf8)) }
    }

    /// The same operation with one of its values smaller, the smallest first.
    static func simpler<Operation: MachineOperation>(than operation: Operation) -> [Operation] {
        guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(line(operation).utf8)) else { return [] }
        let encoder = JSONEncoder()
        return tree.simpler.compactMap { simpler in
            // What is no operation any more is none that is simpler.
            guard let data = try? encoder.encode(simpler),
                let made = try? JSONDecoder().decode(Operation.self, from: data), made != operation
            else { return nil }
            return made
        }
    }
}
