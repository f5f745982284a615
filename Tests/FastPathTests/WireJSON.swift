import FoundationEssentials

/// Messages in the format of the wire: JSON without escaped slashes, terminated by NUL.
enum WireJSON {
    static func message(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return [UInt8](try encoder.encode(value)) + [0]
    }

    static func decode<Value: Decodable>(_: Value.Type, from message: [UInt8]) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(message.dropLast()))
    }
}

struct WireCall<Parameters: Decodable>: Decodable {
    var method: String
    var parameters: Parameters
    var more: Bool?
    var oneway: Bool?
}

struct WireReply<Parameters> {
    var error: String?
    var parameters: Parameters
    var continues: Bool?
}

extension WireReply: Encodable where Parameters: Encodable {}
extension WireReply: Decodable where Parameters: Decodable {}
