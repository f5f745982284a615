import FoundationEssentials

/// A method of `org.xpb.Pasteboard`, or of the interface named in ``fullName``: its name, its parameters and its reply.
///
/// Scripts/checks/generate-wire writes the methods and all other types in Generated from the interface definition.
package protocol WireMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Codable & Sendable
    /// The name without the interface: `Get`.
    static var name: String { get }
    /// The name with the interface: `org.xpb.Pasteboard.Get`.
    static var fullName: String { get }
}

extension WireMethod {
    package static var fullName: String { "\(ServiceInterface.name).\(name)" }
}

package struct NoParameters: Codable, Sendable {
    package init() {}
}

// MARK: Messages

/// The members of a call other than its parameters.
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
    var upgrade: Bool?
}

struct OutgoingReply<Parameters: Encodable>: Encodable {
    var error: String?
    var parameters: Parameters
    var continues: Bool?
}

/// The parameters of a message. A message without parameters may omit the member.
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

/// A reply: its parameters, or an error.
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
        return ClientFault.malformed("an unknown error, \(name)")
    }
}
