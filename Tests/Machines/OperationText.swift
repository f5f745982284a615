import FoundationEssentials

/// Operations as text with one line of JSON each, in files that are read and compared by eye.
package enum OperationText {
    package static func lines(_ operations: [some MachineOperation]) -> String {
        operations.map { line($0) + "\n" }.joined()
    }

    package static func line(_ operation: some MachineOperation) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Operations consist of numbers and strings only, which can always be encoded.
        guard let data = try? encoder.encode(operation) else { return String(describing: operation) }
        return String(decoding: data, as: UTF8.self)
    }

    package static func operations<Operation: MachineOperation>(
        _ text: String, of type: Operation.Type = Operation.self
    ) throws -> [Operation] {
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").map { try decoder.decode(Operation.self, from: Data($0.utf8)) }
    }

    /// Returns copies of an operation in which one value is smaller, smallest first.
    package static func simpler<Operation: MachineOperation>(than operation: Operation) -> [Operation] {
        guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(line(operation).utf8)) else { return [] }
        let encoder = JSONEncoder()
        return tree.simpler.compactMap { simpler in
            // A simpler tree that is not a valid operation is left out.
            guard let data = try? encoder.encode(simpler),
                let made = try? JSONDecoder().decode(Operation.self, from: data), made != operation
            else { return nil }
            return made
        }
    }
}

/// JSON with integers only, so that operations of all kinds can be simplified in the same way.
enum JSONTree: Codable, Equatable {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case list([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Copies of the tree in which one value is simpler.
    var simpler: [JSONTree] {
        switch self {
        case .null, .string, .bool(false), .number(0): []
        case .bool(true): [.bool(false)]
        case .number(let value): Set([0, value / 2, value - value.signum()]).sorted().map { .number($0) }
        case .list(let values):
            // Two adjacent elements are removed together too, because some lists consist of pairs.
            [2, 1].flatMap { length in
                stride(from: 0, through: values.count - length, by: 1).map { index in
                    var fewer = values
                    fewer.removeSubrange(index..<index + length)
                    return .list(fewer)
                }
            }
                + values.indices.flatMap { index in
                    values[index].simpler.map { simpler in
                        var changed = values
                        changed[index] = simpler
                        return .list(changed)
                    }
                }
        case .object(let members):
            members.keys.sorted().flatMap { key in
                (members[key]?.simpler ?? []).map { simpler in
                    var changed = members
                    changed[key] = simpler
                    return .object(changed)
                }
            }
        }
    }
}
