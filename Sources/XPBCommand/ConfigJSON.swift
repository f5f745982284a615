import FoundationEssentials
import PasteboardWire

/// What `config --json` writes: the settings by their keys, each value as it is.
struct ConfigJSON: Encodable {
    let path: String?
    /// Nil where only the path is wanted.
    let settings: [InForce]?

    private enum Keys: String, CodingKey { case path, settings }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(path, forKey: .path)
        var members: [String: Member] = [:]
        for setting in settings ?? [] { members[setting.key] = try Member(setting) }
        if settings != nil { try container.encode(members, forKey: .settings) }
    }

    private struct Member: Encodable {
        let value: JSONValue
        let origin: String
        let source: String?

        init(_ setting: InForce) throws {
            value = try JSONDecoder().decode(JSONValue.self, from: Data(setting.json.utf8))
            origin = setting.kind.rawValue
            source = setting.source
        }
    }
}

/// Any value of JSON.
indirect enum JSONValue: Codable, Equatable {
    case null
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            if container.decodeNil() {
                .null
            } else if let flag = try? container.decode(Bool.self) {
                .flag(flag)
            } else if let integer = try? container.decode(Int.self) {
                .integer(integer)
            } else if let number = try? container.decode(Double.self) {
                .number(number)
            } else if let text = try? container.decode(String.self) {
                .text(text)
            } else if let array = try? container.decode([JSONValue].self) {
                .array(array)
            } else {
                .object(try container.decode([String: JSONValue].self))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}
