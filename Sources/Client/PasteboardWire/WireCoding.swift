import FoundationEssentials

/// The JSON of messages, and the errors in it.
package enum WireCoding {
    /// Returns the encoded message, with its NUL.
    package static func encode(_ message: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let encoded = try encoder.encode(message)
        // Without the reservation, the NUL can double the memory that a message takes while it waits to be sent.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count + 1)
        bytes += encoded
        bytes.append(0)
        return bytes
    }

    static func decode<Message: Decodable>(_: Message.Type, from message: [UInt8]) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(message))
    }

    /// Describes in a few words why a message could not be decoded.
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

    /// Returns the path of the member that could not be decoded: `items[0].type`.
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

// MARK: Milliseconds

extension Duration {
    package var millisecondsRoundedDown: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / Self.attosecondsPerMillisecond)
    }

    package var millisecondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        let millisecond = Self.attosecondsPerMillisecond
        return Int(seconds) * 1_000 + Int((attoseconds + millisecond - 1) / millisecond)
    }

    private static var attosecondsPerMillisecond: Int64 { 1_000_000_000_000_000 }
}
