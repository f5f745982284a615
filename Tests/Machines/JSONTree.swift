/// Any JSON of whole numbers, so that operations of every kind are made simpler alike.
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

    /// The same with one value changed to a smaller one.
    var simpler: [JSONTree] {
        switch self {
        case .null, .string, .bool(false), .number(0): []
        case .bool(true): [.bool(false)]
        case .number(let value): Set([0, value / 2, value - value.signum()]).sorted().map { .number($0) }
        case .list(let values):
            // Two at once as well: what comes in pairs stays so.
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
