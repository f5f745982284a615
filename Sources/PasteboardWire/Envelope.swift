import FoundationEssentials

/// What is around the parameters of a call.
struct CallHead: Codable {
    var method: String
    var more: Bool?
    var oneway: Bool?
    var upgrade: Bool?
}

struct OutgoingCall<Parameters: Encodable>: Encodable {
    var method: String
    var parameters: Parameters
    var more: Bool?
    var oneway: Bool?
}

struct OutgoingReply<Parameters: Encodable>: Encodable {
    var error: String?
    var parameters: Parameters
    var continues: Bool?
}

/// The parameters of a message. A message may leave them out when there are none.
struct ParametersOnly<Parameters: Decodable>: Decodable {
    var parameters: Parameters

    private enum Member: String, CodingKey { case parameters }

    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: Member.self)
        if try message.contains(.parameters) && !message.decodeNil(forKey: .parameters) {
            parameters = try message.decode(Parameters.self, forKey: .parameters)
        } else {
            parameters = try JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
        }
    }
}

/// A reply: parameters, or an error.
struct IncomingReply<Parameters: Decodable>: Decodable {
    var continues: Bool
    var outcome: Result<Parameters, any Error>

    private enum Member: String, CodingKey { case error, continues }

    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: Member.self)
        continues = try message.decodeIfPresent(Bool.self, forKey: .continues) ?? false
        if let name = try message.decodeIfPresent(String.self, forKey: .error) {
            outcome = .failure(try Self.error(named: name, in: decoder))
        } else {
            outcome = .success(try ParametersOnly<Parameters>(from: decoder).parameters)
        }
    }

    private static func error(named name: String, in decoder: any Decoder) throws -> any Error {
        if name.hasPrefix(VarlinkError.interface + ".") {
            let parameters = try ParametersOnly<[String: String]>(from: decoder).parameters
            if let error = VarlinkError(fullName: name, parameters: parameters) { return error }
        } else if name.hasPrefix(ServiceInterface.name + ".") {
            let parameters = try ParametersOnly<WireErrorParameters>(from: decoder).parameters
            if let error = BridgeError(fullName: name, parameters: parameters) { return error }
        }
        return ClientFault.malformed("an error of the name \(name)")
    }
}

/// JSON as it is on the wire.
enum WireCoding {
    /// A whole message, with its NUL.
    static func encode(_ message: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        var bytes = [UInt8](try encoder.encode(message))
        bytes.append(0)
        return bytes
    }

    static func decode<Message: Decodable>(_: Message.Type, from message: [UInt8]) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(message))
    }

    /// What is wrong with a message, in a few words.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it cannot be read" }
        return switch error {
        case .keyNotFound(let key, _): "it has no member \"\(key.stringValue)\""
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.isEmpty ? "it is not an object" : "its member \"\(path(context.codingPath))\" is wrong"
        case .dataCorrupted: "it is not JSON"
        @unknown default: "it cannot be read"
        }
    }

    /// Where in the message an error is: `items[0].type`.
    static func path(of error: any Error) -> String? {
        guard let error = error as? DecodingError else { return nil }
        return switch error {
        case .keyNotFound(let key, let context): path(context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path(context.codingPath)
        @unknown default: nil
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
